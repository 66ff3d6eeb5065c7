//! Plans in tables, and the objects of all tests.

mod conclusions;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde_json::{Value, json};
use sluice_api::artifact::Artifact;
use sluice_api::source::ExternalArtifact;
use sluice_producer::Tree;
use sluice_system::budget::Budget;

use super::model::{BuiltArtifact, Current, PublishedArtifact, Removal, StorageState, Work};
use super::*;
use crate::expand::ArtifactRequest;
use crate::external_artifact::{desired, is_published, names_as_source, over, status};
use crate::sources::{self, Sources};

const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn times() -> Times {
    Times {
        started: Timestamp::UNIX_EPOCH,
        now: Timestamp::UNIX_EPOCH,
    }
}

fn spec() -> Value {
    json!({
        "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
        "artifacts": [
            {
                "name": "app", "revision": "@repo", "originRevision": "@repo",
                "copy": [{ "from": "@repo/app", "to": "@artifact/" }],
            },
            { "name": "other", "copy": [{ "from": "@repo/other", "to": "@artifact/" }] },
        ],
    })
}

fn generator(spec: &Value, status: &Value) -> ArtifactGenerator {
    let finalizer = source_watcher::FINALIZER;
    serde_json::from_value(json!({
        "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
        "metadata": {
            "name": "split", "namespace": "apps", "uid": "own", "generation": 2,
            "finalizers": [finalizer],
        },
        "spec": spec, "status": status,
    }))
    .unwrap()
}

fn entry(name: &str) -> Value {
    json!({ "name": name, "namespace": "apps", "digest": DIGEST, "filename": "1.tar.gz" })
}

/// A generator whose last run succeeded.
fn ready() -> ArtifactGenerator {
    generator(
        &spec(),
        &json!({
            "conditions": [condition("Ready", "True", "Succeeded", 2)],
            "inventory": [entry("app"), entry("other")],
            "observedSourcesDigest": sources::digest(&found()),
        }),
    )
}

fn condition(name: &str, status: &str, reason: &str, generation: i64) -> Value {
    json!({
        "type": name, "status": status, "reason": reason, "message": "",
        "observedGeneration": generation, "lastTransitionTime": "2026-01-01T00:00:00Z",
    })
}

fn source() -> Artifact {
    Artifact {
        digest: DIGEST.to_owned(),
        revision: "main@sha1:1".to_owned(),
        url: "http://source/1.tar.gz".to_owned(),
        ..Artifact::default()
    }
}

fn found() -> Sources {
    Sources::from([("repo".to_owned(), source())])
}

fn published_object(name: &str, change: impl FnOnce(&mut Value)) -> Arc<ExternalArtifact> {
    let mut object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "ExternalArtifact",
        "metadata": {
            "name": name, "namespace": "apps", "uid": name,
            "labels": { "source.extensions.fluxcd.io/generator": "own" },
        },
        "spec": { "sourceRef": {
            "kind": "ArtifactGenerator", "name": "split", "namespace": "apps",
        } },
        "status": { "artifact": {
            "digest": DIGEST, "revision": "main@sha1:1", "path": "a", "url": "http://x/a",
            "lastUpdateTime": "2026-01-01T00:00:00Z",
            "metadata": { "org.opencontainers.image.revision": "main@sha1:1" },
        } },
    });
    change(&mut object);
    Arc::new(serde_json::from_value(object).unwrap())
}

fn facts(generator: &ArtifactGenerator) -> Facts {
    let live = ["app", "other"].map(|name| (name.to_owned(), published_object(name, |_| ())));
    Facts {
        settings: Settings {
            no_cross_namespace: true,
            requeue_dependency: Duration::from_secs(5),
        },
        time: run_time::RunTime::new(Duration::from_mins(10), std::time::Instant::now()),
        spec: spec::Spec::parse(generator, true),
        sources: Ok(found()),
        live: BTreeMap::from(live),
        is_prompt: true,
        has_begun: false,
        stored: None,
        work: None,
        owned: None,
        removed: None,
    }
}

fn work(generator: &ArtifactGenerator) -> Work {
    let artifacts = generator.spec.artifacts.iter().enumerate();
    let requests = artifacts.map(|(index, artifact)| ArtifactRequest::plain(artifact, index));
    Work {
        trees: Arc::default(),
        requests: requests.collect(),
        budget: Budget::new(0, 0),
        _memory: None,
        is_looked_up: true,
        current: Current::Nothing,
        finished: Vec::new(),
        is_collected: false,
    }
}

fn published(name: &str, is_new: bool) -> PublishedArtifact {
    PublishedArtifact {
        reference: serde_json::from_value(entry(name)).unwrap(),
        revision: "main@sha1:1".to_owned(),
        is_new,
    }
}

#[test]
fn drift_decides_whether_artifacts_are_made() {
    let made = Decision::Work(Step::Fetch);
    let object = ready();
    assert_eq!(
        plan::plan(&object, &facts(&object)),
        Decision::Work(Step::Verify)
    );
    let verified = Facts {
        stored: Some(StorageState::Valid),
        ..facts(&object)
    };
    assert_eq!(plan::plan(&object, &verified), Decision::Settled);
    for state in [
        StorageState::Missing("app".into()),
        StorageState::Corrupt("app".into()),
    ] {
        let lost = Facts {
            stored: Some(state),
            ..facts(&object)
        };
        assert_eq!(plan::plan(&object, &lost), made);
    }
    let statuses = [
        json!({}),
        json!({ "conditions": [condition("Ready", "Unknown", "Progressing", 2)] }),
        json!({ "conditions": [condition("Ready", "False", "BuildFailed", 2)] }),
        json!({ "conditions": [condition("Ready", "True", "Succeeded", 1)] }),
        json!({ "conditions": [condition("Ready", "True", "Succeeded", 2)] }),
        json!({
            "conditions": [condition("Ready", "True", "Succeeded", 2)],
            "observedSourcesDigest": sources::digest(&found()), "inventory": [entry("app")],
        }),
    ];
    for status in statuses {
        let object = generator(&spec(), &status);
        assert_eq!(plan::plan(&object, &facts(&object)), made, "{object:?}");
    }
}

type Live = BTreeMap<String, Arc<ExternalArtifact>>;

#[test]
fn changed_external_artifacts_are_made_anew() {
    let object = ready();
    let settled = |change: &dyn Fn(&mut Live)| {
        let mut facts = Facts {
            stored: Some(StorageState::Valid),
            ..facts(&object)
        };
        change(&mut facts.live);
        plan::plan(&object, &facts) == Decision::Settled
    };
    assert!(settled(&|_| ()));
    assert!(!settled(&|live| drop(live.remove("app"))));
    let replaced = |change: fn(&mut Value)| {
        settled(&|live| drop(live.insert("app".to_owned(), published_object("app", change))))
    };
    assert!(!replaced(|object| object["status"] = json!({})));
    assert!(!replaced(
        |object| object["status"]["artifact"]["digest"] = "sha256:00".into()
    ));
    let origin = |object: &mut Value| {
        object["status"]["artifact"]["metadata"]["org.opencontainers.image.revision"] =
            "old".into();
    };
    assert!(!replaced(origin));
    assert!(!replaced(|object| object["metadata"]["labels"] = json!({})));
}

#[test]
fn each_artifact_is_built_stored_and_published() {
    let object = ready();
    let plan = |work: Work| {
        let facts = Facts {
            work: Some(work),
            ..facts(&object)
        };
        plan::plan(&object, &facts)
    };
    let looked_up = Work {
        is_looked_up: false,
        ..work(&object)
    };
    assert_eq!(plan(looked_up), Decision::Work(Step::LookUp));
    assert_eq!(
        plan(work(&object)),
        Decision::Work(Step::Build { index: 0 })
    );
    let built = Current::Built(BuiltArtifact {
        tree: Tree::default(),
        file: String::new(),
    });
    let built = Work {
        current: built,
        ..work(&object)
    };
    assert_eq!(plan(built), Decision::Work(Step::Store { index: 0 }));
    let archive = Artifact {
        digest: DIGEST.to_owned(),
        ..Artifact::default()
    };
    let stored = |finished| Work {
        current: Current::Stored(archive.clone()),
        finished,
        ..work(&object)
    };
    let Decision::Work(Step::Publish { index: 0, artifact }) = plan(stored(Vec::new())) else {
        panic!("the first artifact is not published");
    };
    assert_eq!(artifact.revision, "main@sha1:1");
    assert_eq!(
        artifact.metadata["org.opencontainers.image.revision"],
        "main@sha1:1"
    );
    let next = plan(stored(vec![published("app", true)]));
    let Decision::Work(Step::Publish { index: 1, artifact }) = next else {
        panic!("the second artifact is not published");
    };
    assert_eq!(artifact.revision, format!("latest@{DIGEST}"));
    assert!(artifact.metadata.is_empty());
}

#[test]
fn foreign_external_artifact_is_not_taken_over() {
    let object = ready();
    let foreign = |change: fn(&mut Value)| {
        let mut facts = Facts {
            work: Some(work(&object)),
            owned: Some(BTreeMap::new()),
            removed: Some(0),
            ..facts(&object)
        };
        facts
            .live
            .insert("app".to_owned(), published_object("app", change));
        match plan::plan(&object, &facts) {
            Decision::Stop(Fault(failure)) => failure.message,
            other => format!("{other:?}"),
        }
    };
    let relabelled = foreign(|object| object["metadata"]["labels"] = json!({}));
    assert_eq!(relabelled, "Work(Build { index: 0 })");
    let of_another = foreign(|object| {
        object["metadata"]["labels"]["source.extensions.fluxcd.io/generator"] = "another".into();
        object["spec"]["sourceRef"]["name"] = "another".into();
    });
    let expected = "app reconcile failed: ExternalArtifact 'apps/app' belongs to \
                    ArtifactGenerator/apps/another: rename the artifact, or delete the object";
    assert_eq!(of_another, expected);
    let managed = foreign(|object| {
        object["metadata"]["labels"] = json!({ "app.kubernetes.io/managed-by": "their-tool" });
        object["spec"] = json!({});
    });
    assert!(managed.contains("belongs to their-tool"), "{managed}");
}

#[test]
fn artifacts_outside_of_spec_are_removed() {
    let object = ready();
    let whole = Work {
        finished: vec![published("app", false), published("other", false)],
        ..work(&object)
    };
    let mut facts = Facts {
        work: Some(whole),
        ..facts(&object)
    };
    assert_eq!(plan::plan(&object, &facts), Decision::Work(Step::FindOwned));
    let uids = [("app", "1"), ("old", "2")];
    facts.owned = Some(uids.map(|(name, uid)| (name.into(), uid.into())).into());
    let removal = |name: &str, uid: &str| Removal {
        name: name.to_owned(),
        uid: uid.to_owned(),
    };
    let orphans = vec![removal("old", "2")];
    assert_eq!(
        plan::plan(&object, &facts),
        Decision::Work(Step::Remove(orphans.clone()))
    );
    facts.removed = Some(2);
    assert_eq!(plan::plan(&object, &facts), Decision::Work(Step::Collect));
    facts.work.as_mut().unwrap().is_collected = true;
    assert_eq!(plan::plan(&object, &facts), Decision::Settled);

    // A deletion removes all of them.
    let mut deleted = ready();
    let now: Time = serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    deleted.metadata.deletion_timestamp = Some(now);
    facts.removed = None;
    let mut all = vec![removal("app", "1")];
    all.extend(orphans);
    assert_eq!(
        plan::plan(&deleted, &facts),
        Decision::Work(Step::Remove(all))
    );
    facts.removed = Some(3);
    assert_eq!(plan::plan(&deleted, &facts), Decision::Settled);
}

#[test]
fn generators_that_swap_names_do_not_block() {
    let mut object = ready();
    object.status.as_mut().unwrap().inventory = [entry("old"), entry("other")]
        .map(|entry| serde_json::from_value(entry).unwrap())
        .to_vec();
    let mut facts = Facts {
        work: Some(work(&object)),
        ..facts(&object)
    };
    let foreign = published_object("app", |object| {
        object["metadata"]["labels"] = json!({});
        object["spec"]["sourceRef"]["name"] = "another".into();
    });
    facts.live.insert("app".to_owned(), foreign);
    assert_eq!(plan::plan(&object, &facts), Decision::Work(Step::FindOwned));
    let uids = [("old", "1"), ("other", "2")];
    facts.owned = Some(uids.map(|(name, uid)| (name.into(), uid.into())).into());
    let removal = Removal {
        name: "old".to_owned(),
        uid: "1".to_owned(),
    };
    let expected = Decision::Work(Step::Remove(vec![removal]));
    assert_eq!(plan::plan(&object, &facts), expected);
    facts.removed = Some(1);
    let Decision::Stop(fault) = plan::plan(&object, &facts) else {
        panic!("the run goes on");
    };
    let outcome = conclude::conclude(&object, End::Stopped(facts, fault), times());
    let inventory = outcome.status.unwrap().inventory;
    let names: Vec<&str> = inventory.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["other"]);
}

#[test]
fn label_alone_does_not_make_an_object_removable() {
    let object = ready();
    let labelled = ["app", "stray"].map(|name| (name.to_owned(), format!("uid of {name}")));
    let found = owned::candidates(&object, &facts(&object), labelled.into_iter());
    let own = [("app".to_owned(), "uid of app".to_owned())];
    assert_eq!(found.owned, own.into());
    // Both are read: one lost its label, and the other is not in the inventory.
    assert_eq!(
        found.unknown,
        ["other".to_owned(), "stray".to_owned()].into()
    );
    let source = published_object("stray", |_| ());
    assert!(names_as_source(&source, &object));
    let label = published_object("stray", |object| object["spec"] = json!({}));
    assert!(!names_as_source(&label, &object));
}

#[test]
fn files_of_other_owners_are_not_verified() {
    let object = ready();
    let mut facts = facts(&object);
    let relabelled = published_object("app", |object| {
        object["metadata"]["labels"] = json!({});
        object["spec"]["sourceRef"]["name"] = "another".into();
    });
    facts.live.insert("app".to_owned(), relabelled);
    assert_eq!(plan::plan(&object, &facts), Decision::Work(Step::Fetch));
    facts.live.remove("app");
    assert_eq!(plan::plan(&object, &facts), Decision::Work(Step::Fetch));
}

#[test]
fn publishing_refuses_changed_owner() {
    let object = ready();
    let own = published_object("app", |object| {
        object["metadata"]["resourceVersion"] = "7".into();
    });
    let foreign = published_object("app", |object| {
        object["metadata"]["labels"] = json!({});
        object["spec"]["sourceRef"]["name"] = "another".into();
    });
    let body = || json!({ "metadata": { "name": "app" } });
    let guarded = over(body(), Some(&own), &object);
    let expected = json!({ "metadata": { "name": "app", "resourceVersion": "7" } });
    assert_eq!(guarded, Ok(expected));
    assert_eq!(over(body(), None, &object), Ok(body()));
    assert_eq!(over(body(), Some(&foreign), &object), Err(&*foreign));
}

#[test]
fn object_as_desired_is_not_written() {
    let generator = ready();
    let body = desired(&generator, "app", &BTreeMap::new());
    let now = Timestamp::UNIX_EPOCH;
    let mut object = body.clone();
    object["metadata"]["generation"] = 1.into();
    let artifact = published_object("app", |_| ()).status.clone().unwrap();
    let artifact = artifact.artifact.unwrap();
    let unwritten: ExternalArtifact = serde_json::from_value(object.clone()).unwrap();
    let applied = status(&unwritten, &artifact, now).unwrap();
    object["status"] = applied["status"].clone();
    let is_current = |change: &dyn Fn(&mut Value)| {
        let mut object = object.clone();
        change(&mut object);
        let live = serde_json::from_value(object).unwrap();
        is_published(&live, &body, &artifact, now)
    };
    assert!(is_current(&|_| ()));
    let changes: [&dyn Fn(&mut Value); 6] = [
        &|object| object["metadata"]["labels"]["team"] = "a".into(),
        &|object| object["metadata"]["annotations"] = json!({ "owner": "a" }),
        &|object| object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into(),
        &|object| object["spec"]["sourceRef"]["name"] = "another".into(),
        &|object| object["status"]["artifact"]["revision"] = "main@sha1:2".into(),
        &|object| object["status"]["conditions"][0]["status"] = "False".into(),
    ];
    for (index, change) in changes.iter().enumerate() {
        assert!(!is_current(change), "change {index}");
    }
}

/// The texts are those of `artifactgenerator_validation.go`.
#[test]
fn invalid_spec_stalls() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut spec = spec();
        change(&mut spec);
        let Err(Fault(failure)) = spec::Spec::parse(&generator(&spec, &json!({})), true) else {
            panic!("no fault");
        };
        assert_eq!(failure.retry, sluice_engine::Retry::Stalled);
        (failure.reason.into_owned(), failure.message)
    };
    let invalid = |change: &dyn Fn(&mut Value)| {
        let (reason, message) = with(change);
        assert_eq!(reason, "ValidationFailed");
        message
    };
    let twice = |spec: &mut Value| {
        let source = spec["sources"][0].clone();
        spec["sources"].as_array_mut().unwrap().push(source);
    };
    assert_eq!(invalid(&twice), "duplicate source alias 'repo' found");
    let same = |spec: &mut Value| spec["artifacts"][1]["name"] = "app".into();
    assert_eq!(invalid(&same), "duplicate artifact name 'app' found");
    let name = invalid(&|spec| spec["artifacts"][0]["name"] = "App".into());
    let start = "artifact name \"App\" is not a valid Kubernetes object name: ";
    assert!(name.starts_with(start), "{name}");
    assert_eq!(
        invalid(&|spec| spec["artifacts"][0]["revision"] = "@none".into()),
        "artifact app revision source alias 'none' not found"
    );
    assert_eq!(
        invalid(&|spec| spec["artifacts"][0]["originRevision"] = "@none".into()),
        "artifact app origin revision source alias 'none' not found"
    );
    assert_eq!(
        invalid(&|spec| spec["artifacts"][0]["copy"][0]["from"] = "@none/app".into()),
        "artifact app copy source alias 'none' not found"
    );
    assert_eq!(
        invalid(&|spec| spec["artifacts"][0]["copy"][0]["exclude"] = json!(["[a"])),
        "artifact app: invalid exclude pattern '[a'"
    );
    let own = |spec: &mut Value| {
        spec["sources"][0]["kind"] = "ExternalArtifact".into();
        spec["sources"][0]["name"] = "app".into();
    };
    assert_eq!(
        invalid(&own),
        "artifact app is also the source 'repo' of this generator: rename the artifact, or use \
         another source"
    );
    assert_eq!(
        with(&|spec| spec["sources"][0]["namespace"] = "other".into()),
        (
            "AccessDenied".to_owned(),
            "cross-namespace reference to source GitRepository/other/repo is not allowed"
                .to_owned()
        )
    );
}

#[test]
fn source_wakes_on_any_new_artifact() {
    let with = |change: fn(&mut Artifact)| {
        let mut artifact = source();
        change(&mut artifact);
        artifact
    };
    let old = source();
    assert!(!is_news(
        Some(&old),
        Some(&with(|it| it.path = "other".to_owned())),
        false
    ));
    assert!(is_news(
        Some(&old),
        Some(&with(|it| it.revision = "2".to_owned())),
        false
    ));
    assert!(is_news(
        Some(&old),
        Some(&with(|it| it.url = "http://y".to_owned())),
        false
    ));
    let origin = with(|it| drop(it.metadata.insert("a".to_owned(), "b".to_owned())));
    assert!(is_news(Some(&old), Some(&origin), false));
    assert!(is_news(None, Some(&old), false) && is_news(Some(&old), None, true));
    assert!(!is_news(Some(&old), None, false) && !is_news(None, None, true));
}
