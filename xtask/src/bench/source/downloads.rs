//! Parallel downloads of one artifact.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::TryStreamExt as _;
use futures::stream::FuturesUnordered;
use serde_json::{Value, json};
use sluice_client::Cluster;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, ToSocketAddrs};

use super::Args;
use super::large::NAME;
use crate::bench::cluster::{NAMESPACE, source_kind};
use crate::bench::controller::SourceController;

/// Read size: a download is counted and not stored.
const CHUNK: usize = 256 << 10;

pub(super) struct Downloads {
    count: usize,
    took: Duration,
    bytes: u64,
    anonymous_mib: f64,
}

impl Downloads {
    pub(super) fn to_value(&self) -> Value {
        json!({
            "count": self.count,
            "seconds": self.took.as_secs_f64(),
            "bytes": self.bytes,
            "anonymousMiB": self.anonymous_mib,
        })
    }
}

impl fmt::Display for Downloads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} downloads at once: {:.1} s, {} MiB, {:.0} MiB of anonymous memory at the end",
            self.count,
            self.took.as_secs_f64(),
            self.bytes >> 20,
            self.anonymous_mib,
        )
    }
}

/// Downloads the artifact of the large repository.
pub(super) async fn measure(
    args: &Args,
    cluster: &Cluster,
    controller: &SourceController,
) -> anyhow::Result<Downloads> {
    let object = cluster.get(&source_kind(), Some(NAMESPACE), NAME).await?;
    let object = object.context("the large source is gone")?;
    let url = object["status"]["artifact"]["url"].as_str();
    let url: http::Uri = url.context("it has no artifact")?.parse()?;
    let host = url.host().context("its URL names no host")?;
    let address = (host, url.port_u16().unwrap_or(80));
    let began = Instant::now();
    let downloads: FuturesUnordered<_> = (0..args.downloads)
        .map(|_| async {
            let mut answer = ask(address, url.path()).await?;
            let mut buffer = vec![0; CHUNK];
            let mut bytes = 0;
            loop {
                match answer.read(&mut buffer).await? {
                    0 => return Ok::<u64, anyhow::Error>(bytes),
                    read => bytes += read as u64,
                }
            }
        })
        .collect();
    let (count, bytes) = downloads
        .try_fold((0, 0), |(count, sum), bytes| async move {
            Ok((count + 1, sum + bytes))
        })
        .await?;
    Ok(Downloads {
        count,
        took: began.elapsed(),
        bytes,
        anonymous_mib: controller.process.anonymous_mib()?,
    })
}

async fn ask(address: impl ToSocketAddrs, path: &str) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    // HTTP/1.0, so that the response ends with the connection.
    let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    Ok(stream)
}
