//! A proxy for a plain HTTP server that acts at one request. It can take the host down, before or
//! after the host receives the request. It can also hold the request forever and notify the test.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Action at the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strike {
    /// Connections break, and new ones are refused.
    Down,
    /// Like `Down`, but the host receives the request and its response is lost.
    Mute,
    /// The request is not passed on, and the connection stays open.
    Hold,
    /// Like `Hold`, and the test kills the command.
    Kill,
}

#[derive(Debug)]
struct Shared {
    to: SocketAddr,
    /// The start of the request, and the action.
    aim: Mutex<Option<(String, Strike)>>,
    is_down: watch::Sender<bool>,
    struck: watch::Sender<bool>,
}

/// A running proxy that stops when dropped.
#[derive(Debug)]
pub(super) struct Gate {
    shared: Arc<Shared>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Gate {
    pub(super) async fn before(to: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            to,
            aim: Mutex::default(),
            is_down: watch::Sender::new(false),
            struck: watch::Sender::new(false),
        });
        let accepting = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&accepting);
                tokio::spawn(async move { shared.pass(stream).await });
            }
        });
        Self {
            shared,
            address,
            task,
        }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the action for the next request that starts like this, such as `POST
    /// /fleet.git/git-receive-pack`.
    pub(super) fn aim(&self, request: &str, strike: Strike) {
        *self.shared.aim.lock().unwrap() = Some((request.to_owned(), strike));
        self.shared.struck.send_replace(false);
    }

    /// Passes all requests again.
    pub(super) fn open(&self) {
        *self.shared.aim.lock().unwrap() = None;
        self.shared.is_down.send_replace(false);
    }

    /// Returns a signal that becomes true at the request.
    pub(super) fn struck(&self) -> watch::Receiver<bool> {
        self.shared.struck.subscribe()
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    async fn pass(&self, client: TcpStream) {
        let mut down = self.is_down.subscribe();
        if *down.borrow() {
            return;
        }
        tokio::select! {
            () = self.relay(client) => {}
            _ = down.wait_for(|is_down| *is_down) => {}
        }
    }

    async fn relay(&self, client: TcpStream) {
        let Ok(server) = TcpStream::connect(self.to).await else {
            return;
        };
        let (mut from_client, mut to_client) = client.into_split();
        let (mut from_server, mut to_server) = server.into_split();
        let is_mute = AtomicBool::new(false);
        let back = async {
            let mut bytes = vec![0; 1 << 16];
            loop {
                let count = from_server.read(&mut bytes).await.unwrap_or_default();
                if is_mute.load(Ordering::SeqCst) {
                    self.is_down.send_replace(true);
                    return;
                }
                if count == 0 || to_client.write_all(&bytes[..count]).await.is_err() {
                    return;
                }
            }
        };
        let forth = async {
            let mut bytes = vec![0; 1 << 16];
            loop {
                let count = from_client.read(&mut bytes).await.unwrap_or_default();
                if count == 0 {
                    return;
                }
                // Each read starts a request, because clients wait for a response before the next
                // one.
                match self.strikes(&bytes[..count]) {
                    None => {}
                    Some(Strike::Mute) => is_mute.store(true, Ordering::SeqCst),
                    Some(Strike::Hold | Strike::Kill) => std::future::pending().await,
                    Some(Strike::Down) => return,
                }
                if to_server.write_all(&bytes[..count]).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = back => {}
            () = forth => {}
        }
    }

    fn strikes(&self, bytes: &[u8]) -> Option<Strike> {
        let mut aim = self.aim.lock().unwrap();
        let (_, strike) = aim.take_if(|(request, _)| bytes.starts_with(request.as_bytes()))?;
        if strike == Strike::Down {
            self.is_down.send_replace(true);
        }
        self.struck.send_replace(true);
        Some(strike)
    }
}
