//! An OCI registry: the reference implementation, empty, on loopback, without TLS.

use std::path::Path;

use sluice_devcluster::process::{Process, Program};
use sluice_devcluster::{Tool, ports};
use sluice_system::fs;
use tokio::net::TcpStream;

use crate::{testbed, wait};

/// A running registry; dropping it stops it and removes what was pushed.
#[derive(Debug)]
pub struct Registry {
    process: Process,
    _directory: tempfile::TempDir,
    host: String,
}

impl Registry {
    /// Starts an empty registry, building it first if it must be.
    pub async fn start() -> Self {
        let binary = testbed::toolbox()
            .path(Tool::Registry)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let directory = tempfile::tempdir().unwrap();
        let mut attempt = 0;
        loop {
            let [port] = ports::free(std::net::Ipv4Addr::LOCALHOST.into()).unwrap();
            let mut process = run(&binary, directory.path(), port);
            let listening = wait::eventually("the registry listens", || {
                let ended = process.check().map_err(|error| error.to_string());
                async move {
                    if ended.is_err() {
                        return Ok(ended);
                    }
                    TcpStream::connect(("127.0.0.1", port))
                        .await
                        .map(|_| Ok(()))
                        .map_err(|error| error.to_string())
                }
            })
            .await;
            match listening {
                Ok(()) => {
                    return Self {
                        process,
                        _directory: directory,
                        host: format!("127.0.0.1:{port}"),
                    };
                }
                Err(error) if attempt < 3 && error.contains("in use") => attempt += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// `host:port`, as it stands in an image's name.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The URL of a repository, as an `OCIRepository` names it.
    pub fn url(&self, repository: &str) -> String {
        format!("oci://{}/{repository}", self.host)
    }

    /// What it logged last.
    pub fn log(&self) -> String {
        self.process.log_tail()
    }
}

fn run(binary: &Path, directory: &Path, port: u16) -> Process {
    let storage = directory.join("storage");
    let config = format!(
        "version: 0.1
log:
  level: warn
storage:
  filesystem:
    rootdirectory: {}
  delete:
    enabled: true
http:
  addr: 127.0.0.1:{port}
",
        storage.display()
    );
    let path = directory.join("config.yml");
    fs::write(&path, config).unwrap();
    Program::new("registry", binary)
        .argument("serve")
        .argument(&path)
        .variable("OTEL_TRACES_EXPORTER", "none")
        .start(&directory.join("registry.log"))
        .unwrap_or_else(|error| panic!("{error}"))
}
