//! Secrets encrypted for one age key, each with a data key of its own.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use sluice_sops::keys::Keyring;
use sluice_sops::{DataKey, Format, Metadata, Plain, Recipient, Rule};

use super::Args;
use crate::bench::controller::Subject;
use crate::bench::mttp::{self, NAMESPACE, apply};
use crate::bench::report::{Report, median};
use crate::bench::stage::{File, Stage};

/// Made for tests of documents, and for nothing else.
const KEY: &str = include_str!("../../../../crates/sops/tests/fixtures/keys/x25519.agekey");
const NAME: &str = "secrets";
const TIME: &str = "2026-01-01T00:00:00Z";

async fn encrypted(name: &str) -> anyhow::Result<String> {
    let recipient = KEY
        .lines()
        .find_map(|line| line.strip_prefix("# public key: "))
        .context("the key names its recipient")?;
    let recipient = Recipient::Age {
        recipient: recipient.to_owned(),
    };
    let key = DataKey::generate();
    let metadata = Metadata {
        groups: Keyring::default()
            .wrap_data_key(&key, &[vec![recipient]], 0, TIME)
            .await?,
        rule: Rule::EncryptedRegex("^(data|stringData)$".to_owned()),
        last_modified: TIME.to_owned(),
        version: "3.13.3".to_owned(),
        ..Metadata::default()
    };
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {NAMESPACE}\nstringData:\n  password: secret of {name}\n"
    );
    let document = Plain::load(text.as_bytes(), Format::Yaml)?;
    Ok(String::from_utf8(
        document.encrypt(metadata, &key)?.emit()?,
    )?)
}

pub(super) async fn measure(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.usual.log.as_deref()).await?;
    let mut files: Vec<File> = Vec::new();
    for index in 0..args.secrets {
        let name = mttp::name(index);
        files.push((format!("{name}.yaml"), encrypted(&name).await?));
    }
    let keys = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "keys", "namespace": NAMESPACE },
        "stringData": { "mine.agekey": KEY },
    });
    apply(&stage.cluster, Some(NAMESPACE), &keys, "bench", false).await?;
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
        &format!("{} Secrets encrypted by age", args.secrets),
        &[
            ("created s", created.as_secs_f64()),
            ("unchanged s", median(&mut again)),
            (
                "CPU s",
                usage.cpu.saturating_sub(before).as_secs_f64() / mttp::float(args.runs),
            ),
            ("peak MiB", usage.peak_mib),
            ("peak anonymous MiB", usage.peak_anonymous_mib),
        ],
    );
    Ok(())
}
