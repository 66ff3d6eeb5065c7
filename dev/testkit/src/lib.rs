//! The test bed: a real API server and real counterparts on loopback, and instruments.
//!
//! Owns what tests share: one control plane per test process ([`cluster`]), waiting for a state of
//! the world ([`wait`]), what the API server saw ([`audit`]), the reference servers
//! ([`git_backend`], [`Registry`], [`Vault`]) and their [`hostile`] likes, fakes of Git hosts with their APIs
//! ([`FakeForge`]) and one of them in person ([`Gitea`]), a sink for Flux's events
//! ([`EventSink`]), a server of artifacts ([`ArtifactServer`]), our own binary as a child ([`Sluice`]), the references for builds
//! ([`kustomize`]) and for controllers ([`Reference`]); and the instruments: a proxy that spoils any call ([`faults`]), a process that
//! dies before any change of a file ([`traced_program`]), comparisons of two runs of one scenario
//! ([`recorder`]; of kustomize-controller and its reference, [`outcome`] and [`expected_differences`]), and a listener that notices when a secret is told ([`canary`]).
//!
//! Refuses to be part of the product: it is a dev-dependency only. It fails a test by panicking with
//! what was expected and what was found instead, so that a test reads as a list of claims.
//!
//! Start at [`cluster`].
#![expect(
    clippy::panic,
    reason = "a test kit says that a claim does not hold by panicking"
)]
#![expect(
    clippy::unwrap_used,
    reason = "what cannot be set up fails the test that needs it"
)]

pub mod archive;
mod artifact_server;
pub mod audit;
pub mod canary;
mod disk;
mod event_sink;
pub mod expected_differences;
pub mod faults;
pub mod forges;
pub mod git_backend;
mod gitea;
pub mod hostile;
mod image;
pub mod kustomize;
pub mod node;
pub mod outcome;
pub mod recorder;
mod reference;
mod registry;
mod sluice;
mod testbed;
pub mod traced_program;
mod vault;
pub mod wait;

pub use artifact_server::ArtifactServer;
pub use disk::Disk;
pub use event_sink::EventSink;
pub use faults::{Call, EventCount, Fault, FaultProxy, WatchFault, When};
pub use forges::FakeForge;
pub use git_backend::{GitBackend, SshAgent, SshServer};
pub use gitea::Gitea;
pub use image::Image;
pub use recorder::{RecordedParts, Recorder, Recording};
pub use reference::Reference;
pub use registry::{Registry, RegistryOptions};
pub use sluice::{Running, Sluice};
pub use testbed::{Bed, Testbed, cluster, tool};
pub use traced_program::TracedProgram;
pub use vault::Vault;

/// Parts of the development cluster that tests start by themselves.
pub use sluice_devcluster as devcluster;
