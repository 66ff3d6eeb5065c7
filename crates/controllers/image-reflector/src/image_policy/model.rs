//! The data of a run of an `ImagePolicy`: its steps, and their results.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::image::{ImageRef, ImageRepository};
use sluice_engine::ready::Fault;
use sluice_images::image::ImageName;
use sluice_images::policy::SelectionError;

use super::spec::Spec;

/// One step of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Select a tag from the store.
    Select,
    /// Wait until the store may have tags.
    AwaitTags {
        /// Maximum wait.
        delay: Duration,
    },
    /// Ask the registry for the digest of a tag.
    FetchDigest {
        /// The image without its digest.
        image: ImageRef,
    },
}

/// The results of the steps so far.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) spec: Result<Spec, Fault>,
    pub(super) repository: Result<Repository, Fault>,
    /// Whether an edit or a request caused the run.
    pub(super) is_prompt: bool,
    /// Requeue interval for a repository without tags.
    pub(super) requeue_dependency: Duration,
    /// Number of waits for tags.
    pub(super) attempts: usize,
    /// The selection, unless the last one found an empty store.
    pub(super) selection: Option<Selection>,
    /// The image with its digest.
    pub(super) fetched: Option<ImageRef>,
}

/// The repository of a policy.
#[derive(Debug, Clone)]
pub(super) struct Repository {
    pub(super) object: Arc<ImageRepository>,
    pub(super) image: ImageName,
    /// The time limit of requests.
    pub(super) timeout: Duration,
}

/// The result of a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    /// The store has no tags.
    NoTags,
    /// The latest tag, or why there is none.
    Latest(Result<String, SelectionError>),
    /// The previous tag stays, because it is later by the rule than the latest listed one.
    Kept {
        /// The previous tag.
        tag: String,
        /// The latest listed tag.
        listed: String,
    },
}
