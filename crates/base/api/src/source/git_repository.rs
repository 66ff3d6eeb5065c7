//! `GitRepository`: a commit of a Git repository, as an artifact.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    artifact::Artifact,
    lenient,
    meta::{
        Conditions, Duration, LocalObjectReference,
        duration::{INTERVAL_PATTERN, TIMEOUT_PATTERN},
        reference::unobserved,
        resource::toolkit_resource,
    },
    word::words,
};

/// What to fetch from a Git repository, and how.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.toolkit.fluxcd.io",
    version = "v1",
    kind = "GitRepository",
    plural = "gitrepositories",
    shortname = "gitrepo",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "GitRepositoryStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A Git repository, of which the controller offers one commit as an artifact.",
    printcolumn(name = "URL", type_ = "string", json_path = ".spec.url"),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Status",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message"
    )
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": "serviceAccountName can only be set when provider is 'azure' or 'aws'",
    "rule": "!has(self.serviceAccountName) || (has(self.provider) && (self.provider == 'azure' || self.provider == 'aws'))",
}]))]
pub struct GitRepositorySpec {
    /// Files to leave out of the artifact, in the format of `.gitignore`; replaces the
    /// controller's own list of what is never of interest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
    /// Artifacts of other Git repositories to copy into this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<GitInclude>,
    /// How often the remote is asked for news.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// The provider whose way of authentication is used; `generic` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<GitProvider>,
    /// A Secret with the address of a proxy, and perhaps credentials for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// Fetches submodules too, with the credentials of this repository.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub recurse_submodules: bool,
    /// Which commit to fetch; the head of the branch `master` when absent.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<GitCheckoutReference>,
    /// A Secret with the credentials: user name and password, or a bearer token, or an SSH
    /// identity with the known hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose identity the provider is asked with.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Directories to check out; everything when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sparse_checkout: Vec<String>,
    /// Stops reconciling; the last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long one Git operation may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "60s", "pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// The address of the repository, over HTTP(S) or SSH.
    #[schemars(regex(pattern = "^(http|https|ssh)://.*$"))]
    pub url: String,
    /// Demands a signature on what is fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<GitVerification>,
}

words! {
    /// Who hosts a Git repository, as far as authentication goes.
    #[derive(Default)]
    pub enum GitProvider {
        /// Anyone: the credentials are in the Secret.
        #[default]
        Generic = "generic",
        /// AWS `CodeCommit`, by workload identity.
        Aws = "aws",
        /// Azure DevOps, by workload identity.
        Azure = "azure",
        /// GitHub, as an App.
        Github = "github",
    }
}

/// Which commit to fetch. Of several fields, `commit` wins, then `name`, `semver`, `tag`, `branch`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCheckoutReference {
    /// The branch whose head is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub branch: Option<String>,
    /// The commit itself; with a branch, only that branch is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub commit: Option<String>,
    /// The full name of a reference, like `refs/pull/420/head`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
    /// A range of semantic versions; the highest tag within it is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub semver: Option<String>,
    /// The tag that is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub tag: Option<String>,
}

/// A part of another repository's artifact that is copied into this one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInclude {
    /// The path to copy from; the root of the artifact when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub from_path: Option<String>,
    /// The `GitRepository` whose artifact is included.
    pub repository: LocalObjectReference,
    /// The path to copy to; the name of the included repository when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub to_path: Option<String>,
}

/// Which signature is demanded, and whose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitVerification {
    /// What must be signed: the commit at the head, the tag, or both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "HEAD"))]
    pub mode: Option<GitVerificationMode>,
    /// A Secret with the public keys that are trusted.
    pub secret_ref: LocalObjectReference,
}

words! {
    /// What must be signed.
    #[derive(Default)]
    pub enum GitVerificationMode {
        /// The commit; the spelling of an older API version.
        HeadLowercase = "head",
        /// The commit.
        #[default]
        Head = "HEAD",
        /// The tag object.
        Tag = "Tag",
        /// The tag object and the commit.
        TagAndHead = "TagAndHEAD",
    }
}

/// What the controller last saw and made of a Git repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct GitRepositoryStatus {
    /// The artifact of the last successful fetch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What can be said about the repository.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The artifacts that were included in the last artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included_artifacts: Vec<Artifact>,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The ignore rules that the artifact was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_ignore: Option<String>,
    /// The includes that the artifact was made with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_include: Vec<GitInclude>,
    /// Whether the artifact was made with submodules.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub observed_recurse_submodules: bool,
    /// The directories that the artifact was made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_sparse_checkout: Vec<String>,
    /// What was verified when the artifact was made.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub source_verification_mode: Option<String>,
}

toolkit_resource!(GitRepository);
