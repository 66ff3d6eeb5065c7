//! Artifacts of a source-watcher: one of many files, and many of which one changes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, ListOptions, PatchOptions};

use super::{Args, Figures};
use crate::bench::cluster::{self, NAMESPACE, float, is_ready};
use crate::bench::controller::Subject;
use crate::bench::stage::{File, Stage, config_map};

const CONTROLLER: &str = "source-watcher";
const GROUP: &str = "source.extensions.fluxcd.io";
const LARGE: &str = "large";
const SPLIT: &str = "split";

/// Measures both generators, one after the other.
pub(super) async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    cluster::define(&stage.cluster, CONTROLLER, &[generator()]).await?;
    let [files] = cluster::free_ports::<1>()?;
    let flags = [
        format!("--storage-path={}", stage.storage("artifacts")?.display()),
        format!("--storage-addr=127.0.0.1:{files}"),
        format!("--storage-adv-addr=127.0.0.1:{files}"),
    ];
    let flags = flags.each_ref().map(String::as_str);
    let (controller, _) = stage.start_other(CONTROLLER, subject, &flags)?;
    let took = large(args, &stage).await?;
    let usage = controller.usage()?;
    let (first, again, written) = split(args, &stage).await?;
    Ok(vec![
        ("artifact s", took.as_secs_f64()),
        ("artifact peak MiB", usage.peak_mib),
        ("artifact peak anonymous MiB", usage.peak_anonymous_mib),
        ("first artifacts s", first.as_secs_f64()),
        ("changed artifact s", again.as_secs_f64()),
        ("artifacts written", float(written)),
    ])
}

fn generator() -> GroupVersionKind {
    GroupVersionKind::gvk(GROUP, "v1beta1", "ArtifactGenerator")
}

/// Measures the time from a generator to its artifact.
async fn large(args: &Args, stage: &Stage) -> anyhow::Result<Duration> {
    let file = |number| {
        let path = format!("directory-{}/file-{number}.yaml", number / 100);
        (path, config_map(&format!("file-{number}"), "1"))
    };
    let files: Vec<File> = (0..args.artifact).map(file).collect();
    stage.publish(LARGE, "main@sha1:1", &files).await?;
    let spec = json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": LARGE }],
        "artifacts": [{ "name": LARGE, "copy": [{ "from": "@repo/**", "to": "@artifact/" }] }],
    });
    let began = Instant::now();
    create(stage, LARGE, spec).await?;
    until(stage, LARGE, None).await?;
    Ok(began.elapsed())
}

/// Measures the first artifacts of all directories, and those that one changed file writes.
async fn split(args: &Args, stage: &Stage) -> anyhow::Result<(Duration, Duration, usize)> {
    let mut files: Vec<File> = (0..args.directories)
        .map(|number| {
            let name = cluster::name(number);
            (format!("apps/{name}/app.yaml"), config_map(&name, "1"))
        })
        .collect();
    stage.publish(SPLIT, "main@sha1:1", &files).await?;
    let spec = json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": SPLIT }],
        "pathPattern": "@repo/apps/{app}",
        "artifacts": [{
            "name": "{app}", "copy": [{ "from": "@repo/apps/{app}/**", "to": "@artifact/" }],
        }],
    });
    let began = Instant::now();
    create(stage, SPLIT, spec).await?;
    let observed = until(stage, SPLIT, None).await?;
    let first = began.elapsed();
    let before = revisions(stage).await?;
    let (_, text) = files.first_mut().context("no directories")?;
    *text = config_map("changed", "2");
    stage.publish(SPLIT, "main@sha1:2", &files).await?;
    let began = Instant::now();
    until(stage, SPLIT, Some(&observed)).await?;
    let again = began.elapsed();
    let after = revisions(stage).await?;
    let written = after
        .iter()
        .filter(|&(name, version)| before.get(name) != Some(version));
    Ok((first, again, written.count()))
}

async fn create(stage: &Stage, name: &str, spec: Value) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ArtifactGenerator",
        "metadata": { "name": name, "namespace": NAMESPACE }, "spec": spec,
    });
    let options = PatchOptions::default();
    let cluster = &stage.cluster;
    cluster
        .create(&generator(), Some(NAMESPACE), &object, options)
        .await?;
    Ok(())
}

/// Waits until a generator is ready, with other sources than before. Returns their digest.
async fn until(stage: &Stage, name: &str, before: Option<&Value>) -> anyhow::Result<Value> {
    let digest = |object: &Value| object["status"]["observedSourcesDigest"].clone();
    let is_wanted = |object: &Value| {
        object["metadata"]["name"] == name && is_ready(object) && before != Some(&digest(object))
    };
    stage.until(&generator(), 1, is_wanted).await?;
    let object = stage
        .cluster
        .get(&generator(), Some(NAMESPACE), name)
        .await?;
    Ok(digest(&object.context("the generator is gone")?))
}

/// The versions of all artifacts. Each write changes one.
async fn revisions(stage: &Stage) -> anyhow::Result<BTreeMap<String, String>> {
    let kind = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "ExternalArtifact");
    let options = ListOptions::default();
    let list = stage.cluster.list(&kind, Some(NAMESPACE), &options).await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let version = |object: &Value| {
        let metadata = &object["metadata"];
        (text(&metadata["name"]), text(&metadata["resourceVersion"]))
    };
    Ok(list.items.iter().map(version).collect())
}
