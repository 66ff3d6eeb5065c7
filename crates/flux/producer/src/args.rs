//! The flags of controllers that publish artifacts, as Flux spells them.

use std::path::PathBuf;
use std::time::Duration;

use sluice_artifact::FileError;
use sluice_artifact::server::Listing;
use sluice_artifact::storage::{Options, Retention, Storage};
use sluice_digest::Algorithm;
use sluice_host::args::{BooleanFlag as _, parse_duration};

use crate::server::advertised_address;

/// The flags of the storage and its file server.
#[derive(Debug, Clone, clap::Args)]
pub struct StorageArgs {
    /// Directory to store artifacts in
    #[arg(
        long,
        env = "STORAGE_PATH",
        default_value = "/data",
        value_name = "DIR"
    )]
    pub storage_path: PathBuf,

    /// Address to serve artifacts on
    #[arg(
        long,
        env = "STORAGE_ADDRESS",
        default_value = ":9090",
        value_name = "ADDRESS"
    )]
    pub storage_addr: String,

    /// Address in artifact URLs [default: the listen address]
    #[arg(
        long,
        env = "STORAGE_ADV_ADDR",
        default_value = "",
        value_name = "ADDRESS"
    )]
    pub storage_adv_addr: String,

    /// Serve listings of artifact directories
    #[arg(long, switch = false)]
    pub storage_list_dirs: bool,

    /// Time to keep outdated artifacts
    #[arg(long, default_value = "1m0s", value_parser = parse_duration, value_name = "DURATION")]
    pub artifact_retention_ttl: Duration,

    /// Number of artifacts to keep per object
    #[arg(long, default_value_t = 2, value_name = "NUMBER")]
    pub artifact_retention_records: usize,

    /// Digest algorithm: sha256, sha384, sha512, blake3 or sha1
    #[arg(long, default_value = "sha256", value_name = "ALGORITHM")]
    pub artifact_digest_algo: Algorithm,
}

impl StorageArgs {
    /// Opens the storage.
    pub fn open(&self) -> Result<Storage, FileError> {
        Storage::open(Options {
            root: self.storage_path.clone(),
            address: advertised_address(&self.storage_adv_addr, &self.storage_addr),
            algorithm: self.artifact_digest_algo,
            retention: Retention {
                ttl: self.artifact_retention_ttl,
                records: self.artifact_retention_records,
            },
        })
    }

    /// Whether requests for directories are answered.
    pub fn listing(&self) -> Listing {
        if self.storage_list_dirs {
            Listing::On
        } else {
            Listing::Off
        }
    }
}
