//! `Provider`: a service that receives events.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{
        Duration, LocalObjectReference,
        duration::{INTERVAL_PATTERN, TIMEOUT_PATTERN},
        resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of a provider.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "notification.toolkit.fluxcd.io",
    version = "v1beta3",
    kind = "Provider",
    plural = "providers",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-notifications",
    namespaced,
    derive = "Default",
    derive = "PartialEq",
    doc = "A service that receives events: a chat, a Git host, a pager or a webhook.",
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": "spec.commitStatusExpr is only supported for the 'github', 'gitlab', 'gitea', 'bitbucketserver', 'bitbucket', 'azuredevops' provider types",
    "rule": "self.type == 'github' || self.type == 'gitlab' || self.type == 'gitea' || self.type == 'bitbucketserver' || self.type == 'bitbucket' || self.type == 'azuredevops' || !has(self.commitStatusExpr)",
}]))]
pub struct ProviderSpec {
    /// Address of the service. The meaning depends on the type.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub address: Option<String>,
    /// Secret with a client certificate and key, or with the CA certificate of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Channel of the service. The meaning depends on the type.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub channel: Option<String>,
    /// CEL expression for the name of a commit status.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub commit_status_expr: Option<String>,
    /// Deprecated and ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Address of a proxy. Deprecated, use `proxySecretRef`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048), regex(pattern = "^(http|https)://.*$"))]
    pub proxy: Option<String>,
    /// Secret with the address of a proxy and optional credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// Secret with the credentials and an optional address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// `ServiceAccount` whose identity authenticates to the service.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Suspends the sending of events.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Timeout of each delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// Type of the service.
    #[serde(rename = "type")]
    pub type_: ProviderType,
    /// User name under which events are sent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub username: Option<String>,
}

words! {
    /// Types of services that receive events.
    #[derive(Default)]
    pub enum ProviderType {
        /// Slack.
        Slack = "slack",
        /// Discord.
        Discord = "discord",
        /// Microsoft Teams.
        MsTeams = "msteams",
        /// Rocket.Chat.
        Rocket = "rocket",
        /// Webhook that receives the event unchanged.
        #[default]
        Generic = "generic",
        /// Webhook that receives a signed event.
        GenericHmac = "generic-hmac",
        /// GitHub: the status of a commit.
        Github = "github",
        /// GitLab: the status of a commit.
        Gitlab = "gitlab",
        /// Gitea: the status of a commit.
        Gitea = "gitea",
        /// Gitea: a comment on a pull request.
        GiteaPullRequestComment = "giteapullrequestcomment",
        /// Bitbucket Data Center: the status of a commit.
        BitbucketServer = "bitbucketserver",
        /// Bitbucket Cloud: the status of a commit.
        Bitbucket = "bitbucket",
        /// Azure DevOps: the status of a commit.
        AzureDevOps = "azuredevops",
        /// Google Chat.
        GoogleChat = "googlechat",
        /// Google Pub/Sub.
        GooglePubSub = "googlepubsub",
        /// Webex.
        Webex = "webex",
        /// Sentry.
        Sentry = "sentry",
        /// Azure Event Hubs.
        AzureEventHub = "azureeventhub",
        /// Telegram.
        Telegram = "telegram",
        /// Lark.
        Lark = "lark",
        /// Matrix.
        Matrix = "matrix",
        /// Opsgenie.
        Opsgenie = "opsgenie",
        /// Prometheus Alertmanager.
        Alertmanager = "alertmanager",
        /// Grafana: an annotation.
        Grafana = "grafana",
        /// GitHub: a repository dispatch.
        GithubDispatch = "githubdispatch",
        /// GitHub: a comment on a pull request.
        GithubPullRequestComment = "githubpullrequestcomment",
        /// GitLab: a comment on a merge request.
        GitlabMergeRequestComment = "gitlabmergerequestcomment",
        /// `PagerDuty`.
        PagerDuty = "pagerduty",
        /// Datadog.
        Datadog = "datadog",
        /// NATS.
        Nats = "nats",
        /// Zulip.
        Zulip = "zulip",
        /// OpenTelemetry: a trace.
        Otel = "otel",
        /// Zoom.
        Zoom = "zoom",
        /// incident.io.
        IncidentIo = "incident.io",
    }
}

toolkit_resource!(Provider, suspended: spec.suspend, conditions: never, observed: never, handled: never);
