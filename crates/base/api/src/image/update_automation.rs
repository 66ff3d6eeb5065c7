//! `ImageUpdateAutomation`: commits that put chosen images into Git.

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

/// What to update, and how to commit and push it.
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
    doc = "An automation that commits the choices of image policies to a Git repository.",
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
    /// What is checked out, how it is committed, and where it is pushed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<GitSpec>,
    /// How often the policies are compared with the repository.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// The policies whose choices are written; all of the namespace when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_selector: Option<LabelSelector>,
    /// The repository that is written to.
    pub source_ref: UpdateSourceReference,
    /// Stops updating.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// What is updated in the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = { "strategy": "Setters" }))]
    pub update: Option<UpdateStrategy>,
}

/// What is checked out, how it is committed, and where it is pushed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitSpec {
    /// What is checked out; what the repository's object says when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkout: Option<GitCheckout>,
    /// How it is committed.
    pub commit: CommitSpec,
    /// Where it is pushed; to the branch that was checked out when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<GitPush>,
}

/// What is checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCheckout {
    /// The branch, tag or commit.
    #[serde(rename = "ref")]
    pub reference: GitCheckoutReference,
}

/// How updates are committed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitSpec {
    /// Who commits.
    pub author: CommitAuthor,
    /// A template for the message; the controller's own when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub message_template: Option<String>,
    /// Values for the template.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub message_template_values: BTreeMap<String, String>,
    /// The key that commits are signed with; they are not signed when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signing_key: Option<SigningKey>,
}

/// Who commits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitAuthor {
    /// The address of the author.
    pub email: String,
    /// The name of the author.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
}

/// The key that commits are signed with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SigningKey {
    /// A Secret with the key, and perhaps its passphrase.
    pub secret_ref: LocalObjectReference,
    /// What the key is of; GPG when absent.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<SigningKeyType>,
}

words! {
    /// What a signing key is of.
    #[derive(Default)]
    pub enum SigningKeyType {
        /// OpenPGP.
        #[default]
        Gpg = "gpg",
        /// SSH.
        Ssh = "ssh",
    }
}

/// Where updates are pushed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitPush {
    /// The branch to push to; it is created when it does not exist.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub branch: Option<String>,
    /// Options that are sent along with the push.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// A refspec to push, besides or instead of the branch. It neither deletes nor forces.
    #[schemars(regex(pattern = "^$|^[^+:]"))]
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub refspec: Option<String>,
}

/// Names the repository that is written to, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSourceReference {
    /// The API version of the repository; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the repository.
    #[schemars(extend("default" = "GitRepository"))]
    pub kind: UpdateSourceKind,
    /// The name of the repository.
    pub name: String,
    /// The namespace of the repository; that of the automation when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

words! {
    /// A kind of repository that can be written to.
    #[derive(Default)]
    pub enum UpdateSourceKind {
        /// A Git repository.
        #[default]
        GitRepository = "GitRepository",
    }
}

/// What is updated in a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// The directory that is updated; all of the repository when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// How the fields to update are found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "Setters"))]
    pub strategy: Option<UpdateStrategyName>,
}

words! {
    /// How the fields to update are found.
    #[derive(Default)]
    pub enum UpdateStrategyName {
        /// By markers in comments.
        #[default]
        Setters = "Setters",
    }
}

/// What the controller last did for an automation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ImageUpdateAutomationStatus {
    /// What can be said about the automation.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// When the automation last ran, whether it pushed or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_automation_run_time: Option<Time>,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The commit that was pushed last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_push_commit: Option<String>,
    /// When a commit was pushed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_push_time: Option<Time>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The choices that were written last, by the name of the policy.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub observed_policies: BTreeMap<String, ImageRef>,
    /// The revision of the repository that was compared last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_source_revision: Option<String>,
}

toolkit_resource!(ImageUpdateAutomation);
