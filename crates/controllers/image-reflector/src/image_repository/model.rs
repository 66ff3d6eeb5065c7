//! The data of a run of an `ImageRepository`: its steps, and their results.

use jiff::Timestamp;
use sluice_api::image::ScanResult;
use sluice_engine::ready::Fault;
use sluice_images::scan::{ScanReason, ScannedTags, Suspicion};

use super::spec::Spec;
use crate::registry::Connection;

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Remove the tags of an object in deletion.
    Remove,
    /// Read the Secrets of the registry and wait for a permit.
    Connect {
        /// Whether the registry is needed.
        is_scan_due: bool,
    },
    /// List the tags.
    List {
        /// The reason of the scan.
        reason: ScanReason,
    },
    /// List the tags again, because most of them are gone.
    Confirm {
        /// The reason of the second listing.
        suspicion: Suspicion,
    },
    /// Store the tags.
    Store,
}

/// The results of the steps so far.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) spec: Result<Spec, Fault>,
    /// The start of the run.
    pub(super) now: Timestamp,
    /// Number of tags from which on a scan warns. Zero never warns.
    pub(super) tag_count_warning: usize,
    /// Whether an edit or a request caused the run.
    pub(super) is_prompt: bool,
    /// Whether the store has tags of the object.
    pub(super) has_tags: bool,
    /// Whether the Secrets of the registry are usable.
    pub(super) is_configured: bool,
    /// Access to the registry, if a scan is due.
    pub(super) connection: Option<Connection>,
    /// The reason of the scan.
    pub(super) scan_reason: Option<ScanReason>,
    /// The listed tags.
    pub(super) listing: Option<Listing>,
    /// The result of the scan, once the tags are stored.
    pub(super) scanned: Option<ScanRecord>,
    /// Whether the tags of an object in deletion are removed.
    pub(super) is_removed: bool,
}

/// The tags of a registry.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) tags: ScannedTags,
    /// Why the tags are listed again before they are stored.
    pub(super) suspicion: Option<Suspicion>,
}

/// A finished scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScanRecord {
    pub(super) result: ScanResult,
    /// Number of tags that cannot be stored.
    pub(super) rejected: usize,
}
