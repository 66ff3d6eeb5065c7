//! What a process serves to its cluster: liveness and readiness on one address,
//! metrics on another.
//!
//! Both probes answer as soon as the server listens, leader or not, as Flux's do: a
//! standby that were not ready would block its own rollout. Readiness is lost while a
//! watch that panicked has not caught up.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::args::{SharedArgs, listen_address};
use crate::host::{Host, HostError};
use crate::metrics::Metrics;

/// The text exposition format, as Prometheus' own clients announce it.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A server that could not listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve {what} on {address}")]
pub struct ServeError {
    what: &'static str,
    address: SocketAddr,
    source: std::io::Error,
}

/// Starts both servers. They end when the host shuts down.
pub(crate) async fn start(host: &Host, shared: &SharedArgs) -> Result<(), HostError> {
    if let Some(address) = listen_address("health-addr", &shared.health_addr)? {
        serve(host, "health", address, health(host.clone())).await?;
    }
    if let Some(address) = listen_address("metrics-addr", &shared.metrics_addr)? {
        serve(host, "metrics", address, metrics(host.metrics().clone())).await?;
    }
    Ok(())
}

/// Listens on an address. Every interface is those of both families; where the kernel has no IPv6,
/// those of IPv4.
pub async fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Err(error)
            if address.ip() == Ipv6Addr::UNSPECIFIED
                && error.kind() != std::io::ErrorKind::AddrInUse =>
        {
            let fallback = SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port()));
            TcpListener::bind(fallback).await.map_err(|_| error)
        }
        result => result,
    }
}

async fn serve(
    host: &Host,
    what: &'static str,
    address: SocketAddr,
    router: Router,
) -> Result<(), ServeError> {
    let failed = |source| ServeError {
        what,
        address,
        source,
    };
    let listener = listen(address).await.map_err(failed)?;
    let stop = host.shutdown().clone();
    drop(tokio::spawn(async move {
        let server = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned());
        if let Err(error) = server.await {
            tracing::error!(error = %error, "{what} server ended");
        }
    }));
    Ok(())
}

type Wishes = Query<Vec<(String, String)>>;

fn health(host: Host) -> Router {
    let ready = async |State(host): State<Host>, Query(query): Wishes| {
        probe("readyz", &query, &host.broken_watches())
    };
    Router::new()
        .route(
            "/healthz",
            get(async |Query(query): Wishes| probe("healthz", &query, &[])),
        )
        .route("/healthz/ping", get(async || "ok"))
        .route("/readyz", get(ready))
        .route("/readyz/ping", get(async || "ok"))
        .with_state(host)
}

/// The answer of a probe, in controller-runtime's words.
fn probe(name: &str, query: &[(String, String)], broken: &[String]) -> (StatusCode, String) {
    if !broken.is_empty() {
        let lines = broken
            .iter()
            .map(|kind| format!("[-]watch-{} failed: reason withheld", kind.to_lowercase()))
            .chain([format!("{name} check failed\n")]);
        let text = std::iter::once("[+]ping ok".to_owned()).chain(lines);
        let text = text.collect::<Vec<_>>().join("\n");
        return (StatusCode::INTERNAL_SERVER_ERROR, text);
    }
    let text = if query.iter().any(|(key, _)| key == "verbose") {
        format!("[+]ping ok\n{name} check passed\n")
    } else {
        "ok".to_owned()
    };
    (StatusCode::OK, text)
}

fn metrics(metrics: Metrics) -> Router {
    async fn text(State(metrics): State<Metrics>) -> impl IntoResponse {
        ([(CONTENT_TYPE, EXPOSITION)], metrics.text())
    }
    Router::new()
        .route("/metrics", get(text))
        .with_state(metrics)
}

/// Resolves when the process is asked to stop.
pub(crate) async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => {
                let _closed = terminated.recv().await;
            }
            Err(error) => {
                tracing::error!(error = %error, "SIGTERM cannot be handled");
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        () = terminated => {}
        // An error means that nobody will ever interrupt us this way.
        Ok(()) = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_interface_is_those_of_both_families() {
        let listener = listen("[::]:0".parse().unwrap()).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            .await
            .unwrap();
        // Where the kernel has no IPv6, nobody comes that way.
        if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await.is_ok() {
            tokio::net::TcpStream::connect((Ipv6Addr::LOCALHOST, port))
                .await
                .unwrap();
        }
        let taken = listen(listener.local_addr().unwrap()).await.unwrap_err();
        assert_eq!(taken.kind(), std::io::ErrorKind::AddrInUse);
    }

    #[test]
    fn a_probe_says_what_failed_and_else_as_little_as_it_may() {
        let verbose = [("verbose".to_owned(), String::new())];
        assert_eq!(probe("readyz", &[], &[]), (StatusCode::OK, "ok".to_owned()));
        assert_eq!(
            probe("healthz", &verbose, &[]),
            (
                StatusCode::OK,
                "[+]ping ok\nhealthz check passed\n".to_owned()
            )
        );
        let (status, text) = probe("readyz", &[], &["GitRepository".to_owned()]);
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(
            text,
            "[+]ping ok\n[-]watch-gitrepository failed: reason withheld\nreadyz check failed\n"
        );
    }
}
