//! TCP connections for SSH, directly or through a proxy.
//!
//! Like over HTTP(S), the proxy resolves the host name, because local DNS may differ. Parity: Flux
//! uses `spec.proxySecretRef` for SSH, too.

use std::io;
use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sluice_dial::Proxy;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, lookup_host};

use super::super::Deadline;
use crate::error::{Error, Phase, Result, printable};

/// Maximum bytes of a proxy's response.
const MAX_ANSWER: usize = 8192;

/// Connects to a host.
pub(crate) async fn connect(host: &str, port: u16, deadline: &Deadline) -> Result<TcpStream> {
    let failed = |phase, error: io::Error| deadline.network(phase, error.to_string());
    let addresses = deadline
        .run(Phase::Resolve, lookup_host((host, port)))
        .await?
        .map_err(|error| failed(Phase::Resolve, error))?;
    let addresses: Vec<_> = addresses.collect();
    deadline
        .run(Phase::Connect, TcpStream::connect(addresses.as_slice()))
        .await?
        .map_err(|error| failed(Phase::Connect, error))
}

/// Connects to a host through a proxy.
pub(crate) async fn connect_through(
    proxy: &Proxy,
    host: &str,
    port: u16,
    deadline: &Deadline,
) -> Result<TcpStream> {
    let address = proxy.address();
    let at = address.host_str().unwrap_or_default();
    let at = at.trim_start_matches('[').trim_end_matches(']');
    let socks = address.scheme().starts_with("socks5");
    let usual = if socks { 1080 } else { 80 };
    if address.scheme() == "https" {
        return Err(Error::InvalidCredentials {
            remote: deadline.remote.clone(),
            reason: format!(
                "the proxy {proxy} is of no use for SSH: its scheme must be http or socks5"
            ),
        });
    }
    let mut stream = connect(at, address.port().unwrap_or(usual), deadline).await?;
    let talk = async {
        if socks {
            socks5(&mut stream, proxy, host, port).await
        } else {
            tunnel(&mut stream, proxy, host, port).await
        }
    };
    let passed = deadline.run(Phase::Proxy, talk).await?;
    passed.map_err(|error| deadline.network(Phase::Proxy, format!("{proxy}: {error}")))?;
    Ok(stream)
}

fn refused(reason: impl Into<String>) -> io::Error {
    io::Error::other(reason.into())
}

/// Opens an HTTP `CONNECT` tunnel.
async fn tunnel(stream: &mut TcpStream, proxy: &Proxy, host: &str, port: u16) -> io::Result<()> {
    let host = if host.contains(':') {
        format!("[{host}]")
    } else {
        host.to_owned()
    };
    let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
    if let Some(basic) = proxy.credentials() {
        let pair = format!("{}:{}", basic.username, basic.password.expose());
        let encoded = BASE64_STANDARD.encode(pair);
        request.extend(["Proxy-Authorization: Basic ", &encoded, "\r\n"]);
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).await?;
    // Byte by byte, because data after the head belongs to the host.
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() >= MAX_ANSWER {
            return Err(refused("the answer does not end"));
        }
        answer.push(stream.read_u8().await?);
    }
    let line: &[u8] = answer
        .split(|byte| *byte == b'\r')
        .next()
        .unwrap_or_default();
    let status = line.split(|byte| *byte == b' ').nth(1);
    if !line.starts_with(b"HTTP/1.") || status.is_none_or(|status| !status.starts_with(b"2")) {
        return Err(refused(format!("answered '{}'", printable(line))));
    }
    Ok(())
}

/// Connects through SOCKS 5 (RFC 1928, RFC 1929).
async fn socks5(stream: &mut TcpStream, proxy: &Proxy, host: &str, port: u16) -> io::Result<()> {
    const VERSION: u8 = 5;
    const NO_METHOD: u8 = 0xff;
    let offered: &[u8] = if proxy.credentials().is_some() {
        &[0, 2]
    } else {
        &[0]
    };
    let count = u8::try_from(offered.len()).unwrap_or_default();
    stream
        .write_all(&[&[VERSION, count], offered].concat())
        .await?;
    let mut chosen = [0; 2];
    stream.read_exact(&mut chosen).await?;
    match (chosen, proxy.credentials()) {
        ([VERSION, 0], _) => {}
        ([VERSION, 2], Some(basic)) => {
            let mut request = vec![1];
            for text in [&basic.username, basic.password.expose()] {
                let length = u8::try_from(text.len())
                    .map_err(|_| refused("user name or password is too long"))?;
                request.push(length);
                request.extend_from_slice(text.as_bytes());
            }
            stream.write_all(&request).await?;
            let mut verdict = [0; 2];
            stream.read_exact(&mut verdict).await?;
            if verdict[1] != 0 {
                return Err(refused("it does not accept user name and password"));
            }
        }
        ([VERSION, NO_METHOD], _) => return Err(refused("it wants other credentials")),
        _ => return Err(refused("it does not speak SOCKS 5")),
    }
    let mut request = vec![VERSION, 1, 0];
    match host.parse() {
        Ok(IpAddr::V4(address)) => {
            request.push(1);
            request.extend_from_slice(&address.octets());
        }
        Ok(IpAddr::V6(address)) => {
            request.push(4);
            request.extend_from_slice(&address.octets());
        }
        Err(_) => {
            let length = u8::try_from(host.len()).map_err(|_| refused("the name is too long"))?;
            request.extend_from_slice(&[3, length]);
            request.extend_from_slice(host.as_bytes());
        }
    }
    request.extend_from_slice(&port.to_be_bytes());
    stream.write_all(&request).await?;
    let mut head = [0; 4];
    stream.read_exact(&mut head).await?;
    if head[0] != VERSION {
        return Err(refused("it does not speak SOCKS 5"));
    }
    if head[1] != 0 {
        let reason = match head[1] {
            2 => "not allowed",
            3 => "network unreachable",
            4 => "host unreachable",
            5 => "connection refused",
            6 => "timed out",
            _ => "general failure",
        };
        return Err(refused(format!("it does not let us through: {reason}")));
    }
    // The bound address, which is not needed.
    let length = match head[3] {
        1 => 4,
        4 => 16,
        3 => usize::from(stream.read_u8().await?),
        _ => return Err(refused("an address of an unknown kind")),
    };
    let mut rest = vec![0; length + 2];
    stream.read_exact(&mut rest).await?;
    Ok(())
}
