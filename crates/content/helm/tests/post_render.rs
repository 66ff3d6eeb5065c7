//! Post-rendered manifests beside those that Helm stores for helm-controller.
//!
//! `cargo xtask vectors --only helm` records the answers of the program in `oracle`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "oracle/charts.rs"]
mod charts;
#[path = "oracle/questions.rs"]
mod questions;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use charts::load;
use questions::vectors;
use sluice_chart::values::Json;
use sluice_chart::{TemplateOptions, template_with};
use sluice_helm::post_render::{PostRenderer, Step, Strategy};
use sluice_helm::record::go_text;

fn texts(entries: &Json) -> BTreeMap<String, String> {
    let entries = entries.as_object().into_iter().flatten();
    let entries = entries.map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned()));
    entries.collect()
}

fn render(vector: &Json) -> Result<String, String> {
    let strategy = Strategy::from_name(vector["strategy"].as_str().unwrap_or_default())?;
    let mut steps = Vec::new();
    if let Some(kustomization) = vector["kustomization"].as_str() {
        steps.push(Step::Kustomize(
            serde_json::from_str(kustomization).unwrap(),
        ));
    }
    steps.push(Step::Metadata {
        labels: texts(&vector["labels"]),
        annotations: texts(&vector["annotations"]),
    });
    let group = "helm.toolkit.fluxcd.io";
    steps.push(Step::origin_labels(group, "default", "rel"));
    let renderer = PostRenderer { strategy, steps };
    let (chart, user) = load(vector);
    let mut options = TemplateOptions::default();
    "rel".clone_into(&mut options.release.name);
    let mut change = |files| renderer.run(files);
    let rendered = template_with(chart, &user, &options, None, &mut change)
        .map_err(|error| error.to_string())?;
    let mut out = go_text(&rendered.manifest());
    for hook in &rendered.hooks {
        let (name, path) = (&hook.name, &hook.path);
        writeln!(out, "=== hook {name} {path}\n{}", go_text(&hook.content)).unwrap();
    }
    Ok(out)
}

#[test]
fn manifests_are_those_that_helm_stores() {
    let (mut count, mut wrong) = (0, Vec::new());
    for vector in vectors("post_render") {
        let ours = render(&vector);
        let about = format!(
            "{} {} {}",
            vector["chart"], vector["strategy"], vector["files"]
        );
        match (vector["result"].as_str(), vector["error"].as_str()) {
            (None, Some(_)) if ours.is_err() => {}
            (None, Some(theirs)) => wrong.push(format!("{about}\nHelm: {theirs}\nours: {ours:?}")),
            (theirs, _) if ours.as_deref().ok() == theirs.or(Some("")) => count += 1,
            (theirs, _) => {
                let theirs = theirs.unwrap_or_default();
                wrong.push(match ours {
                    Ok(ours) => format!("{about}\nHelm: {theirs}\nours: {ours}"),
                    Err(ours) => format!("{about}\nHelm: {theirs}\nour error: {ours}"),
                });
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ: {}",
        wrong.len(),
        wrong.join("\n========\n")
    );
    assert!(count >= 20, "{count}");
}
