//! Tests of clients on the wire: trust, redirects, proxies, limits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sluice_dial::{
    Basic, ClientCertificate, Dial, HttpClients, Proxy, Reach, Redirects, Tls, explain, read_body,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{self, ServerConfig};

type RecordedRequests = Arc<Mutex<Vec<(String, HeaderMap)>>>;

/// Starts a plain HTTP server. Returns its address and the received requests.
async fn plain(
    answer: impl Fn(&str) -> Response + Clone + Send + Sync + 'static,
) -> (String, RecordedRequests) {
    let seen = RecordedRequests::default();
    let log = seen.clone();
    let router = Router::new().fallback(move |request: Request| {
        let (answer, log) = (answer.clone(), log.clone());
        async move {
            let target = request.uri().to_string();
            log.lock()
                .unwrap()
                .push((target.clone(), request.headers().clone()));
            answer(&target)
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, seen)
}

fn redirect(to: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to.to_owned())]).into_response()
}

fn provider() {
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
}

/// Starts a TLS server on localhost that responds `ok`. Returns its port and CA certificate.
async fn tls(require_certificate: Option<&str>) -> (u16, String) {
    provider();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let builder = match require_certificate {
        None => ServerConfig::builder().with_no_client_auth(),
        Some(pem) => {
            let mut roots = rustls::RootCertStore::empty();
            let certificate = <rustls::pki_types::CertificateDer<'_> as rustls::pki_types::pem::PemObject>::from_pem_slice(pem.as_bytes()).unwrap();
            roots.add(certificate).unwrap();
            let verifier = rustls::server::WebPkiClientVerifier::builder(Arc::new(roots))
                .build()
                .unwrap();
            ServerConfig::builder().with_client_cert_verifier(verifier)
        }
    };
    let config = builder
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    return;
                };
                let mut request = [0_u8; 1024];
                let _read = tokio::io::AsyncReadExt::read(&mut stream, &mut request).await;
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";
                let _written = tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await;
                let _closed = tokio::io::AsyncWriteExt::shutdown(&mut stream).await;
            });
        }
    });
    (port, made.cert.pem())
}

#[tokio::test]
async fn redirect_to_another_host_drops_credentials() {
    provider();
    let (other, seen) = plain(|_| "ok".into_response()).await;
    let elsewhere = format!("http://{other}/there");
    let (first, asked) = plain(move |target| match target {
        "/here" => redirect("/again"),
        "/again" => redirect(&elsewhere),
        _ => "?".into_response(),
    })
    .await;
    let client = HttpClients::new("sluice-test")
        .get(&Dial::default())
        .unwrap();
    let authorization = Basic::new("u", "p").header();
    let request = client
        .get(format!("http://{first}/here"))
        .header(header::AUTHORIZATION, authorization);
    assert_eq!(request.send().await.unwrap().text().await.unwrap(), "ok");
    let asked = asked.lock().unwrap();
    assert!(
        asked
            .iter()
            .all(|(_, headers)| headers.contains_key(header::AUTHORIZATION)),
        "same host keeps them"
    );
    let seen = seen.lock().unwrap();
    let (target, headers) = &seen[0];
    assert_eq!(target, "/there");
    assert!(!headers.contains_key(header::AUTHORIZATION) && !headers.contains_key(header::REFERER));
    assert_eq!(headers[header::USER_AGENT], "sluice-test");
}

#[tokio::test]
async fn refused_redirect_is_returned_and_endless_one_stops() {
    provider();
    let (address, seen) = plain(|_| redirect("/again")).await;
    let clients = HttpClients::new("t");
    let refuse = Dial {
        redirects: Redirects::Refuse,
        ..Dial::default()
    };
    let answer = clients
        .get(&refuse)
        .unwrap()
        .get(format!("http://{address}/"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::FOUND);
    let error = clients
        .get(&Dial::default())
        .unwrap()
        .get(format!("http://{address}/"))
        .send()
        .await
        .unwrap_err();
    assert_eq!(explain(&error), "more than 10 redirects");
    assert!(seen.lock().unwrap().len() <= 13);
}

/// A name hides its address from a check of the URL.
#[tokio::test]
async fn name_of_a_local_address_is_out_of_reach() {
    provider();
    let (address, seen) = plain(|_| "ok".into_response()).await;
    let (_, port) = address.rsplit_once(':').unwrap();
    let clients = HttpClients::new("t");
    let remote = Dial {
        reach: Reach::Remote,
        ..Dial::default()
    };
    let url = format!("http://localhost:{port}/");
    let error = clients.get(&remote).unwrap().get(&url).send().await;
    let text = explain(&error.unwrap_err());
    assert!(text.contains("is local to the machine"), "{text}");
    assert_eq!(seen.lock().unwrap().len(), 0);
    let any = clients.get(&Dial::default()).unwrap();
    assert!(any.get(&url).send().await.is_ok());

    // A proxy resolves the name of the target, and the address of the proxy is the operator's.
    let proxied = Dial {
        proxy: Some(Proxy::new(&format!("http://localhost:{port}"), None).unwrap()),
        ..remote
    };
    let client = clients.get(&proxied).unwrap();
    assert!(client.get("http://nowhere.invalid/").send().await.is_ok());
}

/// The port of the proxy, in the process that the test below starts.
const PROXY_PORT: &str = "DIALLING_PROXY_PORT";

/// The environment belongs to a process, so the test starts itself again with another one.
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the environment is the subject of the test"
)]
async fn proxy_of_the_environment_may_be_local() {
    const NAME: &str = "proxy_of_the_environment_may_be_local";
    provider();
    let (address, seen) = plain(|_| "ok".into_response()).await;
    let Ok(port) = std::env::var(PROXY_PORT) else {
        let (_, port) = address.rsplit_once(':').unwrap();
        let itself = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", NAME])
            .env(PROXY_PORT, port)
            .env("HTTP_PROXY", format!("http://localhost:{port}"))
            .env("NO_PROXY", "localhost")
            .output()
            .await
            .unwrap();
        assert!(itself.status.success(), "{itself:?}");
        let targets: Vec<_> = seen.lock().unwrap().iter().map(|it| it.0.clone()).collect();
        assert_eq!(targets, ["http://nowhere.invalid/list"]);
        return;
    };
    let clients = HttpClients::new("t");
    let remote = Dial {
        reach: Reach::Remote,
        ..Dial::default()
    };
    let get = async |url: String| {
        let url = url.parse().unwrap();
        let client = clients.get(&remote.for_target(&url)).unwrap();
        client.get(url).send().await
    };
    assert!(get("http://nowhere.invalid/list".to_owned()).await.is_ok());
    // A target without the proxy is judged, also if it has the name of the proxy.
    let error = get(format!("http://localhost:{port}/")).await.unwrap_err();
    assert!(explain(&error).contains("is local to the machine"));
}

#[tokio::test]
async fn only_known_authorities_are_trusted() {
    let (port, authority) = tls(None).await;
    let url = format!("https://localhost:{port}/?token=canary");
    let clients = HttpClients::new("t");
    let error = clients
        .get(&Dial::default())
        .unwrap()
        .get(&url)
        .send()
        .await
        .unwrap_err();
    let text = explain(&error);
    assert!(
        text.contains("certificate") && !text.contains("canary"),
        "{text}"
    );
    assert!(!sluice_dial::retry::is_transient_failure(&error));

    let trusting = Dial {
        tls: Tls::with_ca(authority.as_bytes()).unwrap(),
        ..Dial::default()
    };
    let body = clients
        .get(&trusting)
        .unwrap()
        .get(&url)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(body, "ok");

    for (pem, is_trusted) in [(&authority, true), (&tls(None).await.1, false)] {
        let only = Dial {
            tls: Tls::with_ca(pem.as_bytes()).unwrap().replacing_system(),
            ..Dial::default()
        };
        let answer = clients.get(&only).unwrap().get(&url).send().await;
        assert_eq!(answer.is_ok(), is_trusted);
    }

    let insecure = Dial {
        tls: Tls {
            insecure: true,
            ..Tls::default()
        },
        ..Dial::default()
    };
    assert!(
        clients
            .get(&insecure)
            .unwrap()
            .get(&url)
            .send()
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn client_certificate_is_sent_on_request() {
    let ours = rcgen::generate_simple_self_signed(vec!["client".to_owned()]).unwrap();
    let (port, authority) = tls(Some(&ours.cert.pem())).await;
    let url = format!("https://localhost:{port}/");
    let clients = HttpClients::new("t");
    let mut dial = Dial {
        tls: Tls::with_ca(authority.as_bytes()).unwrap(),
        ..Dial::default()
    };
    assert!(clients.get(&dial).unwrap().get(&url).send().await.is_err());
    let certificate = ClientCertificate::new(
        ours.cert.pem().as_bytes(),
        ours.signing_key.serialize_pem().as_bytes(),
    )
    .unwrap();
    dial.tls.certificate = Some(certificate);
    assert_eq!(
        clients
            .get(&dial)
            .unwrap()
            .get(&url)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap(),
        "ok"
    );
}

#[tokio::test]
async fn proxy_gets_request_and_its_credentials() {
    provider();
    let (proxy, seen) = plain(|_| "from the proxy".into_response()).await;
    let proxy = Proxy::new(&format!("http://{proxy}"), Some(Basic::new("me", "p@ss"))).unwrap();
    let dial = Dial {
        proxy: Some(proxy),
        ..Dial::default()
    };
    let client = HttpClients::new("t").get(&dial).unwrap();
    let body = client
        .get("http://nowhere.invalid/x")
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(body, "from the proxy");
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0].0, "http://nowhere.invalid/x");
    assert_eq!(
        seen[0].1[header::PROXY_AUTHORIZATION],
        Basic::new("me", "p@ss").header()
    );
}

#[tokio::test]
async fn body_over_the_limit_is_rejected() {
    provider();
    let (address, _) = plain(|_| "12345".into_response()).await;
    let client = HttpClients::new("t").get(&Dial::default()).unwrap();
    let get = || client.get(format!("http://{address}/")).send();
    assert_eq!(read_body(get().await.unwrap(), 5).await.unwrap(), "12345");
    let error = read_body(get().await.unwrap(), 4).await.unwrap_err();
    assert_eq!(error.to_string(), "the answer is larger than 4 bytes");
}

#[tokio::test]
async fn refused_connection_is_explained_in_words_of_go() {
    provider();
    // The socket holds the port and does not listen.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = socket.local_addr().unwrap();
    let client = HttpClients::new("t").get(&Dial::default()).unwrap();
    let error = client
        .get(format!("http://{address}/?sig=canary"))
        .send()
        .await
        .unwrap_err();
    let expected = format!("dial tcp {address}: connect: connection refused");
    assert_eq!(explain(&error), expected);
    assert!(sluice_dial::retry::is_transient_failure(&error));
}
