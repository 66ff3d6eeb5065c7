//! SSH through HTTP `CONNECT` and SOCKS 5 proxies, with and without credentials, and proxies that
//! refuse.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sluice_dial::{Basic, Dial, Proxy};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::http::branch;
use crate::server::client;
use crate::ssh::Sshd;

/// The requests to a proxy.
type RecordedRequest = Arc<Mutex<Vec<String>>>;

/// A proxy for one user, which resolves all names to this machine.
async fn proxy() -> (u16, RecordedRequest) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = RecordedRequest::default();
    let log = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&log)));
        }
    });
    (port, asked)
}

async fn serve(mut stream: TcpStream, asked: RecordedRequest) -> Option<()> {
    let mut first = [0];
    stream.peek(&mut first).await.ok()?;
    let port = if first[0] == 5 {
        socks(&mut stream, &asked).await?
    } else {
        connect(&mut stream, &asked).await?
    };
    let mut host = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    copy_bidirectional(&mut stream, &mut host)
        .await
        .ok()
        .map(drop)
}

async fn connect(stream: &mut TcpStream, asked: &RecordedRequest) -> Option<u16> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    asked.lock().unwrap().push(head.lines().next()?.to_owned());
    let wanted = format!(
        "Proxy-Authorization: Basic {}",
        BASE64_STANDARD.encode("me:secret")
    );
    if !head.contains(&wanted) {
        stream
            .write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            .await
            .ok()?;
        return None;
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
    head.split(' ').nth(1)?.rsplit(':').next()?.parse().ok()
}

async fn socks(stream: &mut TcpStream, asked: &RecordedRequest) -> Option<u16> {
    let mut greeting = [0; 2];
    stream.read_exact(&mut greeting).await.ok()?;
    let mut methods = vec![0; usize::from(greeting[1])];
    stream.read_exact(&mut methods).await.ok()?;
    if !methods.contains(&2) {
        stream.write_all(&[5, 0xff]).await.ok()?;
        return None;
    }
    stream.write_all(&[5, 2]).await.ok()?;
    stream.read_u8().await.ok()?;
    let mut texts = Vec::new();
    for _ in 0..2 {
        let mut text = vec![0; usize::from(stream.read_u8().await.ok()?)];
        stream.read_exact(&mut text).await.ok()?;
        texts.push(String::from_utf8(text).ok()?);
    }
    let right = texts == ["me", "secret"];
    stream.write_all(&[1, u8::from(!right)]).await.ok()?;
    if !right {
        return None;
    }
    let mut head = [0; 4];
    stream.read_exact(&mut head).await.ok()?;
    let host = if head[3] == 3 {
        let mut name = vec![0; usize::from(stream.read_u8().await.ok()?)];
        stream.read_exact(&mut name).await.ok()?;
        String::from_utf8(name).ok()?
    } else {
        let mut address = [0; 4];
        stream.read_exact(&mut address).await.ok()?;
        std::net::Ipv4Addr::from(address).to_string()
    };
    let port = stream.read_u16().await.ok()?;
    asked.lock().unwrap().push(format!("SOCKS {host}:{port}"));
    stream
        .write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
        .await
        .ok()?;
    Some(port)
}

#[tokio::test]
async fn ssh_proxy_resolves_host_name() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    sshd.repository("r.git");
    let (port, asked) = proxy().await;
    let right = || Some(Basic::new("me", "secret"));
    for (scheme, host) in [
        ("http", "git.invalid"),
        ("socks5", "git.invalid"),
        ("socks5", "127.0.0.1"),
    ] {
        let way_out = Proxy::new(&format!("{scheme}://127.0.0.1:{port}"), right()).unwrap();
        let remote = sshd.remote_as(host, "r.git").with_dial(Dial {
            proxy: Some(way_out),
            ..Dial::default()
        });
        client().resolve(&remote, &branch("main")).await.unwrap();
        let last = asked.lock().unwrap().pop().unwrap();
        assert!(last.contains(&format!("{host}:{}", sshd.port())), "{last}");
    }
}

#[tokio::test]
async fn refusing_proxy_is_named_without_secrets() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    sshd.repository("r.git");
    let (port, _) = proxy().await;
    let wrong = || Some(Basic::new("me", "canary"));
    for (scheme, credentials, said) in [
        ("http", wrong(), "407 Proxy Authentication Required"),
        ("http", None, "407 Proxy Authentication Required"),
        ("socks5", wrong(), "does not accept user name and password"),
        ("socks5", None, "wants other credentials"),
        ("https", None, "its scheme must be http or socks5"),
    ] {
        let way_out = Proxy::new(&format!("{scheme}://127.0.0.1:{port}"), credentials).unwrap();
        let remote = sshd.remote_as("git.invalid", "r.git").with_dial(Dial {
            proxy: Some(way_out),
            ..Dial::default()
        });
        let error = client()
            .resolve(&remote, &branch("main"))
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(said), "{scheme}: {error}");
        assert!(
            error.contains(&port.to_string()) && !error.contains("canary"),
            "{error}"
        );
    }
}
