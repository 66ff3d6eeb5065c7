//! An S3 object store on loopback: Versity's gateway over a directory.

use aws_lc_rs::{digest, hmac};
use http::Method;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sluice_devcluster::process::{Process, Program};
use sluice_devcluster::{Tool, ports};
use sluice_dial::{Dial, HttpClients};
use sluice_system::{Clock as _, SystemClock, fs};

use crate::{testbed, wait};

/// A running store; dropping it stops it and removes its content.
#[derive(Debug)]
pub struct ObjectStore {
    process: Process,
    _directory: tempfile::TempDir,
    host: String,
    http: HttpClients,
}

impl ObjectStore {
    /// Access key with all rights.
    pub const ACCESS_KEY: &str = "sluice";
    /// Secret key of [`Self::ACCESS_KEY`].
    pub const SECRET_KEY: &str = "store-secret-key";
    /// Region of its buckets.
    pub const REGION: &str = "eu-test-1";

    /// Starts an empty store, building it first if necessary.
    pub async fn start() -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let binary = testbed::tool(Tool::Versitygw).await;
        let directory = tempfile::tempdir().unwrap();
        let (data, metadata) = (directory.path().join("data"), directory.path().join("meta"));
        for path in [&data, &metadata] {
            fs::create_dir_all(path).unwrap();
        }
        let [port] = ports::free(std::net::Ipv4Addr::LOCALHOST.into()).unwrap();
        let host = format!("127.0.0.1:{port}");
        let mut process = Program::new("versitygw", binary)
            .argument("--quiet")
            .argument("--port")
            .argument(&host)
            .argument("--region")
            .argument(Self::REGION)
            .argument("posix")
            .argument("--sidecar")
            .argument(&metadata)
            .argument(&data)
            .variable("ROOT_ACCESS_KEY_ID", Self::ACCESS_KEY)
            .variable("ROOT_SECRET_ACCESS_KEY", Self::SECRET_KEY)
            .start(&directory.path().join("versitygw.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        wait::eventually("the object store listens", || {
            process.check().unwrap_or_else(|error| panic!("{error}"));
            let connecting = tokio::net::TcpStream::connect(host.clone());
            async move { connecting.await.map_err(|error| error.to_string()) }
        })
        .await;
        Self {
            process,
            _directory: directory,
            host,
            http: HttpClients::new("sluice-test"),
        }
    }

    /// `host:port`, as `spec.endpoint` of a `Bucket` names it.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Creates a bucket.
    pub async fn create(&self, bucket: &str) {
        self.send(Method::PUT, &format!("/{bucket}"), String::new())
            .await;
    }

    /// Writes an object. The key must not need encoding.
    pub async fn put(&self, bucket: &str, key: &str, content: &str) {
        let path = format!("/{bucket}/{key}");
        self.send(Method::PUT, &path, content.to_owned()).await;
    }

    /// Deletes an object.
    pub async fn delete(&self, bucket: &str, key: &str) {
        self.send(Method::DELETE, &format!("/{bucket}/{key}"), String::new())
            .await;
    }

    async fn send(&self, method: Method, path: &str, body: String) {
        let time = SystemClock.now().to_zoned(TimeZone::UTC);
        let headers = self.signature(&method, path, time.timestamp(), &body);
        let client = self.http.get(&Dial::default()).unwrap();
        let mut request = client.request(method, format!("http://{}{path}", self.host));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let response = request.body(body).send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        assert!(
            status.is_success(),
            "{path}: {status}: {text}{}",
            self.process.log_tail()
        );
    }

    /// The headers of a signed request.
    fn signature(
        &self,
        method: &Method,
        path: &str,
        now: Timestamp,
        body: &str,
    ) -> [(&'static str, String); 3] {
        let hash = |text: &str| hex(digest::digest(&digest::SHA256, text.as_bytes()).as_ref());
        let sign = |key: &[u8], text: &str| {
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes())
        };
        let time = now
            .to_zoned(TimeZone::UTC)
            .strftime("%Y%m%dT%H%M%SZ")
            .to_string();
        let (day, _) = time.split_at("YYYYMMDD".len());
        let (content, host) = (hash(body), &self.host);
        let names = "host;x-amz-content-sha256;x-amz-date";
        let request = format!(
            "{method}\n{path}\n\nhost:{host}\nx-amz-content-sha256:{content}\nx-amz-date:{time}\n\n\
             {names}\n{content}"
        );
        let scope = format!("{day}/{}/s3/aws4_request", Self::REGION);
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hash(&request));
        let mut key = sign(format!("AWS4{}", Self::SECRET_KEY).as_bytes(), day);
        for word in [Self::REGION, "s3", "aws4_request"] {
            key = sign(key.as_ref(), word);
        }
        let signature = hex(sign(key.as_ref(), &text).as_ref());
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={names}, Signature={signature}",
            Self::ACCESS_KEY
        );
        [
            ("x-amz-content-sha256", content),
            ("x-amz-date", time),
            ("authorization", authorization),
        ]
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<Vec<_>>()
        .concat()
}
