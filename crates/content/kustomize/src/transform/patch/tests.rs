//! Tests of patches: targets, strategic merges and JSON patches.

use std::sync::Arc;

use sluice_yaml::tree;

use super::legacy::{JsonPatch, StrategicPatches};
use super::{Files, Patch};
use crate::error::{Code, Error};
use crate::kustomization::fields;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::schema::Schema;

const DEPLOYMENT: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
";

const CONFIG_MAP: &str = "apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  labels:
    app: web
  name: web
  namespace: other
";

fn parse(text: &[u8], _: &str) -> Result<Vec<Resource>, Error> {
    let invalid = || Error::new(Code::ResourceInvalid, "missing Resource metadata");
    let text = std::str::from_utf8(text).unwrap();
    let documents = tree::parse_documents(text).map_err(|_| invalid())?;
    let schema = Arc::new(Schema::default());
    documents
        .into_iter()
        .filter(|node| !node.is_null())
        .map(|node| {
            let resource = Resource::new(node, Arc::clone(&schema));
            let named = !resource.kind().is_empty() && !resource.name().is_empty();
            named.then_some(resource).ok_or_else(invalid)
        })
        .collect()
}

fn resources(texts: &[&str]) -> ResourceMap {
    let mut resources = ResourceMap::new();
    for text in texts {
        resources
            .append_all(parse(text.as_bytes(), "").unwrap())
            .unwrap();
    }
    resources
}

fn printed(resources: &ResourceMap) -> String {
    let documents: Vec<String> = resources
        .iter()
        .map(|resource| sluice_yaml::v2::to_string(&resource.node().to_value().unwrap()))
        .collect();
    documents.join("---\n")
}

fn no_file(path: &str) -> Result<Vec<u8>, Error> {
    Err(Error::new(Code::PathNotFound, format!("no {path}")))
}

const FILES: Files<'static> = Files {
    read: &no_file,
    parse: &parse,
};

fn target(kind: &str, name: &str) -> fields::Selector {
    fields::Selector {
        kind: kind.to_owned(),
        name: name.to_owned(),
        ..fields::Selector::default()
    }
}

fn entry(patch: &str, target: Option<fields::Selector>) -> fields::Patch {
    fields::Patch {
        patch: patch.to_owned(),
        target,
        ..fields::Patch::default()
    }
}

#[track_caller]
fn patched(entry: &fields::Patch, texts: &[&str]) -> Result<String, Error> {
    let mut resources = resources(texts);
    Patch::from_field(entry, &FILES)?.apply(&mut resources)?;
    Ok(printed(&resources))
}

#[track_caller]
fn refused(entry: &fields::Patch, code: Code, message: &str) {
    let error = patched(entry, &[DEPLOYMENT, CONFIG_MAP]).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(error.code(), code);
}

#[test]
fn patch_without_target_is_merged_by_id() {
    let patch = entry(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}",
        None,
    );
    let printed = patched(&patch, &[DEPLOYMENT, CONFIG_MAP]).unwrap();
    assert_eq!(
        printed,
        format!(
            "{}---\n{CONFIG_MAP}",
            DEPLOYMENT.replace('1', "2").replace("v2", "v1")
        )
    );
}

#[test]
fn patch_for_missing_resource_is_rejected() {
    refused(
        &entry("apiVersion: v1\nkind: Pod\nmetadata: {name: web}", None),
        Code::PatchTarget,
        "no resource matches strategic merge patch \"Pod.v1.[noGrp]/web.[noNs]\": no matches for Id Pod.v1.[noGrp]/web.[noNs]; failed to find unique target for patch Pod.v1.[noGrp]/web.[noNs]",
    );
}

#[test]
fn patch_keeps_name_kind_and_namespace() {
    let patch = "apiVersion: v2\nkind: Other\nmetadata: {name: other, namespace: x}\nnew: 1";
    let printed = patched(&entry(patch, Some(target("Deployment", ""))), &[DEPLOYMENT]).unwrap();
    assert_eq!(
        printed,
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nnew: 1\nspec:\n  replicas: 1\n"
    );
}

#[test]
fn options_allow_renames_and_previous_id_is_stored() {
    let patch = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: new}";
    let mut entry = entry(patch, Some(target("Deployment", "web")));
    entry.options = Some(fields::PatchOptions {
        allow_name_change: true,
        allow_kind_change: true,
    });
    let mut resources = resources(&[DEPLOYMENT]);
    let patch = Patch::from_field(&entry, &FILES).unwrap();
    patch.apply(&mut resources).unwrap();
    let resource = resources.get(0);
    assert_eq!(
        resource.cur_id().to_string(),
        "StatefulSet.v1.apps/new.[noNs]"
    );
    assert_eq!(
        resource.orig_id().to_string(),
        "Deployment.v1.apps/web.default"
    );
    assert!(resource.annotations().is_empty());
}

#[test]
fn patch_deletes_its_target() {
    let delete = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n$patch: delete";
    let printed = patched(&entry(delete, Some(target("", ".*"))), &[DEPLOYMENT]).unwrap();
    assert_eq!(printed, "");
}

#[test]
fn target_without_matches_is_not_an_error() {
    let patch = entry("[{op: remove, path: /spec}]", None);
    let yaml = entry("- op: remove\n  path: /gone", Some(target("Pod", "")));
    assert_eq!(patched(&yaml, &[DEPLOYMENT]).unwrap(), DEPLOYMENT);
    // YAML that begins with a bracket is parsed as JSON.
    refused(
        &patch,
        Code::PatchInvalid,
        "trouble configuring builtin PatchTransformer with config: `\npatch: '[{op: remove, path: /spec}]'\n`: unable to parse SM or JSON patch from [patch: \"[{op: remove, path: /spec}]\"]",
    );
}

#[test]
fn json_patch_can_add_to_missing_annotations() {
    let add = "- {op: add, path: /metadata/annotations/a~1b, value: 1}";
    let printed = patched(&entry(add, Some(target("Deployment", ""))), &[DEPLOYMENT]).unwrap();
    assert!(
        printed.contains("  annotations:\n    a/b: \"1\"\n"),
        "{printed}"
    );
    // With the older field, the map of annotations does not exist.
    let legacy = JsonPatch::from_field(&entry(add, Some(target("Deployment", "web"))), &FILES);
    let error = legacy
        .unwrap()
        .apply(&mut resources(&[DEPLOYMENT]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "add operation does not apply: doc is missing path: \"/metadata/annotations/a~1b\": missing value"
    );
    assert_eq!(error.code(), Code::PatchFailed);
}

#[test]
fn patch_that_removes_annotations_clears_history() {
    for (patch, remembered) in [
        ("metadata: {annotations: null}", false),
        ("metadata: {annotations: {x: y}}", true),
    ] {
        let patch = format!("{patch}\napiVersion: apps/v1\nkind: Deployment\n");
        let patch = patch.replace("metadata: {", "metadata: {name: web, ");
        let mut resources = resources(&[DEPLOYMENT]);
        resources.edit(0, |resource| {
            resource.set_needs_hash(true);
            resource.store_previous_id();
            resource.set_name("web2");
        });
        let patch = Patch::from_field(&entry(&patch, None), &FILES).unwrap();
        patch.apply(&mut resources).unwrap();
        let resource = resources.get(0);
        assert_eq!(resource.previous_ids().next().is_some(), remembered);
        assert_eq!(resource.needs_hash(), remembered);
    }
}

#[test]
fn null_label_is_removed_only_without_a_target() {
    let patch = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: other, labels: {app: null}}";
    let without = patched(&entry(patch, None), &[CONFIG_MAP]).unwrap();
    assert!(!without.contains("app"), "{without}");
    let with = patched(&entry(patch, Some(target("ConfigMap", ""))), &[CONFIG_MAP]).unwrap();
    assert!(with.contains("    app: \"null\"\n"), "{with}");
    let legacy = StrategicPatches::from_field(&[patch.to_owned()], &FILES).unwrap();
    let mut resources = resources(&[CONFIG_MAP]);
    legacy.apply(&mut resources).unwrap();
    assert_eq!(printed(&resources), with);
}

#[test]
fn selectors_filter_the_targets() {
    let remove = "- op: remove\n  path: /data";
    let select = |labels: &str, namespace: &str| {
        let mut target = target("", "we.");
        target.label_selector = labels.to_owned();
        target.namespace = namespace.to_owned();
        patched(&entry(remove, Some(target)), &[CONFIG_MAP])
    };
    assert!(!select("app=web", "").unwrap().contains("\ndata:"));
    assert!(select("app!=web", "").unwrap().contains("\ndata:"));
    assert!(!select("", "oth.*").unwrap().contains("\ndata:"));
    assert!(select("", "oth").unwrap().contains("\ndata:"));
    assert_eq!(
        select("app in", "").unwrap_err().to_string(),
        "unable to parse requirement: found '' expected: '('"
    );
    // If no resource matches all else, the selector is not parsed.
    assert!(select("app in", "none").is_ok());
}

#[test]
fn invalid_entries_are_rejected_in_upstreams_words() {
    let in_config = |config: &str, message: &str| {
        format!("trouble configuring builtin PatchTransformer with config: `\n{config}`: {message}")
    };
    let sm = "apiVersion: v1\nkind: A\nmetadata: {name: a}";
    let twice = format!("{sm}\n---\n{sm}");
    refused(
        &fields::Patch::default(),
        Code::PatchInvalid,
        &in_config("{}\n", "must specify one of patch and path in\n{}\n"),
    );
    let both = fields::Patch {
        path: "p.yaml".to_owned(),
        ..entry("x", None)
    };
    let config = "patch: x\npath: p.yaml\n";
    refused(
        &both,
        Code::PatchInvalid,
        &in_config(
            config,
            &format!("patch and path can't be set at the same time\n{config}"),
        ),
    );
    let missing = fields::Patch {
        path: "p.yaml".to_owned(),
        ..fields::Patch::default()
    };
    refused(
        &missing,
        Code::PathNotFound,
        &in_config(
            "path: p.yaml\n",
            "failed to get the patch file from path(p.yaml): no p.yaml",
        ),
    );
    refused(
        &entry("- op: remove\n  path: /a", None),
        Code::PatchTarget,
        "must specify a target for JSON patch [patch: \"- op: remove\\n  path: /a\"]",
    );
    refused(
        &entry(&twice, Some(target("A", ""))),
        Code::PatchInvalid,
        &format!(
            "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field: [patch: {}]",
            sluice_golang::quote::quote(&twice)
        ),
    );
    let fails = "- {op: test, path: /spec/replicas, value: 2}";
    refused(
        &entry(fails, Some(target("Deployment", ""))),
        Code::PatchFailed,
        "testing value /spec/replicas failed: test failed",
    );
}

#[test]
fn patch_of_comments_has_no_effect() {
    assert_eq!(
        patched(&entry("# nothing", None), &[DEPLOYMENT]).unwrap(),
        DEPLOYMENT
    );
}
