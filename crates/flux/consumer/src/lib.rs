//! Shared parts of controllers that work on the artifact of a source.
//!
//! - [`ImpersonatedAccount`]: the service account of an object.
//! - [`source`]: looks a source up, in a watch or at the API server.
//! - [`dependency`]: waits for the objects of `spec.dependsOn`, and finds cycles.
//! - [`waiting`]: the objects that wait for a dependency, and what they wait for.
//! - [`artifacts`]: downloads the artifact, without a worker while it retries.
//!
//! A controller implements [`Dependent`] for its kind, and keeps its own plan.

mod account;
mod args;
pub mod artifacts;
pub mod dependency;
mod kinds;
pub mod read;
pub mod source;
pub mod waiting;

pub use account::{ImpersonatedAccount, InvalidAccount};
pub use args::DownloadArgs;
pub use artifacts::{ArtifactFetcher, FetchOptions};
pub use dependency::{DependencyLookup, Dependent, Expressions};
pub use kinds::source_key;
pub use read::{ReadError, is_account_missing, read};
pub use source::{Source, SourceLookup, SourceReader};
pub use waiting::{UnmetDependency, WaitingObjects};
