//! Decides which webhook calls are genuine, and which objects they reconcile.
//!
//! The steps of a call are [`admit`], [`verify()`], [`Filters::compile`] and [`targets`]. A
//! reconciler checks a Receiver with [`check()`] and publishes its path.
//!
//! Comparisons with secrets take constant time. An empty token is always rejected.
//!
//! Parity: notification-controller: `internal/server/receiver_*.go`.

mod call;
mod cdevents;
mod check;
mod filter;
mod google;
mod jwt;
mod oidc;
mod outcome;
mod payload;
mod signature;
mod storm;
mod target;
mod verify;

pub use call::{Call, CallStatus, admit};
pub use check::{SpecError, check};
pub use filter::{FilterError, Filters};
pub use jwt::{Claims, IssuerKeys, TokenError, verify_token};
pub use oidc::{KeySource, issuer_of};
pub use outcome::{Refusal, VerifiedCall};
pub use storm::{Effect, Storms};
pub use target::{Selection, Target, TargetError, patch, requested_at, targets};
pub use verify::verify;

#[cfg(test)]
mod tests;
