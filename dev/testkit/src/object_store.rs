//! An S3 object store on loopback: Versity's gateway over a directory.

use http::Method;
use sluice_devcluster::process::{Process, Program};
use sluice_devcluster::{Tool, ports};
use sluice_dial::{Dial, HttpClients};
use sluice_identity::aws::AwsCredentials;
use sluice_identity::aws::sigv4::{Payload, Request, Signer};
use sluice_system::{Clock as _, SystemClock, fs};

use crate::{testbed, wait};

/// A running store; dropping it stops it and removes its content.
#[derive(Debug)]
pub struct ObjectStore {
    process: Process,
    directory: tempfile::TempDir,
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
            directory,
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

    /// Replaces the content of an object without the store, which keeps its entity tag.
    pub fn replace_content(&self, bucket: &str, key: &str, content: &str) {
        let path = self.directory.path().join("data").join(bucket).join(key);
        fs::write(&path, content).unwrap();
    }

    /// Deletes an object.
    pub async fn delete(&self, bucket: &str, key: &str) {
        self.send(Method::DELETE, &format!("/{bucket}/{key}"), String::new())
            .await;
    }

    async fn send(&self, method: Method, path: &str, body: String) {
        let keys = AwsCredentials {
            access_key: Self::ACCESS_KEY.to_owned(),
            secret_key: Self::SECRET_KEY.into(),
            session_token: None,
            expires: None,
        };
        let signer = Signer {
            credentials: &keys,
            region: Self::REGION,
            service: "s3",
        };
        let unsigned = Request {
            method: method.as_str(),
            path,
            query: &[],
            headers: &[("host", &self.host)],
            payload: Payload::Body(body.as_bytes()),
        };
        let headers = signer.sign(&unsigned, SystemClock.now());
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
}
