//! The test bed: a real API server, real and hostile counterparts on loopback, and instruments.
//!
//! | need | module |
//! |---|---|
//! | a control plane, shared by a process | [`cluster`], [`Testbed`] |
//! | waiting for a state | [`wait`] |
//! | requests as the API server saw them | [`audit`] |
//! | reference servers | [`git_backend`], [`Registry`], [`Vault`], [`Gitea`] |
//! | fakes and misbehaving servers | [`FakeForge`], [`FakeCloud`], [`hostile`] |
//! | receivers and sources | [`EventSink`], [`ArtifactServer`], [`ChartServer`] |
//! | our binary as a child process | [`Sluice`] |
//! | references for builds and controllers | [`kustomize`], [`Reference`] |
//! | faults between client and API server | [`faults`] |
//! | a kill before any change of a file | [`traced_program`] |
//! | comparison of two runs | [`recorder`], [`outcome`], [`expected_differences`] |
//! | leaked secrets | [`canary`] |
//! | the reach of each reference | [`lockdown`] |
//!
//! It is a dev-dependency only. A failed claim panics with the expected and the actual state.
//!
//! Start at [`cluster`].
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

pub mod archive;
mod artifact_server;
pub mod audit;
pub mod canary;
pub mod chart_server;
mod cloud;
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
mod life;
pub mod lockdown;
mod nats_server;
pub mod node;
mod object_store;
pub mod outcome;
mod polls;
mod port;
pub mod recorder;
mod reference;
mod registry;
pub mod scenarios;
mod sluice;
mod testbed;
pub mod traced_program;
mod vault;
pub mod wait;

pub use artifact_server::ArtifactServer;
pub use chart_server::ChartServer;
pub use cloud::{CloudAnswer, CloudRequest, FakeBuckets, FakeCloud};
pub use disk::Disk;
pub use event_sink::EventSink;
pub use faults::{
    Call, EventCount, Fault, FaultProxy, Kill, WatchFault, When, sample_kills, sample_run,
};
pub use forges::FakeForge;
pub use git_backend::{GitBackend, SshAgent, SshServer};
pub use gitea::Gitea;
pub use image::Image;
pub use life::Life;
pub use nats_server::NatsServer;
pub use object_store::ObjectStore;
pub use port::port;
pub use recorder::{RecordedParts, Recorder, Recording};
pub use reference::Reference;
pub use registry::{Registry, RegistryOptions};
pub use sluice::{Running, Sluice};
pub use testbed::{Bed, Testbed, cluster, tool};
pub use traced_program::TracedProgram;
pub use vault::Vault;

/// The client that tests set up and read objects with. The product's code uses `sluice_client`.
pub use kube;

/// Parts of the development cluster that tests start by themselves.
pub use sluice_devcluster as devcluster;
