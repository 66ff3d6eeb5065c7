//! `Provider`: a service that can be told of events.

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

/// Which service to tell, and how.
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
    doc = "A service that is told of events: a chat, a Git host, a pager or a webhook.",
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
    /// The address of the service; what it means depends on the type.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub address: Option<String>,
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// service's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// The channel that is told; what it means depends on the type.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub channel: Option<String>,
    /// A CEL expression for the name under which the status of a commit is set.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub commit_status_expr: Option<String>,
    /// Without meaning; kept for older objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// The address of a proxy; an older way to say `proxySecretRef`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048), regex(pattern = "^(http|https)://.*$"))]
    pub proxy: Option<String>,
    /// A Secret with the address of a proxy, and perhaps credentials for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// A Secret with the credentials, and perhaps the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose identity the service is asked with.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Tells nothing for now.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long telling may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// The service.
    #[serde(rename = "type")]
    pub type_: ProviderType,
    /// The name under which events are told.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 2048))]
    pub username: Option<String>,
}

words! {
    /// A service that can be told of events.
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
        /// A webhook that takes the event as it is.
        #[default]
        Generic = "generic",
        /// The same, signed.
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
