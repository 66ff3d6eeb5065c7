//! Tests plugins from a local catalog: search, install, run, complete, update and remove. Also
//! tests a hostile catalog.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use flate2::Compression;
use flate2::write::GzEncoder;
use sluice_testkit::Sluice;

use crate::program;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A file server, and a command line that uses it as its catalog.
struct Scene {
    files: Files,
    url: String,
    root: tempfile::TempDir,
    sluice: Sluice,
}

const PROGRAM: &str = "#!/bin/sh\nif [ \"$1\" = __complete ]; then printf 'build\\tBuild it\\n:4\\n'; exit; fi\necho \"operator VERSION: $*\"\nexit 3\n";

fn program(version: &str) -> Vec<u8> {
    PROGRAM.replace("VERSION", version).into_bytes()
}

async fn serve(State(files): State<Files>, uri: Uri) -> (StatusCode, Vec<u8>) {
    match files.lock().unwrap().get(uri.path()) {
        Some(bytes) => (StatusCode::OK, bytes.clone()),
        None => (StatusCode::NOT_FOUND, Vec::new()),
    }
}

impl Scene {
    async fn new() -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let files = Files::default();
        let router = Router::new().fallback(serve).with_state(Arc::clone(&files));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("plugins")).unwrap();
        let sluice = Sluice::at(program::flux())
            .variable("FLUXCD_PLUGIN_CATALOG", format!("{url}/"))
            .variable(
                "FLUXCD_PLUGINS",
                root.path().join("plugins").display().to_string(),
            );
        let scene = Self {
            files,
            url,
            root,
            sluice,
        };
        let catalog = "apiVersion: cli.fluxcd.io/v1beta1\nkind: PluginCatalog\nplugins:\n\
            - name: operator\n  description: Runs the Flux Operator\n- name: schema\n  description: Validates manifests\n";
        scene.put("/catalog.yaml", catalog);
        scene
    }

    fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files
            .lock()
            .unwrap()
            .insert(path.to_owned(), bytes.into());
    }

    /// Offers versions of the operator, newest first, with download and name.
    fn offer(&self, versions: &[(&str, &str, Vec<u8>)]) {
        let mut text = "apiVersion: cli.fluxcd.io/v1beta1\nkind: Plugin\nname: operator\nbin: flux-operator\nversions:\n".to_owned();
        let (os, arch) = sluice_plugin::catalog::here();
        for (version, file, bytes) in versions {
            self.put(&format!("/{file}"), bytes.clone());
            write!(
                text,
                "- version: '{version}'\n  platforms:\n  - os: {os}\n    arch: {arch}\n    url: {}/{file}\n    checksum: {}\n",
                self.url,
                digest(bytes)
            )
            .unwrap();
        }
        self.put("/operator.yaml", text);
    }

    async fn run(&self, line: &str) -> (Option<i32>, String) {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.sluice.run(&words).await
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("plugins").join(name)
    }

    /// Returns the names of all files below the root.
    fn left(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut pending = vec![self.root.path().to_owned()];
        while let Some(directory) = pending.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.root.path()).unwrap();
                found.push(name.display().to_string());
                if path.is_dir() {
                    pending.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

fn digest(bytes: &[u8]) -> String {
    sluice_digest::Algorithm::Sha256.digest(bytes).to_string()
}

/// Returns a tar archive of these files, with unchecked names.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000755");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[263..265].copy_from_slice(b"00");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend(header);
        bytes.extend(*content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the cells of a table.
fn cells(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines();
    rows.map(|line| line.trim_end().split('\t').map(str::trim).collect())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn plugin_is_installed_run_updated_and_removed() {
    let scene = Scene::new().await;
    let done = |text: &str| (Some(0), text.to_owned());
    assert_eq!(scene.run("plugin list").await, done("No plugins found\n"));
    let old = gzip(&tar(&[
        ("README", b"words"),
        ("dist/flux-operator", &program("1")),
    ]));
    scene.offer(&[("0.1.0", "operator.tar.gz", old.clone())]);
    assert_eq!(
        scene.run("plugin install operator").await,
        done("✔ installed operator v0.1.0\n")
    );
    assert_eq!(
        scene.left(),
        [
            "plugins",
            "plugins/flux-operator",
            "plugins/flux-operator.yaml"
        ]
    );
    let mode = std::fs::metadata(scene.path("flux-operator"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
    let receipt = std::fs::read_to_string(scene.path("flux-operator.yaml")).unwrap();
    assert!(
        receipt.contains("version: 0.1.0\n") && receipt.contains(&digest(&old)),
        "{receipt}"
    );

    // The plugin's own flags must not be parsed.
    let ran = scene.run("operator build --namespace x -n y --bogus").await;
    assert_eq!(
        ran,
        (
            Some(3),
            "operator 1: build --namespace x -n y --bogus\n".to_owned()
        )
    );
    let (_, completed) = scene.run("__complete operator b").await;
    assert!(
        completed.starts_with("build\tBuild it\n:4\n"),
        "{completed}"
    );
    let (_, completed) = scene.run("__complete oper").await;
    assert!(
        completed.starts_with("operator\tRuns the operator plugin\n:4\n"),
        "{completed}"
    );
    let (_, help) = scene.run("--help").await;
    assert!(
        help.contains("operator") && help.contains("Runs the operator plugin"),
        "{help}"
    );

    let path = scene.path("flux-operator").display().to_string();
    let (_, listed) = scene.run("plugin ls").await;
    assert_eq!(
        cells(&listed),
        [["NAME", "VERSION", "PATH"], ["operator", "0.1.0", &path]]
    );
    let (_, searched) = scene.run("plugin search OPERATOR").await;
    assert_eq!(
        cells(&searched),
        [
            ["NAME", "DESCRIPTION", "INSTALLED"],
            ["operator", "Runs the Flux Operator", "0.1.0"]
        ]
    );
    assert_eq!(
        scene.run("plugin search nothing").await,
        done("No plugins matching \"nothing\" found in catalog\n")
    );

    assert_eq!(
        scene.run("plugin update").await,
        done("✔ operator already up to date (v0.1.0)\n")
    );
    scene.offer(&[
        ("0.2.0", "new.tar", tar(&[("flux-operator", &program("2"))])),
        ("0.1.0", "operator.tar.gz", old),
    ]);
    assert_eq!(
        scene.run("plugin update operator").await,
        done("✔ updated operator v0.1.0 → v0.2.0\n")
    );
    assert_eq!(scene.run("operator").await.1, "operator 2: \n");
    assert_eq!(
        scene.run("plugin uninstall operator").await,
        done("✔ uninstalled operator\n")
    );
    assert_eq!(scene.left(), ["plugins"]);
    let (code, refused) = scene.run("operator").await;
    assert_eq!(code, Some(1));
    assert!(
        refused.starts_with("✗ unknown command \"operator\" for \"flux\"\n"),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn plugin_version_digest_and_plain_program_are_accepted() {
    let scene = Scene::new().await;
    let (one, two) = (program("1"), program("2"));
    scene.offer(&[("2", "two", two), ("1", "one", one.clone())]);
    scene.run("plugin install operator@1").await;
    assert_eq!(scene.run("operator").await.1, "operator 1: \n");
    scene.run("plugin install operator").await;
    assert_eq!(scene.run("operator").await.1, "operator 2: \n");
    scene
        .run(&format!("plugin install operator@{}", digest(&one)))
        .await;
    assert_eq!(scene.run("operator").await.1, "operator 1: \n");
    let (code, refused) = scene.run("plugin install operator@9").await;
    assert_eq!(
        (code, refused.as_str()),
        (
            Some(1),
            "✗ version \"9\" not found for plugin \"operator\"\n"
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_plugin_digest_changes_nothing() {
    let scene = Scene::new().await;
    scene.offer(&[("1", "one", program("1"))]);
    scene.run("plugin install operator").await;
    let before = scene.left();
    let hostile = tar(&[("../../flux-operator", b"x")]);
    for (file, bytes, spoiled, said) in [
        (
            "two",
            program("2"),
            true,
            "checksum verification failed (expected: sha256:",
        ),
        (
            "two.tgz",
            gzip(&tar(&[("other", b"x")])),
            false,
            "binary \"flux-operator\" not found in archive",
        ),
        ("two.tar.gz", gzip(&hostile), false, "failed to read tar: "),
        ("two.tar", hostile, false, "failed to read tar: "),
        (
            "two.zip",
            b"PK\x03\x04".to_vec(),
            false,
            "failed to read zip: ",
        ),
        (
            "two.tar.gz",
            gzip(&tar(&[("flux-operator", &program("2"))]))[..60].to_vec(),
            false,
            "failed to ",
        ),
    ] {
        scene.offer(&[("2", file, bytes)]);
        if spoiled {
            scene.put(&format!("/{file}"), "something else");
        }
        let (code, printed) = scene.run("plugin install operator").await;
        assert_eq!(code, Some(1), "{file}: {printed}");
        assert!(printed.contains(said), "{file}: {printed}");
        assert_eq!(scene.left(), before, "{file}");
        assert_eq!(scene.run("operator").await.1, "operator 1: \n", "{file}");
        let (code, printed) = scene.run("plugin update").await;
        assert_eq!(code, Some(1), "{file}: {printed}");
        assert!(
            printed.starts_with("✗ error updating operator: "),
            "{file}: {printed}"
        );
    }
    scene.put(
        "/operator.yaml",
        "apiVersion: cli.fluxcd.io/v1beta1\nkind: Plugin\nname: operator\nbin: flux-../../x\n",
    );
    let (code, _) = scene.run("plugin install operator").await;
    assert_eq!((code, scene.left()), (Some(1), before));
}

#[tokio::test(flavor = "multi_thread")]
async fn unsafe_plugin_names_and_folders_are_refused() {
    let scene = Scene::new().await;
    for line in [
        "plugin install ../x",
        "plugin uninstall ../x",
        "plugin install get",
    ] {
        let (code, printed) = scene.run(line).await;
        assert_eq!(code, Some(1), "{line}: {printed}");
    }
    let (code, printed) = scene.run("plugin install schema").await;
    assert_eq!(code, Some(1));
    assert!(
        printed.starts_with("✗ plugin \"schema\" not found in catalog"),
        "{printed}"
    );
    let (code, printed) = scene.run("plugin update nothing").await;
    assert_eq!((code, printed.as_str()), (Some(0), "No plugins found\n"));

    std::fs::write(scene.path("flux-mine"), program("0")).unwrap();
    let everybody = |path: PathBuf, mode: u32| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    everybody(scene.path("flux-mine"), 0o755);
    assert_eq!(
        scene.run("plugin update").await,
        (
            Some(0),
            "⚠️ skipping mine (manually installed)\n".to_owned()
        )
    );
    assert_eq!(
        scene.run("mine a").await,
        (Some(3), "operator 0: a\n".to_owned())
    );
    everybody(scene.path("flux-mine"), 0o757);
    let (code, printed) = scene.run("mine a").await;
    assert_eq!(code, Some(1));
    assert!(printed.contains("can be written by everybody"), "{printed}");
    everybody(scene.path("flux-mine"), 0o755);
    everybody(scene.root.path().join("plugins"), 0o777);
    for line in ["mine a", "plugin install operator"] {
        scene.offer(&[("1", "one", program("1"))]);
        let (code, printed) = scene.run(line).await;
        assert_eq!(code, Some(1), "{line}");
        assert!(
            printed.contains("can be written by everybody"),
            "{line}: {printed}"
        );
    }
}
