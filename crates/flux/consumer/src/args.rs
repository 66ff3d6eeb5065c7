//! The flags of controllers that download artifacts, as Flux spells them.

use crate::artifacts::FetchOptions;

/// The flags of artifact downloads.
#[derive(Debug, Clone, clap::Args)]
pub struct DownloadArgs {
    /// Number of retries of a failed artifact download
    #[arg(long, default_value_t = 9, value_name = "NUMBER")]
    pub http_retry: u32,

    /// Replace the host of artifact URLs, as HOST:PORT
    #[arg(
        long,
        env = "SOURCE_CONTROLLER_LOCALHOST",
        default_value = "",
        hide = true
    )]
    pub source_controller_localhost: String,

    /// Replace the host of source-watcher artifact URLs, as HOST:PORT
    #[arg(
        long,
        env = "SOURCE_WATCHER_LOCALHOST",
        default_value = "",
        hide = true
    )]
    pub source_watcher_localhost: String,
}

impl DownloadArgs {
    /// Settings of artifact downloads. The servers see the name of the controller.
    pub fn options(&self, controller: &str) -> FetchOptions {
        FetchOptions {
            user_agent: format!("{controller}/{}", env!("CARGO_PKG_VERSION")),
            attempts: self.http_retry,
            source_controller: self.source_controller_localhost.clone(),
            source_watcher: self.source_watcher_localhost.clone(),
        }
    }
}
