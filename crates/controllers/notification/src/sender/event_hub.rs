//! Sends to Azure Event Hubs over HTTP. The reference uses AMQP.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::header::AUTHORIZATION;
use http::{HeaderValue, Method};
use jiff::Timestamp;
use url::Url;

use crate::request::{EventHub, EventHubMessage, HttpRequest, form, secret_header};

/// Media type of a single event.
const MEDIA_TYPE: HeaderValue =
    HeaderValue::from_static("application/atom+xml;type=entry;charset=utf-8");
/// Lifetime of a signature, in seconds.
const LIFETIME: i64 = 3600;

/// A connection string, split.
struct Connection<'a> {
    host: &'a str,
    key_name: &'a str,
    key: &'a str,
    hub: &'a str,
}

/// Returns the request that sends a message. Without a token, the caller adds `Authorization`.
/// `authority` is the value of `AZURE_AUTHORITY_HOST`.
pub fn request(
    message: &EventHubMessage,
    authority: &str,
    now: Timestamp,
) -> Result<HttpRequest, String> {
    let invalid = |_| "the address of the event hub is not usable".to_owned();
    let (url, authorization) = match &message.hub {
        EventHub::Connection(text) => {
            let connection = Connection::parse(text.expose())?;
            let hub = format!("https://{}/{}", connection.host, connection.hub);
            let signature = connection.sign(&hub, now);
            (hub, Some(signature))
        }
        EventHub::Named {
            namespace,
            hub,
            token,
        } => {
            let host = EventHub::host(namespace, authority);
            let token = token.as_ref();
            let bearer = token.map(|token| format!("Bearer {}", token.expose()));
            (format!("https://{host}/{hub}"), bearer)
        }
    };
    let mut url = Url::parse(&format!("{url}/messages")).map_err(invalid)?;
    url.set_query(Some("api-version=2014-01"));
    let mut request =
        HttpRequest::new(Method::POST, url).with_body(MEDIA_TYPE, message.body.clone());
    if let Some(text) = authorization {
        let value = secret_header("the credentials of the event hub", text.as_bytes());
        let value = value.map_err(|error| error.to_string())?;
        request.headers.insert(AUTHORIZATION, value);
    }
    Ok(request)
}

impl<'a> Connection<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let field = |name: &str, missing: &str| {
            let parts = text.split(';').filter_map(|part| part.split_once('='));
            let mut parts = parts.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name));
            let found = parts.next().map(|(_, value)| value.trim());
            found
                .filter(|value| !value.is_empty())
                .ok_or_else(|| format!("failed to create a eventhub using SAS: {missing}"))
        };
        let endpoint = field("Endpoint", "key \"Endpoint\" must not be empty")?;
        let (_, address) = endpoint.split_once("://").unwrap_or(("", endpoint));
        Ok(Self {
            host: address.split('/').next().unwrap_or(address),
            key_name: field(
                "SharedAccessKeyName",
                "key \"SharedAccessKeyName\" must not be empty",
            )?,
            key: field(
                "SharedAccessKey",
                "key \"SharedAccessKey\" or \"SharedAccessSignature\" cannot both be empty",
            )?,
            hub: field(
                "EntityPath",
                "connection string does not contain an EntityPath. eventHub cannot be an empty \
                 string",
            )?,
        })
    }

    /// Returns a shared access signature for a resource.
    fn sign(&self, resource: &str, now: Timestamp) -> String {
        let escape = |text: &str| form(&[("", text)]).trim_start_matches('=').to_owned();
        let resource = escape(resource);
        let expiry = now.as_second() + LIFETIME;
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.key.as_bytes());
        let signature = hmac::sign(&key, format!("{resource}\n{expiry}").as_bytes());
        let signature = escape(&BASE64_STANDARD.encode(signature));
        let name = escape(self.key_name);
        format!("SharedAccessSignature sr={resource}&sig={signature}&se={expiry}&skn={name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(hub: EventHub) -> EventHubMessage {
        EventHubMessage {
            hub,
            body: b"{}".to_vec(),
        }
    }

    #[test]
    fn connection_string_signs_its_hub() {
        let text = "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=send;\
            SharedAccessKey=a2V5PQ==;EntityPath=hub";
        let message = message(EventHub::Connection(text.into()));
        let request = request(&message, "", Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(
            request.url.as_str(),
            "https://ns.servicebus.windows.net/hub/messages?api-version=2014-01"
        );
        // Expected value: printf '%s\n3600' https%3A%2F%2Fns.servicebus.windows.net%2Fhub |
        //   openssl dgst -sha256 -hmac 'a2V5PQ==' -binary | base64
        assert_eq!(
            request.headers["authorization"],
            "SharedAccessSignature sr=https%3A%2F%2Fns.servicebus.windows.net%2Fhub&\
             sig=qAlZ%2B%2FhNPMyUd3aEGHRslBB4LE7E%2BVfzqeY9XyJGsZA%3D&se=3600&skn=send"
        );
    }

    #[test]
    fn incomplete_connection_string_is_an_error() {
        let message = message(EventHub::Connection("SharedAccessKey=canary".into()));
        let error = request(&message, "", Timestamp::UNIX_EPOCH).unwrap_err();
        assert!(
            error.contains("\"Endpoint\"") && !error.contains("canary"),
            "{error}"
        );
    }

    #[test]
    fn named_hub_has_the_token_or_none() {
        let named = |token: Option<&str>| EventHub::Named {
            namespace: "ns".into(),
            hub: "hub".into(),
            token: token.map(Into::into),
        };
        let epoch = Timestamp::UNIX_EPOCH;
        let with = request(&message(named(Some("t"))), "", epoch).unwrap();
        assert_eq!(with.headers["authorization"], "Bearer t");
        let china = "https://login.chinacloudapi.cn/";
        let without = request(&message(named(None)), china, epoch).unwrap();
        assert!(!without.headers.contains_key("authorization"));
        assert_eq!(
            without.url.host_str(),
            Some("ns.servicebus.chinacloudapi.cn")
        );
    }
}
