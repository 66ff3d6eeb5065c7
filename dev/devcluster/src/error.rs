//! Errors of a development cluster.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// An error of a tool's build, a process or a cluster.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error(transparent)]
    Files(#[from] sluice_system::fs::Error),
    /// A log, a lock or a secret could not be opened.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// The attempted action, as a verb.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Neither a cache directory nor a home directory is set.
    #[error("no place for built tools: set SLUICE_CACHE_DIR, XDG_CACHE_HOME or HOME")]
    NoCacheDirectory,
    /// A tool must be built, but Go cannot be started.
    #[error(
        "build {tool}: no usable `go` in PATH ({reason}): install Go 1.26 or newer, or point \
         KUBEBUILDER_ASSETS at a directory with prebuilt binaries"
    )]
    NoGo {
        /// The tool.
        tool: &'static str,
        /// The error of `go`.
        reason: String,
    },
    /// The Go toolchain failed.
    #[error("build {tool}: go ended with {status}:\n{output}")]
    Build {
        /// The tool.
        tool: &'static str,
        /// Exit status of `go`.
        status: ExitStatus,
        /// The end of its output.
        output: String,
    },
    /// A program could not be started.
    #[error("start {program}: {source}")]
    Spawn {
        /// Name of the program.
        program: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A required process ended.
    #[error("{program} ended with {status}; the end of {}:\n{tail}", log.display())]
    Ended {
        /// Name of the program.
        program: String,
        /// Exit status.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of that log.
        tail: String,
    },
    /// A process did not become ready.
    #[error("{program} not ready after {waited:?} ({last}); the end of {}:\n{tail}", log.display())]
    NotReady {
        /// Name of the program.
        program: String,
        /// The time that we waited.
        waited: Duration,
        /// The last answer to the readiness check.
        last: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of that log.
        tail: String,
    },
    /// All tried ports are taken.
    #[error("find a free port on {address}: {source}")]
    NoPort {
        /// The address.
        address: std::net::IpAddr,
        /// The error of the last attempt.
        source: std::io::Error,
    },
    /// One of our servers could not listen.
    #[error("{what} cannot listen on {address}: {source}")]
    Listen {
        /// The server.
        what: &'static str,
        /// The address.
        address: std::net::SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
    /// A key or certificate could not be created.
    #[error("make a certificate for {subject}: {source}")]
    Certificate {
        /// Common name.
        subject: String,
        /// The cause.
        source: rcgen::Error,
    },
    /// The API server rejected a request.
    #[error("{action}: {}", message_of(source))]
    Kubernetes {
        /// The attempted action.
        action: String,
        /// The cause.
        source: Box<kube::Error>,
    },
    /// A kubeconfig is not usable.
    #[error("use kubeconfig: {0}")]
    Kubeconfig(#[from] kube::config::KubeconfigError),
}

/// Formats an error of the client without the fields of a response.
fn message_of(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if status.message.is_empty() => status.reason.clone(),
        kube::Error::Api(status) => status.message.clone(),
        error => error.to_string(),
    }
}

impl Error {
    /// Whether a retry with other ports may succeed.
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
    fn rejection_shows_message_of_server() {
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
