//! Turns an event into the requests of each provider type.
//!
//! [`request`] is the only entry. [`ProviderConfig`] has the settings, and the event has the
//! combined metadata of its Alert. The reference iterates over metadata in random order. Here the
//! order is by key.
//!
//! Parity: notification-controller: `internal/notifier`. `tests/providers.rs` compares with the
//! recorded requests of the reference.

mod alertmanager;
mod azure_devops;
mod bitbucket;
mod bitbucket_server;
mod broker;
mod datadog;
mod forge;
mod generic;
mod gitea;
mod github;
mod gitlab;
mod google;
mod grafana;
mod incident_io;
mod lark;
mod matrix;
mod opsgenie;
mod otel;
mod pagerduty;
mod protobuf;
mod sentry;
mod slack;
mod teams;
mod telegram;
mod webex;
mod zoom;
mod zulip;

use sluice_api::event::Event;
use sluice_api::notification::ProviderType;

use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::Request;

/// A function that builds the requests of a type.
type Builder = fn(&ProviderConfig, &Event) -> Result<Vec<Request>, Error>;

/// Returns the requests that deliver an event, in order. The list is empty if the type skips the
/// event.
pub fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let builder = builder(&config.type_)
        .ok_or_else(|| Error::Unsupported(config.type_.as_str().to_owned()))?;
    builder(config, event)
}

/// Returns the builder of a type, or `None` for a type outside the schema.
fn builder(type_: &ProviderType) -> Option<Builder> {
    Some(match type_ {
        ProviderType::Generic => generic::plain,
        ProviderType::GenericHmac => generic::signed,
        ProviderType::Slack => slack::slack,
        ProviderType::Discord => slack::discord,
        ProviderType::Rocket => slack::rocket,
        ProviderType::MsTeams => teams::request,
        ProviderType::GoogleChat => google::chat,
        ProviderType::GooglePubSub => google::pub_sub,
        ProviderType::Webex => webex::request,
        ProviderType::Sentry => sentry::request,
        ProviderType::AzureEventHub => broker::event_hub,
        ProviderType::AzureDevOps => azure_devops::status,
        ProviderType::Telegram => telegram::request,
        ProviderType::Lark => lark::request,
        ProviderType::Matrix => matrix::request,
        ProviderType::Opsgenie => opsgenie::request,
        ProviderType::Alertmanager => alertmanager::request,
        ProviderType::Grafana => grafana::request,
        ProviderType::PagerDuty => pagerduty::request,
        ProviderType::Datadog => datadog::request,
        ProviderType::Nats => broker::nats,
        ProviderType::Zulip => zulip::request,
        ProviderType::Otel => otel::request,
        ProviderType::Zoom => zoom::request,
        ProviderType::IncidentIo => incident_io::request,
        ProviderType::Github => github::status,
        ProviderType::GithubDispatch => github::dispatch,
        ProviderType::GithubPullRequestComment => github::comment,
        ProviderType::Gitlab => gitlab::status,
        ProviderType::GitlabMergeRequestComment => gitlab::comment,
        ProviderType::Gitea => gitea::status,
        ProviderType::GiteaPullRequestComment => gitea::comment,
        ProviderType::Bitbucket => bitbucket::status,
        ProviderType::BitbucketServer => bitbucket_server::status,
        ProviderType::Other(_) => return None,
    })
}

#[cfg(test)]
mod tests;
