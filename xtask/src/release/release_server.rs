//! A release server on loopback, with the layout of a releases page, and a user's machine.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

use super::tests::contents;
use crate::signature::{Signer, tests::throw_away};

/// The answer of a path.
#[derive(Clone)]
enum Answer {
    File(Vec<u8>),
    Redirect(String),
}

type Answers = Arc<Mutex<BTreeMap<String, Answer>>>;

/// A server of one signed release, 1.2.3.
pub(super) struct ReleaseServer {
    answers: Answers,
    url: String,
    signer: Signer,
    _runtime: tokio::runtime::Runtime,
}

impl ReleaseServer {
    pub(super) fn start() -> Self {
        let answers = Answers::default();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = axum::Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&answers));
        runtime.spawn(async move { axum::serve(listener, router).await });
        let server = Self {
            answers,
            url,
            signer: Signer::from_pem(&throw_away()).unwrap(),
            _runtime: runtime,
        };
        let contents = contents();
        let mut files = super::files(&contents, 1_700_000_000).unwrap();
        super::sign(&mut files, &contents.version, Some(&server.signer)).unwrap();
        for (name, bytes) in files {
            if name == "sluice_version.txt" {
                server.put(&format!("/latest/download/{name}"), bytes.clone());
            }
            server.put(&format!("/download/v1.2.3/{name}"), bytes);
        }
        server
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn public_key(&self) -> String {
        self.signer.public_key().unwrap()
    }

    pub(super) fn signer(&self) -> &Signer {
        &self.signer
    }

    pub(super) fn put(&self, path: &str, bytes: Vec<u8>) {
        let mut answers = self.answers.lock().unwrap();
        answers.insert(path.to_owned(), Answer::File(bytes));
    }

    pub(super) fn redirect(&self, path: &str, to: &str) {
        let mut answers = self.answers.lock().unwrap();
        answers.insert(path.to_owned(), Answer::Redirect(to.to_owned()));
    }

    pub(super) fn remove(&self, path: &str) {
        self.answers.lock().unwrap().remove(path);
    }

    pub(super) fn file(&self, path: &str) -> Vec<u8> {
        match &self.answers.lock().unwrap()[path] {
            Answer::File(bytes) => bytes.clone(),
            Answer::Redirect(to) => panic!("{path} leads to {to}"),
        }
    }
}

async fn answer(State(answers): State<Answers>, uri: Uri) -> Response {
    let found = answers.lock().unwrap().get(uri.path()).cloned();
    match found {
        Some(Answer::File(bytes)) => bytes.into_response(),
        Some(Answer::Redirect(to)) => {
            (StatusCode::FOUND, [(header::LOCATION, to)], "moved").into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// An empty machine: home, working directory, temporary directory and prefix.
pub(super) struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for name in ["home", "work", "tmp", "programs"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        Self { root }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Adds a program that precedes those of the system.
    pub(super) fn program(&self, name: &str, script: &str) {
        write_program(&self.path("programs").join(name), script);
    }

    /// Returns a command with this machine's environment only.
    pub(super) fn command(&self, program: &[&str]) -> Command {
        let mut command = Command::new(program[0]);
        command
            .args(&program[1..])
            .current_dir(self.path("work"))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .env(
                "PATH",
                format!(
                    "{}:/usr/local/bin:/usr/bin:/bin",
                    self.path("programs").display()
                ),
            );
        command
    }

    /// Lists every file and directory with content and modification time.
    pub(super) fn snapshot(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.root.path().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(&directory).unwrap() {
                let path = entry.unwrap().path();
                let metadata = std::fs::symlink_metadata(&path).unwrap();
                let name = path.strip_prefix(self.root.path()).unwrap();
                let what = if metadata.is_dir() {
                    open.push(path.clone());
                    "directory".to_owned()
                } else if metadata.is_symlink() {
                    format!("-> {}", std::fs::read_link(&path).unwrap().display())
                } else {
                    use std::os::unix::fs::MetadataExt as _;
                    let digest = crate::binary::sha256(&std::fs::read(&path).unwrap());
                    format!("{:o} {} {digest}", metadata.mode() & 0o7777, metadata.ino())
                };
                found.insert(name.display().to_string(), what);
            }
        }
        found
    }
}

/// Writes an executable script. A child writes it. A child forked by another test could hold
/// the open file, and the script could not run.
pub(super) fn write_program(path: &Path, script: &str) {
    let mut child = Command::new("/bin/sh")
        .args(["-c", r#"cat > "$1" && chmod 755 "$1""#, "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "#!/bin/sh\n{script}").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success(), "{}", path.display());
}

/// Returns the output of a command, on stdout and stderr.
pub(super) fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
