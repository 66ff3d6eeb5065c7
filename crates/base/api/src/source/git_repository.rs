//! `GitRepository`: a commit of a Git repository as an artifact.

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

/// Desired state of a Git repository.
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
    doc = "A Git repository. The controller publishes one commit as an artifact.",
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
    /// Files to exclude from the artifact, in `.gitignore` format. It replaces the default
    /// exclusions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
    /// Artifacts of other Git repositories to copy into this artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<GitInclude>,
    /// Interval of checks of the remote.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Provider, which selects the authentication. Defaults to `generic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<GitProvider>,
    /// Secret with the address of a proxy and optional credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// Fetches submodules with the credentials of this repository.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub recurse_submodules: bool,
    /// Commit to fetch. Defaults to the head of the branch `master`.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<GitCheckoutReference>,
    /// Secret with the credentials: user name and password, a bearer token, or an SSH identity with
    /// known hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// `ServiceAccount` whose identity authenticates to the provider.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Directories to check out. Empty checks out all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sparse_checkout: Vec<String>,
    /// Suspends reconciliation. The last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Timeout of each Git operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "60s", "pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// HTTP(S) or SSH address of the repository.
    #[schemars(regex(pattern = "^(http|https|ssh)://.*$"))]
    pub url: String,
    /// Signature verification of the fetched revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<GitVerification>,
}

words! {
    /// Providers of Git repositories.
    #[derive(Default)]
    pub enum GitProvider {
        /// Any provider, with credentials from a Secret.
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

/// Commit to fetch. Precedence: `commit`, `name`, `semver`, `tag`, `branch`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCheckoutReference {
    /// Branch whose head is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub branch: Option<String>,
    /// Commit hash. With a branch, only that branch is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub commit: Option<String>,
    /// Full name of a reference, such as `refs/pull/420/head`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
    /// Semver range. The highest matching tag is fetched.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub semver: Option<String>,
    /// Tag to fetch.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub tag: Option<String>,
}

/// Part of another repository's artifact to copy into this artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInclude {
    /// Source path. Defaults to the root of the artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub from_path: Option<String>,
    /// `GitRepository` whose artifact is included.
    pub repository: LocalObjectReference,
    /// Destination path. Defaults to the name of the included repository.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub to_path: Option<String>,
}

/// Signature verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitVerification {
    /// Objects that must be signed: the head commit, the tag, or both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "HEAD"))]
    pub mode: Option<GitVerificationMode>,
    /// Secret with the trusted public keys.
    pub secret_ref: LocalObjectReference,
}

words! {
    /// Objects that must be signed.
    #[derive(Default)]
    pub enum GitVerificationMode {
        /// The head commit, in the spelling of an older API version.
        HeadLowercase = "head",
        /// The head commit.
        #[default]
        Head = "HEAD",
        /// The tag object.
        Tag = "Tag",
        /// The tag object and the commit.
        TagAndHead = "TagAndHEAD",
    }
}

/// Observed state of a Git repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct GitRepositoryStatus {
    /// Artifact of the last successful fetch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// Conditions of the repository.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Artifacts included in the last artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included_artifacts: Vec<Artifact>,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Ignore rules of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_ignore: Option<String>,
    /// Includes of the artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_include: Vec<GitInclude>,
    /// Whether the artifact has submodules.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub observed_recurse_submodules: bool,
    /// Directories of the artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_sparse_checkout: Vec<String>,
    /// Verified objects of the artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub source_verification_mode: Option<String>,
}

toolkit_resource!(GitRepository);
