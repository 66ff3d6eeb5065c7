//! A TCP proxy that counts bytes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Forwards both directions to a server until dropped.
pub(in crate::bench) struct Wire {
    address: SocketAddr,
    bytes: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Wire {
    pub(in crate::bench) async fn to(server: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let bytes = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&bytes);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let counter = Arc::clone(&counter);
                tokio::spawn(async move {
                    if let Ok(server) = TcpStream::connect(server).await {
                        client.set_nodelay(true).ok();
                        server.set_nodelay(true).ok();
                        let (from, to) = client.into_split();
                        let (back, on) = server.into_split();
                        tokio::join!(copy(from, on, &counter), copy(back, to, &counter));
                    }
                });
            }
        });
        Ok(Self {
            address,
            bytes,
            task,
        })
    }

    pub(in crate::bench) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// Number of forwarded bytes.
    pub(in crate::bench) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An error of one side ends both.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    counter: &AtomicU64,
) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        counter.fetch_add(read as u64, Ordering::Relaxed);
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
    to.shutdown().await.ok();
}
