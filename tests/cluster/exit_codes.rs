//! Tests the exit code of every verb × {ok, not found, denied, timeout, usage}.
//!
//! The rows of `exit_codes/table.md` have our codes, and Flux's codes under `FLUX_COMPAT=strict`. A
//! new row needs no Rust. With a `flux` in `REFERENCE_BIN_DIR`, its exit code must match the table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::StatusCode;
use futures::StreamExt as _;
use sluice_system::fs;
use sluice_testkit::{Reference, Registry, RegistryOptions, Testbed};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::binary::{Call, CommandResult};
use crate::cases::file::Case;
use crate::cases::stage::CaseFixture;

const TABLE: &str = include_str!("exit_codes/table.md");
const SCENE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/cluster/exit_codes/exit-codes.case"
);
/// Number of concurrent rows that wait for a silent server.
const ABREAST: usize = 8;
const SITUATIONS: [&str; 5] = ["ok", "not found", "denied", "timeout", "usage"];

struct Row {
    verb: &'static str,
    situation: &'static str,
    line: &'static str,
    code: i32,
    /// `None` for commands that Flux lacks.
    flux: Option<i32>,
}

/// Returns the cells of rows with this number of cells.
fn cells(many: usize) -> impl Iterator<Item = Vec<&'static str>> {
    TABLE
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|line| line.split(" | ").map(str::trim).collect::<Vec<_>>())
        .filter(move |cells| cells.len() == many && cells[0] != "Verb")
}

fn rows() -> Vec<Row> {
    let row = |cells: Vec<&'static str>| {
        let code = cells[3].parse().unwrap();
        Row {
            verb: cells[0],
            situation: cells[1],
            line: cells[2].trim_matches('`'),
            code,
            flux: match cells[4] {
                "=" => Some(code),
                "ours" => None,
                other => Some(other.parse().unwrap()),
            },
        }
    };
    cells(5).map(row).collect()
}

/// A server that accepts connections and never answers.
struct Silent {
    address: String,
    _listener: JoinHandle<()>,
}

impl Silent {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let listener = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                held.push(connection);
            }
        });
        Self {
            address,
            _listener: listener,
        }
    }
}

/// Everything that the rows refer to.
struct World {
    bed: &'static Testbed,
    nobody: PathBuf,
    unanswered: PathBuf,
    silent: Silent,
    registry: Registry,
    guarded: Registry,
    /// Webhooks that accept every call, do not know the path, and reject the signature.
    webhooks: [String; 3],
    home: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let bed = sluice_testkit::cluster().await;
        let home = tempfile::tempdir().unwrap();
        let silent = Silent::start().await;
        let unanswered = home.path().join("unanswered");
        fs::write(&unanswered, to(&silent.address)).unwrap();
        let guarded = RegistryOptions {
            basic: true,
            ..RegistryOptions::default()
        };
        Self {
            bed,
            nobody: bed.kubeconfig_in_group("nobody-at-all", None),
            unanswered,
            silent,
            registry: Registry::start().await,
            guarded: Registry::start_with(guarded).await,
            webhooks: [
                webhook(StatusCode::OK).await,
                webhook(StatusCode::NOT_FOUND).await,
                webhook(StatusCode::FORBIDDEN).await,
            ],
            home,
        }
    }

    fn line(&self, row: &Row) -> String {
        let line = row
            .line
            .replace("{registry}", self.registry.host())
            .replace("{guarded}", self.guarded.host())
            .replace("{silent}", &self.silent.address)
            .replace("{webhook}", &self.webhooks[0])
            .replace("{other webhook}", &self.webhooks[1])
            .replace("{closed webhook}", &self.webhooks[2]);
        if row.situation == "timeout" {
            format!("{line} --timeout=1s")
        } else {
            line
        }
    }

    fn call(&self, row: &Row) -> Call {
        let kubeconfig: &Path = match row.situation {
            "denied" => &self.nobody,
            "timeout" => &self.unanswered,
            _ => &self.bed.kubeconfig(),
        };
        let catalog = format!("http://{}/catalog.yaml", self.silent.address);
        Call::new(kubeconfig)
            .variable("HOME", self.home.path().display().to_string())
            .variable("FLUXCD_PLUGIN_CATALOG", catalog)
    }

    /// Runs every row from the same state, one after another. Rows with a silent server change
    /// nothing and wait concurrently.
    async fn run(&self, how: impl Fn(Call, &Row) -> Option<Call>) -> Vec<(Row, CommandResult)> {
        let stage = CaseFixture::set(self.bed, &Case::read(Path::new(SCENE))).await;
        let tag = format!(
            "push artifact oci://{}/app:latest --path ./app --source a --revision b --insecure-registry",
            self.registry.host()
        );
        let pushing = Call::new(&self.bed.kubeconfig());
        stage.run(&pushing, &tag).await.well();
        let run = async |row: Row| {
            let call = how(self.call(&row), &row)?;
            let ended = stage.run(&call, &self.line(&row)).await;
            Some((row, ended))
        };
        let (waiting, others): (Vec<_>, Vec<_>) = rows()
            .into_iter()
            .partition(|row| row.situation == "timeout");
        let abreast = |rows: Vec<Row>, many| {
            futures::stream::iter(rows)
                .map(&run)
                .buffered(many)
                .filter_map(std::future::ready)
                .collect::<Vec<_>>()
        };
        let (others, waiting) = tokio::join!(abreast(others, 1), abreast(waiting, ABREAST));
        stage.clear().await;
        others.into_iter().chain(waiting).collect()
    }
}

/// Returns a kubeconfig for this address, without credentials.
fn to(address: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: a\n\
         contexts: [{{name: a, context: {{cluster: a, user: a}}}}]\n\
         clusters: [{{name: a, cluster: {{server: 'http://{address}'}}}}]\n\
         users: [{{name: a, user: {{}}}}]\n"
    )
}

/// Starts a webhook with a fixed response.
async fn webhook(status: StatusCode) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let router = Router::new().fallback(async move || status);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

#[test]
fn every_verb_has_a_row_or_a_reason() {
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    for row in rows() {
        assert!(SITUATIONS.contains(&row.situation), "{}", row.line);
        known.insert((row.verb, row.situation));
    }
    for cells in cells(3) {
        let each = cells[1].split(", ").flat_map(|situation| match situation {
            "every" => SITUATIONS.to_vec(),
            one => vec![one],
        });
        known.extend(each.map(|situation| (cells[0], situation)));
    }
    let verbs = sluice::cli::VERBS.iter().map(|verb| verb.name);
    let missing: Vec<_> = verbs
        .filter(|verb| !verb.starts_with("__"))
        .flat_map(|verb| SITUATIONS.map(|situation| (verb, situation)))
        .filter(|pair| !known.contains(pair))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_verb_has_its_exit_codes() {
    let world = World::new().await;
    let mut wrong = Vec::new();
    let mut judge = |who: &str, ended: Vec<(Row, CommandResult)>, code: &dyn Fn(&Row) -> i32| {
        for (row, ended) in ended {
            let expected = code(&row);
            if ended.code != expected {
                wrong.push(format!(
                    "{who}, {}: {}: {}, not {expected}: {}",
                    row.situation, row.line, ended.code, ended.stderr
                ));
            }
        }
    };
    if let Some(reference) = Reference::find() {
        let flux = reference.binary("flux");
        // Flux does not apply `--timeout` to a silent server.
        let asks = |row: &Row| row.flux.is_some() && row.situation != "timeout";
        let how = |call: Call, row: &Row| asks(row).then(|| call.program(flux.clone()));
        let ended = world.run(how).await;
        judge("flux", ended, &|row| row.flux.unwrap_or(row.code));
    }
    let ended = world.run(|call, _| Some(call.called_sluice())).await;
    judge("sluice", ended, &|row| row.code);
    let strict = |call: Call, _: &Row| Some(call.variable("FLUX_COMPAT", "strict"));
    let ended = world.run(strict).await;
    judge("flux of ours, strict", ended, &|row| {
        row.flux.unwrap_or(row.code)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
