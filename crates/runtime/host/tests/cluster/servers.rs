//! The servers of the process.

use std::net::Ipv4Addr;

use sluice_host::HostError;
use sluice_testkit::devcluster::ports;
use sluice_testkit::{cluster, wait};

use crate::bed;

#[expect(
    clippy::disallowed_methods,
    reason = "the test acts as a probe, which has a plain client"
)]
async fn get(address: &str, path: &str) -> Result<(u16, String, String), sluice_dial::Error> {
    let client = sluice_dial::Client::builder().no_proxy().build()?;
    let answer = client.get(format!("http://{address}{path}")).send().await?;
    let kind = answer.headers().get("content-type").cloned();
    let kind = kind.and_then(|kind| kind.to_str().map(str::to_owned).ok());
    let status = answer.status().as_u16();
    Ok((status, kind.unwrap_or_default(), answer.text().await?))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_and_metrics_are_served_until_shutdown() {
    let testbed = cluster().await;
    let host = bed::host(testbed).await;
    let [health, metrics] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
    let (health, metrics) = (
        format!("127.0.0.1:{health}"),
        format!("127.0.0.1:{metrics}"),
    );
    let flags = bed::exactly(&[
        &format!("--health-addr={health}"),
        &format!("--metrics-addr={metrics}"),
    ]);
    host.serve(&flags).await.unwrap();

    for path in ["/healthz", "/readyz", "/healthz/ping", "/readyz/ping"] {
        let (status, _, text) = get(&health, path).await.unwrap();
        assert_eq!((status, text.as_str()), (200, "ok"), "{path}");
    }
    let (_, _, text) = get(&health, "/readyz?verbose").await.unwrap();
    assert_eq!(text, "[+]ping ok\nreadyz check passed\n");
    let (status, _, _) = get(&health, "/metrics").await.unwrap();
    assert_eq!(status, 404, "metrics have an address of their own");

    let (status, kind, text) = get(&metrics, "/metrics").await.unwrap();
    assert_eq!(
        (status, kind.as_str()),
        (200, "text/plain; version=0.0.4; charset=utf-8")
    );
    for name in [
        "process_cpu_seconds_total",
        "gotk_token_cached_items",
        "gotk_token_cache_evictions_total",
    ] {
        assert!(
            text.contains(&format!("\n{name} ")),
            "{name} is not in\n{text}"
        );
    }
    assert_eq!(get(&metrics, "/healthz").await.unwrap().0, 404);

    host.shutdown().cancel();
    wait::eventually("both addresses are closed", || async {
        match (
            get(&health, "/healthz").await,
            get(&metrics, "/metrics").await,
        ) {
            (Err(_), Err(_)) => Ok(()),
            answers => Err(format!("{answers:?}")),
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taken_address_names_its_server() {
    let testbed = cluster().await;
    let taken = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = taken.local_addr().unwrap();
    let flags = bed::exactly(&["--health-addr=0", &format!("--metrics-addr={address}")]);
    let error = bed::host(testbed).await.serve(&flags).await.unwrap_err();
    assert!(matches!(error, HostError::Serve(_)), "{error:?}");
    assert_eq!(
        error.to_string(),
        format!("cannot serve metrics on {address}")
    );
}
