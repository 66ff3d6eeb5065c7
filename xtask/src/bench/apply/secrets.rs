//! Encrypted Secrets, each with its own data key: for age, OpenPGP, and a slow transit engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::Router;
use axum::extract::Path;
use axum::routing::put;
use serde_json::{Value, json};
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::vault::{Client, StaticToken, Transit};
use sluice_sops::{DataKey, Format, KeyType, Metadata, PlainDocument, Recipient, Rule};

use super::Args;
use crate::bench::cluster::{self, NAMESPACE, apply};
use crate::bench::controller::Subject;
use crate::bench::report::{Report, median};
use crate::bench::stage::{File, Stage};

/// A test key without other use.
const AGE: &str = include_str!("../../../../crates/content/sops/tests/fixtures/keys/x25519.agekey");
const OPENPGP: &str =
    include_str!("../../../../crates/content/sops/tests/fixtures/keys/curve25519.asc");
const FINGERPRINT: &str = "AC7B08F8CF54D65E857E0F55FF566B6198719A70";
/// Token for the transit engine, which ignores it.
const TOKEN: &str = "bench";
/// Delay of the transit engine, as of a key service in the same region.
const LATENCY: Duration = Duration::from_millis(20);
const NAME: &str = "secrets";
const TIME: &str = "2026-01-01T00:00:00Z";

/// A kind of key: the encryption, and the Secret entry for decryption.
struct Keys {
    name: &'static str,
    keyring: Keyring,
    recipient: Recipient,
    entry: &'static str,
    secret: &'static str,
}

pub(super) async fn measure(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    for keys in [age()?, openpgp()?, transit().await?] {
        run(args, subject, &keys, report).await?;
    }
    Ok(())
}

fn age() -> anyhow::Result<Keys> {
    let recipient = AGE
        .lines()
        .find_map(|line| line.strip_prefix("# public key: "))
        .context("the key names its recipient")?;
    Ok(Keys {
        name: "age",
        keyring: Keyring::default(),
        recipient: Recipient::Age {
            recipient: recipient.to_owned(),
        },
        entry: "mine.agekey",
        secret: AGE,
    })
}

fn openpgp() -> anyhow::Result<Keys> {
    let mut keyring = Keyring::default();
    keyring.pgp.import(OPENPGP.as_bytes())?;
    Ok(Keys {
        name: "OpenPGP",
        keyring,
        recipient: Recipient::Pgp {
            fingerprint: FINGERPRINT.to_owned(),
        },
        entry: "mine.asc",
        secret: OPENPGP,
    })
}

async fn transit() -> anyhow::Result<Keys> {
    let client = Client::new(Arc::new(HttpClients::new("sluice-bench")), Dial::default());
    let token = Arc::new(StaticToken(Sensitive::from(TOKEN)));
    let service = Arc::new(Transit::new(client, token));
    Ok(Keys {
        name: "a transit engine",
        keyring: Keyring::default().with(KeyType::Vault, service),
        recipient: Recipient::Vault {
            address: serve().await?,
            engine: "transit".to_owned(),
            key: "key".to_owned(),
        },
        entry: "sops.vault-token",
        secret: TOKEN,
    })
}

/// Starts a fake transit engine and returns its address.
async fn serve() -> anyhow::Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let answer = |Path(path): Path<String>, body: axum::body::Bytes| async move {
        tokio::time::sleep(LATENCY).await;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let data = if path.starts_with("transit/encrypt/") {
            json!({ "ciphertext": format!("vault:v1:{}", text("plaintext")) })
        } else {
            let wrapped = text("ciphertext");
            json!({ "plaintext": wrapped.trim_start_matches("vault:v1:") })
        };
        json!({ "data": data }).to_string()
    };
    let router = Router::new().route("/v1/{*path}", put(answer).post(answer));
    drop(tokio::spawn(
        async move { axum::serve(listener, router).await },
    ));
    Ok(address)
}

async fn encrypted(name: &str, keys: &Keys) -> anyhow::Result<String> {
    let key = DataKey::generate();
    let groups = [vec![keys.recipient.clone()]];
    let metadata = Metadata {
        groups: keys.keyring.wrap_data_key(&key, &groups, 0, TIME).await?,
        rule: Rule::EncryptedRegex("^(data|stringData)$".to_owned()),
        last_modified: TIME.to_owned(),
        version: "3.13.3".to_owned(),
        ..Metadata::default()
    };
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {NAMESPACE}\nstringData:\n  password: secret of {name}\n"
    );
    let document = PlainDocument::load(text.as_bytes(), Format::Yaml)?;
    Ok(String::from_utf8(
        document.encrypt(metadata, &key)?.emit()?,
    )?)
}

async fn run(
    args: &Args,
    subject: &Subject,
    keys: &Keys,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let mut files: Vec<File> = Vec::new();
    for index in 0..args.secrets {
        let name = cluster::name(index);
        files.push((format!("{name}.yaml"), encrypted(&name, keys).await?));
    }
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "keys", "namespace": NAMESPACE },
        "stringData": { keys.entry: keys.secret },
    });
    apply(&stage.cluster, Some(NAMESPACE), &secret, "bench", false).await?;
    let controller = stage.controller(subject, &[]).await?;
    stage.publish(NAME, "0", &files).await?;
    let began = Instant::now();
    let decryption = json!({ "provider": "sops", "secretRef": { "name": "keys" } });
    stage
        .kustomization(NAME, NAME, json!({ "decryption": decryption }))
        .await?;
    stage.until_applied(1, "0").await?;
    let created = began.elapsed();
    let before = controller.usage()?.cpu;
    let mut again: Vec<Duration> = Vec::new();
    for run in 1..=args.runs {
        let revision = run.to_string();
        let began = Instant::now();
        stage.publish(NAME, &revision, &files).await?;
        stage.until_applied(1, &revision).await?;
        again.push(began.elapsed());
    }
    let usage = controller.usage()?;
    report.add(
        subject.name,
        &format!("{} Secrets encrypted for {}", args.secrets, keys.name),
        &[
            ("created s", created.as_secs_f64()),
            ("unchanged s", median(&mut again)),
            (
                "CPU s",
                usage.cpu.saturating_sub(before).as_secs_f64() / cluster::float(args.runs),
            ),
            ("peak MiB", usage.peak_mib),
            ("peak anonymous MiB", usage.peak_anonymous_mib),
        ],
    );
    Ok(())
}
