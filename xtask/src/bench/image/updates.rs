//! Updates of a repository with many files: from an automation to its pushed commit.
//!
//! The Git server is `git http-backend`. Each measurement has a repository of its own, so that
//! nothing is cached.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_git::Limits;
use sluice_git::serve::{Change, Repository};
use sluice_testkit::GitBackend;

use super::Args;
use super::scans::GROUP;
use crate::bench::cluster::{self, NAMESPACE, source_kind};
use crate::bench::controller::Subject;
use crate::bench::report::median;
use crate::bench::stage::Stage;

pub(super) const CONTROLLER: &str = "image-automation-controller";
/// Number of directories of the edited files.
const DIRECTORIES: usize = 50;
/// The tag before the edit, and after it.
const TAGS: [&str; 2] = ["1.0.0", "1.1.0"];
const IMAGE: &str = "registry.example.com/app";
/// Time after which a started controller is idle.
const STARTED: Duration = Duration::from_secs(5);

/// The median time of an update, and the peak of memory of the controller.
pub(super) async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<(f64, f64)> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let policies = GroupVersionKind::gvk(GROUP, "v1", "ImagePolicy");
    let reflector = super::scans::CONTROLLER;
    cluster::define(&stage.cluster, reflector, std::slice::from_ref(&policies)).await?;
    cluster::define(&stage.cluster, CONTROLLER, &[automations()]).await?;
    create(&stage, &policies, "app", policy()).await?;
    let latest = json!({ "status": { "latestRef": { "name": IMAGE, "tag": TAGS[1] } } });
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let cluster = &stage.cluster;
    cluster
        .merge(&policies, Some(NAMESPACE), "app", &latest, options)
        .await?;
    let server = GitBackend::start().await;
    let store = format!("--git-store-path={}", stage.storage("git")?.display());
    // The reference has no such flag.
    let flags: &[&str] = if subject.name == "ours" {
        &[&store]
    } else {
        &[]
    };
    let (controller, _) = stage.start_other(CONTROLLER, subject, flags)?;
    tokio::time::sleep(STARTED).await;
    let mut times = Vec::new();
    for run in 0..args.runs.max(1) {
        let name = cluster::name(run);
        let repository = server.create(&format!("{name}.git"), "main");
        repository.commit("main", "First", &files(args))?;
        let spec = json!({
            "url": server.url(&format!("{name}.git")), "interval": "1h",
            "ref": { "branch": "main" },
        });
        create(&stage, &source_kind(), &name, spec).await?;
        let began = Instant::now();
        create(&stage, &automations(), &name, automation(&name)).await?;
        let is_pushed = |object: &Value| {
            object["metadata"]["name"] == *name && object["status"]["lastPushCommit"].is_string()
        };
        stage.until(&automations(), 1, is_pushed).await?;
        times.push(began.elapsed());
        check(args, &repository)?;
    }
    Ok((median(&mut times), controller.usage()?.peak_mib))
}

fn automations() -> GroupVersionKind {
    GroupVersionKind::gvk(GROUP, "v1", "ImageUpdateAutomation")
}

async fn create(
    stage: &Stage,
    kind: &GroupVersionKind,
    name: &str,
    spec: Value,
) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": format!("{}/{}", kind.group, kind.version), "kind": kind.kind,
        "metadata": { "name": name, "namespace": NAMESPACE }, "spec": spec,
    });
    let options = PatchOptions::default();
    let cluster = &stage.cluster;
    cluster
        .create(kind, Some(NAMESPACE), &object, options)
        .await?;
    Ok(())
}

/// The policy of all markers. Its status is written by the bench.
fn policy() -> Value {
    json!({ "imageRepositoryRef": { "name": "app" }, "policy": { "alphabetical": {} } })
}

fn automation(repository: &str) -> Value {
    json!({
        "interval": "1h",
        "sourceRef": { "kind": "GitRepository", "name": repository },
        "git": { "commit": { "author": { "name": "Bot", "email": "bot@example.com" } } },
        "update": { "strategy": "Setters" },
    })
}

fn path(number: usize) -> String {
    format!("directory-{:02}/app-{number:05}.yaml", number % DIRECTORIES)
}

/// Writes Deployments. The first ones have a marker each.
fn files(args: &Args) -> Vec<Change> {
    let file = |number| {
        let marker = if number < args.markers {
            format!(" # {{\"$imagepolicy\": \"{NAMESPACE}:app\"}}")
        } else {
            String::new()
        };
        Change::write(path(number), deployment(number, &marker))
    };
    (0..args.files).map(file).collect()
}

fn deployment(number: usize, marker: &str) -> String {
    let tag = TAGS[0];
    format!(
        "# A comment that stays.\n\
         apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-{number}\n  namespace: apps\n\
         \x20 labels:\n    app: \"app-{number}\"\nspec:\n  replicas: 2\n  selector:\n    matchLabels:\n\
         \x20     app: app-{number}\n  template:\n    metadata:\n      labels:\n        app: app-{number}\n\
         \x20   spec:\n      containers:\n      - name: app\n        image: {IMAGE}:{tag}{marker}\n\
         \x20       ports:\n        - {{ name: http, containerPort: 8080 }}\n        resources:\n\
         \x20         requests:\n            cpu: 100m\n            memory: 64Mi\n"
    )
}

/// Checks that all values of markers changed, and no other.
fn check(args: &Args, repository: &Repository) -> anyhow::Result<()> {
    let snapshot = repository.snapshot("main", Limits::default())?;
    let snapshot = snapshot.context("the branch is gone")?;
    for number in 0..args.files {
        let content = snapshot.read(Path::new(&path(number)), 1 << 20)?;
        let text = String::from_utf8(content.context("a file is gone")?)?;
        let is_updated = text.contains(&format!("{IMAGE}:{}", TAGS[1]));
        ensure!(
            is_updated == (number < args.markers),
            "file {number} has the wrong image"
        );
    }
    Ok(())
}
