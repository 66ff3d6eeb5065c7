//! Compares `install --export` with Flux's: every set of components, and every flag that changes
//! the manifests.
//!
//! The test compares the text of all objects. Of CRDs it compares the names, and with a local Flux
//! also the content without descriptions. `sluice-api` compares our CRDs with a record.
//! `manifests-recorded.txt` holds digests of the output of Flux 2.9.4. With `REFERENCE_BIN_DIR`,
//! `RECORD=1` records them again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sluice_testkit::Reference;

use crate::program;

const RECORDED: &str = include_str!("manifests-recorded.txt");

const COMPONENTS: [&str; 7] = [
    "source-controller",
    "kustomize-controller",
    "helm-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

const EXTRA: &str =
    "--components-extra=image-reflector-controller,image-automation-controller,source-watcher";

/// Returns the flags of every set of components, and each other flag alone and with all components.
fn lines() -> Vec<String> {
    let sets = (1..1_u32 << COMPONENTS.len()).map(|set| {
        let chosen = COMPONENTS.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| (set >> index) & 1 == 1);
        let names: Vec<&str> = chosen.map(|(_, name)| *name).collect();
        format!("--components={}", names.join(","))
    });
    let single = [
        "--network-policy=false",
        "--watch-all-namespaces=false",
        "--log-level=debug",
        "--cluster-domain=corp.example",
        "--image-pull-secret=regcred",
        "--toleration-keys=node.example/spot,b",
        "--namespace=gitops",
        "--registry=mirror.example:5000/flux",
    ];
    let pairs = single.iter().enumerate().flat_map(|(index, one)| {
        let others = single[index + 1..].iter();
        others.map(move |other| format!("{one} {other} {EXTRA}"))
    });
    let alone = single.iter().map(|flag| (*flag).to_owned());
    let over_all = single.iter().map(|flag| format!("{flag} {EXTRA}"));
    let all_at_once = [format!("{} {EXTRA}", single.join(" "))];
    let none = [String::new()];
    sets.chain(none)
        .chain(alone)
        .chain(over_all)
        .chain(pairs)
        .chain(all_at_once)
        .collect()
}

fn export(program: &OsStr, line: &str, more: &[&str]) -> String {
    let output = Command::new(program)
        .args(["install", "--export"])
        .args(line.split_whitespace())
        .args(more)
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped comparison must be reported")]
fn every_set_of_components_is_laid_out_as_flux_does() {
    let reference =
        std::env::var_os("REFERENCE_BIN_DIR").map(|folder| Path::new(&folder).join("flux"));
    if reference.is_none() {
        eprintln!("REFERENCE_BIN_DIR is not set: digests recorded of Flux are compared");
    }
    let is_recorded_anew = std::env::var_os("RECORD").is_some_and(|value| value == "1");
    let recorded: BTreeMap<&str, &str> = RECORDED
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(digest, line)| (line, digest))
        .collect();
    let mut anew = String::new();
    for line in lines() {
        let ours = export(program::flux().as_os_str(), &line, &["--flux-images"]);
        let ours = Reference::comparable(&ours);
        if let Some(flux) = &reference {
            let theirs = Reference::comparable(&export(flux.as_os_str(), &line, &[]));
            assert_eq!(ours, theirs, "{line}");
            writeln!(anew, "{} {line}", Reference::digest(&theirs)).unwrap();
        } else {
            let expected = recorded.get(line.as_str()).copied();
            assert_eq!(Some(Reference::digest(&ours).as_str()), expected, "{line}");
        }
    }
    if reference.is_some() && is_recorded_anew {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/cli/manifests-recorded.txt"
        );
        std::fs::write(path, anew).unwrap();
    } else if reference.is_some() {
        assert_eq!(
            anew, RECORDED,
            "Flux prints something else than what was recorded"
        );
    }
}

/// Removes the descriptions of a schema.
fn silence(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            // A property may be named `description` as well, but is not text.
            if map.get("description").is_some_and(Value::is_string) {
                map.remove("description");
            }
            map.values_mut().for_each(silence);
        }
        Value::Array(list) => list.iter_mut().for_each(silence),
        _ => {}
    }
}

/// Returns the CRDs of some manifests by name.
fn definitions(manifests: &str) -> BTreeMap<String, Value> {
    let documents = sluice_yaml::v2::documents(manifests).unwrap().into_iter();
    documents
        .filter(|document: &Value| document["kind"] == "CustomResourceDefinition")
        .map(|mut definition| {
            silence(&mut definition);
            let name = definition["metadata"]["name"].as_str().unwrap();
            (name.to_owned(), definition)
        })
        .collect()
}

#[test]
fn definitions_are_flux_s_but_for_their_descriptions() {
    let Some(reference) = Reference::find() else {
        return;
    };
    let flux = reference.binary("flux");
    let theirs = definitions(&export(flux.as_os_str(), EXTRA, &[]));
    let mut ours = definitions(&export(
        program::flux().as_os_str(),
        EXTRA,
        &["--flux-images"],
    ));
    // This field is newer than the recorded release.
    let types = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/type/enum";
    let provider = ours.get_mut("providers.notification.toolkit.fluxcd.io");
    let types = provider.unwrap().pointer_mut(types).unwrap();
    let types = types.as_array_mut().unwrap();
    types.retain(|name| name != "zoom" && name != "incident.io");
    for (name, definition) in &theirs {
        assert_eq!(ours.get(name), Some(definition), "{name}");
    }
    assert_eq!(ours.len(), theirs.len());
}
