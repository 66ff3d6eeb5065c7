//! `ImageUpdateAutomation`: commits that update images in Git.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy::ImageRef;
use crate::{
    lenient,
    meta::{
        Conditions, Duration, LabelSelector, LocalObjectReference, Time,
        duration::INTERVAL_PATTERN, reference::unobserved, resource::toolkit_resource,
    },
    source::GitCheckoutReference,
    word::words,
};

/// Desired state of an image update automation.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "image.toolkit.fluxcd.io",
    version = "v1",
    kind = "ImageUpdateAutomation",
    plural = "imageupdateautomations",
    shortname = "iua",
    shortname = "imgupd",
    shortname = "imgauto",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-images",
    namespaced,
    status = "ImageUpdateAutomationStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "An automation that commits the images of policies to a Git repository.",
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Status",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message"
    ),
    printcolumn(
        name = "Last run",
        type_ = "string",
        json_path = ".status.lastAutomationRunTime",
        priority = 1
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct ImageUpdateAutomationSpec {
    /// Git options: checkout, commit and push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<GitSpec>,
    /// Interval of checks of the policies.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Selector of the policies. Defaults to all policies of the namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_selector: Option<LabelSelector>,
    /// Repository to update.
    pub source_ref: UpdateSourceReference,
    /// Suspends updates.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Update options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = { "strategy": "Setters" }))]
    pub update: Option<UpdateStrategy>,
}

/// Git options: checkout, commit and push.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitSpec {
    /// Checkout options. Defaults to the reference of the repository object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkout: Option<GitCheckout>,
    /// Commit options.
    pub commit: CommitSpec,
    /// Push options. Defaults to the branch of the checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<GitPush>,
}

/// Checkout options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCheckout {
    /// Branch, tag or commit to check out.
    #[serde(rename = "ref")]
    pub reference: GitCheckoutReference,
}

/// Commit options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitSpec {
    /// Author of commits.
    pub author: CommitAuthor,
    /// Template of the commit message. Defaults to the controller's template.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub message_template: Option<String>,
    /// Values for the template.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub message_template_values: BTreeMap<String, String>,
    /// Key that signs commits. Without it, commits are not signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signing_key: Option<SigningKey>,
}

/// Author of commits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitAuthor {
    /// Email address of the author.
    pub email: String,
    /// Name of the author.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
}

/// Key that signs commits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SigningKey {
    /// Secret with the key and an optional passphrase.
    pub secret_ref: LocalObjectReference,
    /// Type of the key. Defaults to `gpg`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<SigningKeyType>,
}

words! {
    /// Types of signing keys.
    #[derive(Default)]
    pub enum SigningKeyType {
        /// OpenPGP.
        #[default]
        Gpg = "gpg",
        /// SSH.
        Ssh = "ssh",
    }
}

/// Push options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitPush {
    /// Branch to push to. A missing branch is created.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub branch: Option<String>,
    /// Push options for the server.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Refspec to push in addition to or instead of the branch. It cannot delete or force.
    #[schemars(regex(pattern = "^$|^[^+:]"))]
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub refspec: Option<String>,
}

/// Reference to the repository to update, in any namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSourceReference {
    /// API version of the repository. Defaults to the controller's preferred version.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the repository.
    #[schemars(extend("default" = "GitRepository"))]
    pub kind: UpdateSourceKind,
    /// Name of the repository.
    pub name: String,
    /// Namespace of the repository. Defaults to the namespace of the automation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

words! {
    /// Kinds of repositories that can be updated.
    #[derive(Default)]
    pub enum UpdateSourceKind {
        /// A Git repository.
        #[default]
        GitRepository = "GitRepository",
    }
}

/// Update options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// Directory to update. Defaults to the whole repository.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// Strategy that locates the fields to update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "Setters"))]
    pub strategy: Option<UpdateStrategyName>,
}

words! {
    /// Strategy that locates the fields to update.
    #[derive(Default)]
    pub enum UpdateStrategyName {
        /// Markers in comments.
        #[default]
        Setters = "Setters",
    }
}

/// Observed state of an image update automation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ImageUpdateAutomationStatus {
    /// Conditions of the automation.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Time of the last run, with or without a push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_automation_run_time: Option<Time>,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last pushed commit.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_push_commit: Option<String>,
    /// Time of the last push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_push_time: Option<Time>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Last written images by policy name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub observed_policies: BTreeMap<String, ImageRef>,
    /// Last observed revision of the repository.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_source_revision: Option<String>,
}

toolkit_resource!(ImageUpdateAutomation);
