//! The servers of the process: liveness and readiness on one address, metrics on another.
//!
//! Both probes succeed as soon as the server listens, also without the lease, as in Flux: an
//! unready standby would block its own rollout. The process is unready while a watch that panicked
//! has not caught up.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use sluice_engine::{Informers, Metrics};
use sluice_system::{spawn, timed};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The text exposition format of Prometheus.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A server that could not listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve {name} on {address}")]
pub struct ServeError {
    name: &'static str,
    address: SocketAddr,
    source: std::io::Error,
}

/// Listens on an address. `[::]` is every interface of both families, and of IPv4 alone where the
/// kernel lacks IPv6.
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

/// Serves the probes until `stop` is cancelled.
pub(crate) async fn serve_health(
    address: SocketAddr,
    informers: Informers,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let ready = async |State(informers): State<Informers>, Query(query): Parameters| {
        probe("readyz", &query, &informers.broken_kinds())
    };
    let router = Router::new()
        .route(
            "/healthz",
            get(async |Query(query): Parameters| probe("healthz", &query, &[])),
        )
        .route("/healthz/ping", get(async || "ok"))
        .route("/readyz", get(ready))
        .route("/readyz/ping", get(async || "ok"))
        .with_state(informers);
    serve("health", address, router, stop).await
}

/// Serves `/metrics` until `stop` is cancelled.
pub(crate) async fn serve_metrics(
    address: SocketAddr,
    metrics: Metrics,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    async fn text(State(metrics): State<Metrics>) -> impl IntoResponse {
        let text = timed(async move { metrics.text() }).await;
        ([(CONTENT_TYPE, EXPOSITION)], text)
    }
    let router = Router::new()
        .route("/metrics", get(text))
        .with_state(metrics);
    serve("metrics", address, router, stop).await
}

async fn serve(
    name: &'static str,
    address: SocketAddr,
    router: Router,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let listener = listen(address).await.map_err(|source| ServeError {
        name,
        address,
        source,
    })?;
    drop(spawn(async move {
        let server = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned());
        if let Err(error) = server.await {
            tracing::error!(error = %error, "{name} server ended");
        }
    }));
    Ok(())
}

/// The query parameters of a request.
type Parameters = Query<Vec<(String, String)>>;

/// The response to a probe, in the format of controller-runtime.
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

/// Resolves on SIGTERM or SIGINT.
pub(crate) async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => {
                let _closed = terminated.recv().await;
            }
            Err(error) => {
                tracing::error!(error = %error, "failed to handle SIGTERM");
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        () = terminated => {}
        // An error means that SIGINT cannot be handled.
        Ok(()) = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn unspecified_address_listens_on_both_families() {
        let listener = listen("[::]:0".parse().unwrap()).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            .await
            .unwrap();
        // The kernel may lack IPv6.
        if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await.is_ok() {
            tokio::net::TcpStream::connect((Ipv6Addr::LOCALHOST, port))
                .await
                .unwrap();
        }
        let taken = listen(listener.local_addr().unwrap()).await.unwrap_err();
        assert_eq!(taken.kind(), std::io::ErrorKind::AddrInUse);
    }

    #[test]
    fn probe_names_failed_watches() {
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
