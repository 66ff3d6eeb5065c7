//! Message brokers that do not speak HTTP: NATS and Azure Event Hubs.

use sluice_api::event::Event;

use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::wire;
use crate::json;
use crate::request::{EventHub, EventHubMessage, NatsCredentials, NatsMessage, Request};

/// Name of the connection in the server's list.
const CONNECTION: &str = "NATS Provider Publisher";
/// Key that marks a connection string with a shared access key.
const SHARED_ACCESS_KEY: &str = "SharedAccessKey";

pub(super) fn nats(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let server = config.address.expose();
    if server.is_empty() {
        return Err(Error::Missing {
            message: "NATS server (address) cannot be empty",
            hint: "set spec.address to the address of the server",
        });
    }
    if config.channel.is_empty() {
        return Err(Error::Missing {
            message: "NATS subject (channel) cannot be empty",
            hint: "set spec.channel to the subject",
        });
    }
    // The protocol separates words by spaces, and commands by line breaks.
    if config
        .channel
        .contains(|c: char| c.is_whitespace() || c.is_control())
    {
        return Err(Error::Setting(
            "invalid NATS subject (channel): it holds white space".to_owned(),
        ));
    }
    let credentials = match (&config.nats_credentials, &config.nats_seed, config.basic()) {
        (Some(file), _, _) => NatsCredentials::File(file.clone()),
        (None, Some(seed), _) => NatsCredentials::Seed(seed.clone()),
        (None, None, Some(basic)) => NatsCredentials::Basic(basic),
        (None, None, None) => NatsCredentials::Anonymous,
    };
    Ok(vec![Request::Nats(NatsMessage {
        server: server.clone(),
        subject: config.channel.clone(),
        credentials,
        connection: CONNECTION,
        body: json::to_vec(&wire(event)),
    })])
}

pub(super) fn event_hub(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let refuse = |reason: &str| {
        Err(Error::Setting(format!(
            "invalid authentication options: {reason}"
        )))
    };
    let address = config.address.expose();
    let token = config.token_text()?;
    let hub = match (address.as_str(), token, &config.service_account) {
        ("", _, _) => return refuse("endpoint URL cannot be empty"),
        (address, token, account) if address.contains(SHARED_ACCESS_KEY) => {
            if account.is_some() {
                return refuse(
                    "serviceAccountName and SAS authentication cannot be set at the same time",
                );
            }
            if token.is_some() {
                return refuse("jwt token and SAS authentication cannot be set at the same time");
            }
            EventHub::Connection(address.into())
        }
        (_, Some(_), Some(_)) => {
            return refuse(
                "serviceAccountName and jwt token authentication cannot be set at the same time",
            );
        }
        (address, token, _) => EventHub::Named {
            namespace: config.channel.clone(),
            hub: address.to_owned(),
            token: token.map(Into::into),
        },
    };
    Ok(vec![Request::EventHub(EventHubMessage {
        hub,
        body: json::to_vec(&wire(event)),
    })])
}
