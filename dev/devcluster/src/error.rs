//! Everything that can go wrong while a development cluster comes up or goes down.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a tool could not be had, a process not be started, or a cluster did not become ready.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error(transparent)]
    Files(#[from] sluice_system::fs::Error),
    /// A log, a lock or a secret could not be opened.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// What was attempted, as a verb.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// There is neither a cache directory nor a home to put one in.
    #[error("no place for built tools: set SLUICE_CACHE_DIR, XDG_CACHE_HOME or HOME")]
    NoCacheDirectory,
    /// A tool has to be built, and there is no Go to build it with.
    #[error(
        "build {tool}: no usable `go` in PATH ({reason}): install Go 1.26 or newer, or point \
         KUBEBUILDER_ASSETS at a directory with prebuilt binaries"
    )]
    NoGo {
        /// The binary that was wanted.
        tool: &'static str,
        /// What happened when `go` was tried.
        reason: String,
    },
    /// The Go toolchain was there and said no.
    #[error("build {tool}: go ended with {status}:\n{output}")]
    Build {
        /// The binary that was wanted.
        tool: &'static str,
        /// How `go` ended.
        status: ExitStatus,
        /// The end of what it printed.
        output: String,
    },
    /// A program could not be started at all.
    #[error("start {program}: {source}")]
    Spawn {
        /// Name of the program.
        program: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A process ended while it was needed.
    #[error("{program} ended with {status}; the end of {}:\n{tail}", log.display())]
    Ended {
        /// Name of the program.
        program: String,
        /// How it ended.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of that log.
        tail: String,
    },
    /// A process runs and does not become ready.
    #[error("{program} not ready after {waited:?} ({last}); the end of {}:\n{tail}", log.display())]
    NotReady {
        /// Name of the program.
        program: String,
        /// How long we waited.
        waited: Duration,
        /// The last answer to the question whether it is ready.
        last: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of that log.
        tail: String,
    },
    /// No port could be found that nobody listens on.
    #[error("find a free port on {address}: {source}")]
    NoPort {
        /// Where a port was wanted.
        address: std::net::IpAddr,
        /// Why the last one tried could not be had.
        source: std::io::Error,
    },
    /// A server of ours could not listen.
    #[error("{what} cannot listen on {address}: {source}")]
    Listen {
        /// Which server.
        what: &'static str,
        /// Where.
        address: std::net::SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// A key or certificate could not be made.
    #[error("make a certificate for {subject}: {source}")]
    Certificate {
        /// Common name.
        subject: String,
        /// Why it failed.
        source: rcgen::Error,
    },
    /// The cluster is up and refused what we need from it.
    #[error("{action}: {}", said(source))]
    Kubernetes {
        /// What was attempted.
        action: String,
        /// Why it failed.
        source: Box<kube::Error>,
    },
    /// A kubeconfig of ours could not be used.
    #[error("use kubeconfig: {0}")]
    Kubeconfig(#[from] kube::config::KubeconfigError),
}

/// What the library says, without the fields of an answer that it would print as well.
fn said(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if status.message.is_empty() => status.reason.clone(),
        kube::Error::Api(status) => status.message.clone(),
        error => error.to_string(),
    }
}

impl Error {
    /// Whether another attempt with other ports may succeed.
    pub(crate) fn is_port_taken(&self) -> bool {
        match self {
            Self::Ended { tail, .. } | Self::NotReady { tail, .. } => {
                tail.contains("address already in use")
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_answered_is_told_in_its_words_alone() {
        let told = |message: &str| {
            let status = kube::core::Status::failure(message, "Forbidden").with_code(403);
            let error = Error::Kubernetes {
                action: "create the fake node".to_owned(),
                source: Box::new(kube::Error::Api(Box::new(status))),
            };
            error.to_string()
        };
        assert_eq!(
            told("nodes is forbidden"),
            "create the fake node: nodes is forbidden"
        );
        assert_eq!(told(""), "create the fake node: Forbidden");
    }
}
