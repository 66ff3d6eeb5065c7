//! A real NATS server on loopback.

use serde_json::Value;
use sluice_devcluster::Tool;
use sluice_devcluster::process::{Process, Program};
use sluice_system::fs;

use crate::{testbed, wait};

/// A running server; dropping it stops it.
#[derive(Debug)]
pub struct NatsServer {
    _process: Process,
    _directory: tempfile::TempDir,
    address: String,
}

impl NatsServer {
    /// Starts a server with these files, and with these lines of configuration. `{files}` is the
    /// directory of the files.
    pub async fn start(files: &[(&str, &str)], configuration: &str) -> Self {
        let binary = testbed::tool(Tool::NatsServer).await;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        for (name, content) in files {
            fs::write(path.join(name), content).unwrap();
        }
        let place = path.to_str().unwrap();
        // The server chooses a port, and writes it to a file.
        let configuration = format!(
            "listen: \"127.0.0.1:-1\"\nports_file_dir: \"{place}\"\n{}",
            configuration.replace("{files}", place)
        );
        fs::write(path.join("server.conf"), configuration).unwrap();
        let mut process = Program::new("nats-server", binary)
            .argument("-c")
            .argument(path.join("server.conf"))
            .start(&path.join("nats.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        let address = wait::eventually("the NATS server says where it listens", || {
            process.check().unwrap_or_else(|error| panic!("{error}"));
            let address = address(path);
            async move { address }
        })
        .await;
        Self {
            _process: process,
            _directory: directory,
            address,
        }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Reads the address from the file that the server writes.
fn address(directory: &std::path::Path) -> Result<String, String> {
    let entries = fs::read_dir(directory).map_err(|error| error.to_string())?;
    let mut paths = entries.into_iter().map(|entry| entry.path);
    let file = paths
        .find(|path| path.extension().is_some_and(|it| it == "ports"))
        .ok_or("no file with ports")?;
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let ports: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let url = ports["nats"][0].as_str().ok_or("no port of clients")?;
    let address = url.rsplit_once("://").map_or(url, |(_, address)| address);
    Ok(address.to_owned())
}
