//! Tests which installations can be taken over.
#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of a table read better without a reference at each value"
)]

use serde_json::json;
use sluice_manifests::{COMPONENTS, FLUX_VERSION, Images, Options, Tag, generate};

use serde_json::Value;
use sluice_api::KINDS;
use sluice_lifecycle::takeover::*;
use sluice_object::Object;

mod fields;

const CONTROLLERS: &[&str] = &[
    "source-controller",
    "kustomize-controller",
    "helm-controller",
];

fn options(images: Images, components: &[&str]) -> Options {
    Options {
        components: components.iter().map(|&name| name.to_owned()).collect(),
        version: FLUX_VERSION.to_owned(),
        images,
        ..Options::default()
    }
}

fn stock() -> Installation {
    stock_of(CONTROLLERS)
}

/// Returns a stock Flux installation without objects.
fn stock_of(components: &[&str]) -> Installation {
    let images = Images {
        registry: sluice_manifests::FLUX_REGISTRY.to_owned(),
        tag: Tag::Flux,
    };
    let objects = generate(&options(images, components)).unwrap().objects;
    let of = |kind: &str| {
        let found = objects.iter().filter(|object| object.kind() == kind);
        found.cloned().collect::<Vec<_>>()
    };
    Installation {
        deployments: of("Deployment"),
        definitions: of("CustomResourceDefinition"),
        ..Installation::default()
    }
}

fn ours() -> Images {
    Images {
        registry: "ours.example".to_owned(),
        tag: Tag::Fixed("v0.1.0".to_owned()),
    }
}

fn object(kind: &str, name: &str, spec: Value) -> Object {
    let info = KINDS.iter().find(|info| info.kind == kind).unwrap();
    let object = json!({
        "apiVersion": info.api_version(), "kind": kind,
        "metadata": { "name": name, "namespace": "apps" }, "spec": spec,
    });
    Object::try_from(object).unwrap()
}

fn flag_faults(name: &str, flags: &[String]) -> Vec<String> {
    crate::commands::controller::flag_faults(name, flags)
}

fn judged(observed: &Installation) -> Report {
    let components = ["source-controller", "kustomize-controller"].map(str::to_owned);
    judge(observed, &ours(), &components, &flag_faults)
}

/// Returns the obstacles as lines.
fn missing(observed: &Installation) -> Vec<String> {
    let report = judged(observed);
    let all = report.components.iter().flat_map(|answer| &answer.missing);
    all.map(|missing| format!("{}: {}", missing.object, missing.reason))
        .collect()
}

#[test]
fn stock_installation_is_covered_by_our_controllers() {
    let observed = stock();
    let report = judged(&observed);
    assert!(report.covered, "{report:#?}");
    assert_eq!(
        report.to_text(),
        "source-controller: covered\n  \
         Deployment/flux-system/source-controller ghcr.io/fluxcd/source-controller:v1.9.4 → ours.example/source-controller:v0.1.0\n\
         kustomize-controller: covered\n  \
         Deployment/flux-system/kustomize-controller ghcr.io/fluxcd/kustomize-controller:v1.9.4 → ours.example/kustomize-controller:v0.1.0\n"
    );
    let whole = judge(&observed, &ours(), &[], &flag_faults);
    let helm = &whole.components[2];
    assert_eq!((helm.component, helm.covered), ("helm-controller", true));
    assert_eq!(helm.missing, []);
}

#[test]
fn missing_component_is_not_covered() {
    let mut observed = stock();
    observed.deployments.clear();
    assert_eq!(
        missing(&observed),
        [
            "source-controller: it is not installed",
            "kustomize-controller: it is not installed"
        ]
    );
    assert_eq!(judge(&observed, &ours(), &[], &flag_faults).components, []);
}

#[test]
fn unserved_object_is_named_with_reason() {
    let mut observed = stock();
    observed.objects = vec![
        object(
            "GitRepository",
            "good",
            json!({ "url": "https://e/r", "interval": "1m" }),
        ),
        object(
            "Kustomization",
            "good",
            json!({ "path": "./", "interval": "1m" }),
        ),
        object("Kustomization", "e", json!({ "fromTomorrow": true })),
    ];
    assert_eq!(
        missing(&observed),
        ["Kustomization/apps/e: spec.fromTomorrow is a field that this version does not know",]
    );
}

fn with_container(change: impl Fn(&mut Value)) -> Installation {
    let mut observed = stock();
    let deployment = &mut observed.deployments[1];
    assert_eq!(deployment.name(), "kustomize-controller");
    let containers = deployment.at_mut(&["spec", "template", "spec", "containers"]);
    change(&mut containers.unwrap()[0]);
    observed
}

fn with_argument(argument: &str) -> Installation {
    with_container(|container| {
        container["args"]
            .as_array_mut()
            .unwrap()
            .push(argument.into());
    })
}

#[test]
fn deployment_with_unknown_flags_is_not_covered() {
    for (observed, said) in [
        (with_argument("--concurrent=20"), ""),
        (with_argument("--feature-gates=ExternalArtifact=true"), ""),
        (with_argument("--of-tomorrow=1"), "--of-tomorrow"),
        (
            with_argument("--feature-gates=OfTomorrow=true"),
            "feature-gate 'OfTomorrow' not supported",
        ),
        (
            with_container(|container| container["command"] = json!(["/bin/x"])),
            "command of its own",
        ),
        (
            with_container(|container| container["name"] = "other".into()),
            "no container called manager",
        ),
    ] {
        let missing = missing(&observed);
        match (said, &*missing) {
            ("", []) => {}
            (_, [one]) => {
                assert!(
                    one.starts_with("Deployment/flux-system/kustomize-controller: "),
                    "{one}"
                );
                assert!(!said.is_empty() && one.contains(said), "{said}: {one}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn plan_names_every_wrong_flag() {
    let observed = with_container(|container| {
        let arguments = container["args"].as_array_mut().unwrap();
        for argument in [
            "--of-tomorrow=1",
            "--feature-gates=OfTomorrow=true,Bogus=true,ExternalArtifact=true",
            "--concurrent=many",
            "--unheard",
            "of",
        ] {
            arguments.push(argument.into());
        }
    });
    let missing = missing(&observed);
    let reasons = missing.iter().map(|one| one.split_once(": ").unwrap().1);
    let expected = [
        "feature-gate 'Bogus' not supported",
        "feature-gate 'OfTomorrow' not supported",
        "invalid argument \"many\" for \"--concurrent\" flag: ",
        "unknown flag: --of-tomorrow",
        "unknown flag: --unheard",
    ];
    assert_eq!(missing.len(), expected.len(), "{missing:#?}");
    for (found, expected) in reasons.zip(expected) {
        assert!(found.starts_with(expected), "{found}: {expected}");
    }
}

#[test]
fn summary_counts_the_checked_objects() {
    let mut observed = stock();
    let spec = json!({ "path": "./", "interval": "1m" });
    observed.objects = vec![object("Kustomization", "good", spec)];
    let counts = CheckedCounts::of(&observed, &judged(&observed));
    let kinds = KINDS
        .iter()
        .filter(|it| CONTROLLERS[..2].contains(&it.component));
    let kinds = kinds.count();
    assert_eq!(
        counts.to_text(),
        format!("checked: 2 Deployments and 1 objects of {kinds} kinds; images were not pulled")
    );
}

#[test]
fn additional_variable_is_noted() {
    let variable = json!({ "name": "SOPS_AGE_KEY", "value": "x" });
    let with_variable = with_container(|container| {
        container["env"]
            .as_array_mut()
            .unwrap()
            .push(variable.clone());
    });
    let notes = &judged(&with_variable).components[1].notes;
    assert_eq!(
        *notes,
        [
            "Deployment/flux-system/kustomize-controller has variables besides the stock ones: SOPS_AGE_KEY"
        ]
    );
}

#[test]
fn definition_must_serve_the_read_version() {
    let mut observed = stock();
    let kustomization = "kustomizations.kustomize.toolkit.fluxcd.io";
    for definition in &mut observed.definitions {
        if definition.name() == kustomization {
            let mut value = definition.to_value();
            value["status"] = json!({ "storedVersions": ["v1beta2", "v1"] });
            *definition = Object::try_from(value).unwrap();
        }
    }
    let report = judged(&observed);
    assert!(report.covered);
    assert_eq!(
        report.components[1].notes,
        [format!(
            "{kustomization} has objects stored as v1beta2, v1: migrate writes them anew"
        )]
    );
    for definition in &mut observed.definitions {
        let mut value = definition.to_value();
        if definition.name() == kustomization {
            value["spec"]["versions"][0]["name"] = "v1beta2".into();
        }
        *definition = Object::try_from(value).unwrap();
    }
    observed
        .definitions
        .retain(|definition| definition.name() != "gitrepositories.source.toolkit.fluxcd.io");
    assert_eq!(
        missing(&observed),
        [
            "CustomResourceDefinition/gitrepositories.source.toolkit.fluxcd.io: it is not there: upgrade Flux first".to_owned(),
            format!("CustomResourceDefinition/{kustomization}: v1 is not served, and no other version is read: upgrade Flux first"),
        ]
    );
}

#[test]
fn shard_belongs_to_component_of_its_image() {
    let mut observed = stock();
    let mut shard = observed.deployments[1].clone();
    shard.set_name("kustomize-controller-shard1");
    shard.metadata_mut().remove("labels");
    observed.deployments.push(shard);
    let targets = &judged(&observed).components[1].deployments;
    let names: Vec<&str> = targets.iter().map(|target| &*target.deployment).collect();
    assert_eq!(
        names,
        [
            "Deployment/flux-system/kustomize-controller",
            "Deployment/flux-system/kustomize-controller-shard1"
        ]
    );
}

#[test]
fn each_component_serves_a_kind() {
    for component in COMPONENTS {
        let mut kinds = KINDS.iter().filter(|info| info.component == component.name);
        assert!(kinds.next().is_some(), "{}", component.name);
    }
}
