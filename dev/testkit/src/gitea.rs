//! A real Gitea server: API, repositories over HTTP and SSH, and a database in one file.
//!
//! The build takes minutes, so `./test.sh` does not run it. `cargo xtask cluster tools --with
//! gitea` builds it; without it the tests that need it are skipped.

use std::path::{Path, PathBuf};

use http::Method;
use serde_json::{Value, json};
use sluice_devcluster::Tool;
use sluice_devcluster::ports;
use sluice_devcluster::process::{Process, Program};
use sluice_dial::{Dial, HttpClients};
use sluice_git::ssh_setup::{KeyKind, KeyPair};
use sluice_skip::{Requirement, skip};
use sluice_system::fs;

use crate::{testbed, wait};

/// Retries with other ports.
const ATTEMPTS: u32 = 3;

/// A running server with one user; dropping it stops it and removes its data.
#[derive(Debug)]
pub struct Gitea {
    _process: Process,
    directory: tempfile::TempDir,
    url: String,
    ssh: String,
    token: String,
    http: HttpClients,
}

/// Settings that all attempts share.
struct Place<'a> {
    binary: PathBuf,
    files: PathBuf,
    directory: &'a Path,
}

impl Gitea {
    /// Login of the token's owner.
    pub const LOGIN: &str = "me";

    /// Starts an empty server. Returns `None`, and prints why, if it is not built.
    pub async fn start() -> Option<Self> {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let toolbox = testbed::toolbox();
        let Some(files) = toolbox.files(Tool::Gitea) else {
            skip(
                Requirement::Optional,
                "gitea is not built; run cargo xtask cluster tools --with gitea",
            );
            return None;
        };
        let directory = tempfile::tempdir().unwrap();
        let place = Place {
            binary: testbed::tool(Tool::Gitea).await,
            files,
            directory: directory.path(),
        };
        // Gitea would generate an RSA key, which takes seconds.
        let pair = KeyPair::generate(KeyKind::Ed25519).unwrap();
        fs::write(directory.path().join("host_key"), pair.private.expose()).unwrap();
        let mut attempt = 0;
        let (process, http, ssh) = loop {
            match place.serve().await {
                Ok(serving) => break serving,
                Err(_) if attempt < ATTEMPTS => attempt += 1,
                Err(log) => panic!("{log}"),
            }
        };
        let token = place.user(Self::LOGIN);
        Some(Self {
            _process: process,
            url: format!("http://127.0.0.1:{http}"),
            ssh: format!("127.0.0.1:{ssh}"),
            directory,
            token,
            http: HttpClients::new("sluice-test"),
        })
    }

    /// Its URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port of SSH.
    pub fn ssh(&self) -> &str {
        &self.ssh
    }

    /// The token of [`Self::LOGIN`], who is an administrator.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The directory of a repository.
    pub fn repository(&self, owner: &str, name: &str) -> PathBuf {
        let repositories = self.directory.path().join("repositories");
        repositories.join(format!("{owner}/{name}.git"))
    }

    /// Creates an organization of [`Self::LOGIN`], with a team that may write to its repositories.
    pub async fn organization(&self, name: &str, team: &str) {
        self.ask(Method::POST, "orgs", &json!({ "username": name }))
            .await;
        let wanted = json!({
            "name": team,
            "permission": "write",
            "units_map": { "repo.code": "write" },
        });
        self.ask(Method::POST, &format!("orgs/{name}/teams"), &wanted)
            .await;
    }

    /// Creates another user.
    pub async fn user(&self, name: &str) {
        let wanted = json!({
            "username": name,
            "email": format!("{name}@example.com"),
            "password": "a-password-of-another",
            "must_change_password": false,
        });
        self.ask(Method::POST, "admin/users", &wanted).await;
    }

    /// Returns the requests that change something: to the API, and pushes over HTTP.
    pub async fn writes(&self) -> Vec<String> {
        // Gitea writes its log with a delay, in the order of the requests.
        let mark = format!("version?mark={}", fastrand::u64(..));
        self.get(&mark).await;
        let log = wait::eventually("the log comes so far", || {
            let log = fs::read_to_string(self.directory.path().join("access.log"));
            let log = log.map_err(|error| error.to_string());
            let is_told = log.as_ref().is_ok_and(|log| log.contains(&mark));
            async move {
                if is_told {
                    log
                } else {
                    Err("it is not told".to_owned())
                }
            }
        })
        .await;
        let is_write = |line: &&str| {
            let is_api = line.contains(" /api/v1/") && !line.starts_with("GET ");
            is_api || (line.starts_with("POST ") && line.ends_with("/git-receive-pack"))
        };
        log.lines().filter(is_write).map(str::to_owned).collect()
    }

    /// Reads an object from its API.
    pub async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, &Value::Null).await
    }

    /// Sends a request to its API and returns the answer; null if it is empty.
    pub async fn ask(&self, method: Method, path: &str, body: &Value) -> Value {
        let client = self.http.get(&Dial::default()).unwrap();
        let mut request = client
            .request(method.clone(), format!("{}/api/v1/{path}", self.url))
            .header("Authorization", format!("token {}", self.token));
        if !body.is_null() {
            request = request
                .header("Content-Type", "application/json")
                .body(body.to_string());
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{method} {path}: {status}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }
}

impl Place<'_> {
    fn config(&self) -> PathBuf {
        self.directory.join("app.ini")
    }

    /// The environment of the server without the user's own configuration.
    fn program(&self, arguments: &[&str]) -> Program {
        Program::new("gitea", &self.binary)
            .argument("--config")
            .argument(self.config())
            .arguments(arguments)
            .variable("HOME", self.directory)
            .variable("GITEA_WORK_DIR", self.directory)
    }

    /// Starts the server. Returns the end of its log if it does not become ready.
    async fn serve(&self) -> Result<(Process, u16, u16), String> {
        let [http, ssh] = ports::free(std::net::Ipv4Addr::LOCALHOST.into()).unwrap();
        fs::write(self.config(), self.configuration(http, ssh)).unwrap();
        let mut process = self
            .program(&["web"])
            .start(&self.directory.join("gitea.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        let client = HttpClients::new("sluice-test")
            .get(&Dial::default())
            .unwrap();
        let listening = wait::eventually("gitea answers", || {
            let ended = process.check().map_err(|error| error.to_string());
            let client = client.clone();
            async move {
                if ended.is_err() {
                    return Ok(ended);
                }
                let address = format!("http://127.0.0.1:{http}/api/v1/version");
                let answer = client.get(address).send().await;
                answer.map(|_| Ok(())).map_err(|error| error.to_string())
            }
        })
        .await;
        listening.map(|()| (process, http, ssh))
    }

    /// Creates an administrator and returns a token.
    fn user(&self, name: &str) -> String {
        let arguments = [
            "admin",
            "user",
            "create",
            "--admin",
            "--username",
            name,
            "--email",
            "me@example.com",
            "--password",
            "a-password-of-mine",
            "--must-change-password=false",
            "--access-token",
            "--access-token-scopes",
            "all",
        ];
        #[expect(
            clippy::disallowed_methods,
            reason = "only the program of Gitea creates its first user"
        )]
        let output = std::process::Command::new(&self.binary)
            .arg("--config")
            .arg(self.config())
            .args(arguments)
            .env("HOME", self.directory)
            .env("GITEA_WORK_DIR", self.directory)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let token = told
            .split_whitespace()
            .find(|word| word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()));
        token
            .unwrap_or_else(|| panic!("{told}{}", String::from_utf8_lossy(&output.stderr)))
            .to_owned()
    }

    fn configuration(&self, http: u16, ssh: u16) -> String {
        let directory = self.directory.display();
        format!(
            "I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
WORK_PATH = {directory}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = {http}
ROOT_URL = http://127.0.0.1:{http}/
STATIC_ROOT_PATH = {files}
APP_DATA_PATH = {directory}/data
OFFLINE_MODE = true
START_SSH_SERVER = true
BUILTIN_SSH_SERVER_USER = git
SSH_DOMAIN = 127.0.0.1
SSH_LISTEN_HOST = 127.0.0.1
SSH_PORT = {ssh}
SSH_SERVER_HOST_KEYS = {directory}/host_key
[database]
DB_TYPE = sqlite3
PATH = {directory}/gitea.db
SQLITE_JOURNAL_MODE = WAL
[repository]
ROOT = {directory}/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = of-a-test
PASSWORD_HASH_ALGO = pbkdf2$1$10
[indexer]
ISSUE_INDEXER_TYPE = db
[log]
MODE = console
LEVEL = Warn
ROOT_PATH = {directory}
logger.access.MODE = file
ACCESS_LOG_TEMPLATE = {{{{.Ctx.Req.Method}}}} {{{{.Ctx.Req.URL.RequestURI}}}}
[log.file]
LEVEL = Info
[cron]
ENABLED = false
[actions]
ENABLED = false
",
            files = self.files.display(),
        )
    }
}
