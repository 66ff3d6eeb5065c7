//! Stores that repeat credentials, redirect requests or cut their answers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use bytes::Bytes;
use sluice_bucket::azure::{Access, Container, SharedKey};
use sluice_bucket::{
    Bucket, Client, Credentials, Endpoint, Error, GoogleBucket, ListedObject, Remote,
};
use sluice_dial::{Bearer, Dial, HttpClients, Proxy, Sensitive, Tls};
use sluice_system::SystemClock;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const ACCOUNT: &str = "fleet.blob.core.windows.net";

fn client() -> Client {
    let http = Arc::new(HttpClients::new("sluice-test"));
    Client::new(http, Arc::new(SystemClock))
}

fn s3(host: &str, name: &str) -> Remote {
    Remote::S3(Bucket {
        endpoint: Endpoint::parse(host, true).unwrap(),
        name: name.to_owned(),
        region: Some("eu-west-1".to_owned()),
        credentials: Some(Credentials {
            access_key: "AKID".to_owned(),
            secret_key: Sensitive::from("canary-secret"),
            session_token: Some(Sensitive::from("canary-session")),
            expires: None,
        }),
        dial: Dial {
            direct: true,
            ..Dial::default()
        },
    })
}

/// The same bucket with the credentials of each provider.
fn remotes(cloud: &FakeCloud, name: &str) -> Vec<Remote> {
    let host = cloud.url();
    let host = host.strip_prefix("http://").unwrap();
    let google = Remote::Google(GoogleBucket {
        service: format!("{}/", cloud.url()).parse().unwrap(),
        name: name.to_owned(),
        token: Bearer::new("canary-token").unwrap(),
        dial: Dial::default(),
    });
    let endpoint: url::Url = format!("https://{ACCOUNT}").parse().unwrap();
    let key = SharedKey::of_endpoint(&endpoint, "Y2FuYXJ5LWtleQ==").unwrap();
    let signature = "?sv=2022-11-02&sig=canary%2Bsig%3D";
    let azure = [
        Access::Bearer(Bearer::new("canary-token").unwrap()),
        Access::SharedKey(key),
        Access::Signature(Sensitive::from(signature)),
    ];
    let azure = azure.map(|access| {
        Remote::Azure(Container {
            endpoint: endpoint.clone(),
            name: name.to_owned(),
            access,
            dial: Dial {
                proxy: Some(Proxy::new(&cloud.url(), None).unwrap()),
                tls: Tls::with_ca(cloud.certificate().as_bytes()).unwrap(),
                ..Dial::default()
            },
        })
    });
    [s3(host, name), google].into_iter().chain(azure).collect()
}

/// The credentials of a request, as the request carries them.
fn credentials(request: &CloudRequest) -> Vec<String> {
    let (_, query) = request.parts();
    let authorization = request.header("authorization");
    let signature = authorization.rsplit_once("Signature=");
    let signature = signature.or_else(|| authorization.rsplit_once("fleet:"));
    let session = request.header("x-amz-security-token");
    let raw = request.target.split('&');
    let raw = raw.filter_map(|pair| pair.strip_prefix("sig="));
    [
        authorization,
        session,
        signature.map_or("", |(_, text)| text),
        query.get("sig").map_or("", String::as_str),
    ]
    .into_iter()
    .chain(raw)
    .filter(|text| !text.is_empty())
    .map(str::to_owned)
    .collect()
}

async fn list(remote: &Remote) -> Result<(), Error> {
    remote.list(&client(), "", |_| ()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_credentials_are_cut_from_messages() {
    let cloud = FakeCloud::start(&[ACCOUNT], |request| {
        let echoed = credentials(request).join(" and ");
        let body = if request.target.starts_with("/storage/") {
            format!(r#"{{"error":{{"message":"you sent {echoed}"}}}}"#)
        } else {
            format!("<Error><Code>Denied</Code><Message>you sent {echoed}</Message></Error>")
        };
        Some(CloudAnswer::Reply(403, Vec::new(), Bytes::from(body)))
    })
    .await;
    for remote in remotes(&cloud, "apps") {
        let message = list(&remote).await.unwrap_err().to_string();
        assert!(message.contains("you sent [redacted]"), "{message}");
        let requests = cloud.requests();
        assert_eq!(requests.len(), 1);
        for secret in credentials(&requests[0]) {
            assert!(!message.contains(&secret), "{message}");
        }
        assert!(!message.contains("canary"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirect_is_not_followed() {
    let other = FakeCloud::start(&[], |_| Some(CloudAnswer::ok(""))).await;
    let away = format!("{}/stolen", other.url());
    let cloud = FakeCloud::start(&[ACCOUNT], move |_| {
        let location = vec![("location", away.clone())];
        Some(CloudAnswer::Reply(307, location, Bytes::new()))
    })
    .await;
    for remote in remotes(&cloud, "apps") {
        let message = list(&remote).await.unwrap_err().to_string();
        assert_eq!(message, "307 Temporary Redirect");
        assert_eq!(cloud.requests().len(), 1);
    }
    assert!(other.requests().is_empty());
}

/// Answers each request with these bytes, and closes the connection.
async fn serve(answer: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _read = stream.read(&mut request).await;
            let _sent = stream.write_all(answer.as_bytes()).await;
        }
    });
    host
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_content_is_an_error() {
    let listed = ListedObject {
        key: "a",
        etag: "1",
        generation: None,
    };
    for answer in [
        "HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\netag: \"1\"\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n",
    ] {
        let remote = s3(&serve(answer).await, "apps");
        let object = remote.get(&client(), listed).await.unwrap();
        let error = object.read(1 << 20).await.unwrap_err().to_string();
        assert!(error.starts_with("read the object: "), "{error}");
    }
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n<ListBucketResult>";
    let listing = list(&s3(&serve(cut).await, "apps")).await;
    assert!(listing.is_err());
}
