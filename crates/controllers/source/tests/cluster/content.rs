//! Content of artifacts: version ranges, sparse checkouts, submodules, includes.

use std::path::Path;

use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::GitBackend;

use crate::{World, artifact, commit, condition};

/// The paths of an artifact.
async fn paths(world: &World, object: &sluice_api::source::GitRepository) -> Vec<String> {
    let files = world.download(object).await;
    files.into_iter().map(|(path, _)| path).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn range_follows_newest_tag_and_tag_overrides_it() {
    let world = World::new("semver").await;
    let repository = world.repository("app");
    let first = repository.head("main").unwrap().unwrap();
    repository.tag("v1.0.0", first, None).unwrap();
    repository.tag("v2.0.0-rc.1", first, None).unwrap();
    let range = json!({ "ref": { "branch": null, "semver": ">=1.0.0" } });
    world.create("range", &range).await;
    let object = world.ready("range").await;
    assert_eq!(artifact(&object).revision, format!("v1.0.0@sha1:{first}"));

    let second: sluice_git::ObjectId = commit(&repository, "Second", &[("a.yaml", "a: 1\n")])
        .parse()
        .unwrap();
    repository.tag("v1.1.0", second, Some("annotated")).unwrap();
    let object = world.reconcile("range").await;
    assert_eq!(artifact(&object).revision, format!("v1.1.0@sha1:{second}"));

    let both = json!({ "ref": { "branch": null, "semver": ">=1.0.0", "tag": "v1.0.0" } });
    world.create("both", &both).await;
    let object = world.ready("both").await;
    assert_eq!(artifact(&object).revision, format!("v1.0.0@sha1:{first}"));
    let warned = |event: &sluice_api::event::Event| {
        event.involved_object.name == "both" && event.message.contains("the tag is used")
    };
    world
        .events
        .wait_for("the conflict is reported", warned)
        .await;

    let none = json!({ "ref": { "branch": null, "semver": ">=9" } });
    world.create("none", &none).await;
    let (_, message) = world.refused("none", "GitOperationFailed").await;
    assert!(
        message.contains("no match found for semver: >=9"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sparse_checkout_packs_listed_existing_directories() {
    let world = World::new("sparse").await;
    let repository = world.repository("app");
    commit(
        &repository,
        "More",
        &[("other/x.yaml", "x: 1\n"), ("top.yaml", "t: 1\n")],
    );
    world
        .create("app", &json!({ "sparseCheckout": ["./deploy"] }))
        .await;
    let object = world.ready("app").await;
    assert_eq!(paths(&world, &object).await, ["deploy", "deploy/app.yaml"]);
    let status = object.status.unwrap();
    assert_eq!(status.observed_sparse_checkout, ["./deploy"]);

    let patch = json!({ "spec": { "sparseCheckout": ["other", "missing"] } });
    world.patch("app", patch).await;
    let (object, message) = world.refused("app", "GitOperationFailed").await;
    assert!(
        message.contains("sparse checkout dir 'missing' does not exist"),
        "{message}"
    );
    assert_eq!(condition(&object, "FetchFailed").0, "True");
    let patch = json!({ "spec": { "sparseCheckout": ["other"] } });
    world.patch("app", patch).await;
    let object = world
        .until("app", "has the other directory", |object| {
            let status = object.status.as_ref().unwrap();
            status.observed_sparse_checkout == ["other"]
        })
        .await;
    assert_eq!(paths(&world, &object).await, ["other", "other/x.yaml"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sparse_checkout_fetches_only_listed_files() {
    let world = World::new("part").await;
    let plain = GitBackend::start().await;
    let mut random = fastrand::Rng::with_seed(11);
    let noise: Vec<u8> = (0..500_000).map(|_| random.u8(..)).collect();
    let changes = [
        Change::write("deploy/app.yaml", "kind: ConfigMap\n"),
        Change::write("deploy/.sourceignore", "*.txt\n"),
        Change::write("deploy/notes.txt", "ignored\n"),
        Change::Link {
            path: "deploy/link".into(),
            target: "app.yaml".into(),
        },
        Change::write("media/film", noise),
    ];
    let filtering = world.git.create("app", "main").unwrap();
    for repository in [&filtering, &plain.create("app", "main")] {
        repository.commit("main", "First", &changes).unwrap();
    }
    let sparse = json!({ "sparseCheckout": ["./deploy"] });
    world.create("part", &sparse).await;
    let part = world.ready("part").await;
    assert!(packed_bytes(&world.storage()) < 10_000);

    // The real git offers no filters by default, so all objects are fetched.
    let mut whole = sparse;
    whole["url"] = json!(plain.url("app"));
    world.create("whole", &whole).await;
    let whole = world.ready("whole").await;
    assert!(packed_bytes(&world.storage()) > 500_000);
    assert_eq!(artifact(&part).digest, artifact(&whole).digest);
    let taken = ["deploy", "deploy/.sourceignore", "deploy/app.yaml"];
    assert_eq!(paths(&world, &part).await, taken);

    // A new commit is a new revision, even without changes in the listed directories.
    let changes = [Change::write("deploy/app.yaml", "kind: Secret\n")];
    let second = filtering.commit("main", "Second", &changes).unwrap();
    let object = world.reconcile("part").await;
    assert_eq!(artifact(&object).revision, format!("main@sha1:{second}"));
    let changes = [Change::write("media/film", "short")];
    let third = filtering.commit("main", "Third", &changes).unwrap();
    let after = world.reconcile("part").await;
    assert_eq!(artifact(&after).revision, format!("main@sha1:{third}"));
    assert_eq!(artifact(&after).digest, artifact(&object).digest);
}

/// Total size of all packs below a directory.
fn packed_bytes(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).unwrap();
    let size = |path: &Path| {
        let is_pack = path
            .extension()
            .is_some_and(|extension| extension == "pack");
        if is_pack {
            path.metadata().unwrap().len()
        } else {
            0
        }
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            if path.is_dir() && !path.is_symlink() {
                packed_bytes(&path)
            } else {
                size(&path)
            }
        })
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submodules_are_fetched_on_request() {
    let world = World::new("modules").await;
    let library = world.git.create("library", "main").unwrap();
    let id = library
        .commit("main", "Library", &[Change::write("lib.yaml", "l: 1\n")])
        .unwrap();
    let repository = world.repository("app");
    let text = "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = ../library\n";
    let changes = [
        Change::write(".gitmodules", text),
        Change::Submodule {
            path: "vendor/lib".into(),
            commit: id,
        },
    ];
    repository
        .commit("main", "With a module", &changes)
        .unwrap();
    world.create("app", &json!({})).await;
    let object = world.ready("app").await;
    let without = ["deploy", "deploy/app.yaml", "vendor", "vendor/lib"];
    assert_eq!(paths(&world, &object).await, without);

    world
        .patch("app", json!({ "spec": { "recurseSubmodules": true } }))
        .await;
    let object = world
        .until("app", "has the module", |object| {
            object.status.as_ref().unwrap().observed_recurse_submodules
        })
        .await;
    let with = [&without[..], &["vendor/lib/.git", "vendor/lib/lib.yaml"]].concat();
    let mut found = paths(&world, &object).await;
    // Exclusion rules do not apply to the paths of another tree.
    found.retain(|path| path != "logo.png");
    assert_eq!(found, with);

    world
        .create("broken", &json!({ "recurseSubmodules": true }))
        .await;
    world.ready("broken").await;
    let text = text.replace("../library", "../nowhere");
    repository
        .commit("main", "Broken", &[Change::write(".gitmodules", text)])
        .unwrap();
    world.reconcile("broken").await;
    let (_, message) = world.refused("broken", "GitOperationFailed").await;
    assert!(
        message.contains("submodule 'lib' at 'vendor/lib'"),
        "{message}"
    );
    assert!(message.contains("nowhere"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn included_artifacts_are_copied_and_followed() {
    let world = World::new("include").await;
    world.repository("app");
    let base = world.git.create("base", "main").unwrap();
    commit(
        &base,
        "Base",
        &[
            ("x/base.yaml", "b: 1\n"),
            (".sourceignore", "*.tmp\n"),
            ("a.tmp", "t"),
        ],
    );
    let include =
        json!([{ "repository": { "name": "base" }, "fromPath": "x", "toPath": "deploy/base" }]);
    world.create("app", &json!({ "include": include })).await;
    let (object, message) = world.refused("app", "NotFound").await;
    assert_eq!(
        message,
        "could not get resource for include 'base': GitRepository.source.toolkit.fluxcd.io \
         \"base\" not found"
    );
    assert_eq!(condition(&object, "IncludeUnavailable").0, "True");

    // The included artifact triggers the run, well before the half minute.
    world
        .create("base", &json!({ "url": world.git.url("base") }))
        .await;
    let object = world.ready("app").await;
    let included = artifact(&world.ready("base").await);
    let status = object.status.as_ref().unwrap();
    assert_eq!(status.included_artifacts[0].digest, included.digest);
    assert_eq!(
        paths(&world, &object).await,
        [
            "deploy",
            "deploy/app.yaml",
            "deploy/base",
            "deploy/base/base.yaml"
        ]
    );
    let before = artifact(&object);

    commit(&base, "More", &[("x/more.yaml", "m: 1\n")]);
    world.reconcile("base").await;
    let object = world
        .until("app", "follows its include", |object| {
            object
                .status
                .as_ref()
                .unwrap()
                .artifact
                .as_ref()
                .unwrap()
                .digest
                != before.digest
        })
        .await;
    assert!(
        paths(&world, &object)
            .await
            .contains(&"deploy/base/more.yaml".to_owned())
    );
    assert_eq!(artifact(&object).revision, before.revision);

    // An include overwrites no existing path and stays within the root.
    for (name, to, said) in [
        ("over", "deploy", "rename . deploy: file exists"),
        (
            "under",
            "deploy/app.yaml/x",
            "mkdir deploy/app.yaml: not a directory",
        ),
    ] {
        let include = json!([{ "repository": { "name": "base" }, "toPath": to }]);
        world.create(name, &json!({ "include": include })).await;
        let (object, message) = world.refused(name, "CopyFailure").await;
        assert!(message.contains(said), "{message}");
        assert_eq!(condition(&object, "StorageOperationFailed").0, "True");
    }
    let include = json!([{ "repository": { "name": "base" }, "toPath": "../../out" }]);
    world.create("out", &json!({ "include": include })).await;
    let object = world.ready("out").await;
    assert!(
        paths(&world, &object)
            .await
            .contains(&"out/x/base.yaml".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutual_includes_use_available_artifacts() {
    let world = World::new("cycle").await;
    world.repository("app");
    let include =
        |name: &str| json!([{ "repository": { "name": name }, "toPath": format!("from-{name}") }]);
    world.create("one", &json!({})).await;
    world.ready("one").await;
    world
        .create("two", &json!({ "include": include("one") }))
        .await;
    world.ready("two").await;
    world
        .patch(
            "one",
            json!({ "spec": { "include": include("two"), "suspend": false } }),
        )
        .await;
    world
        .until("one", "includes the other", |object| {
            !object
                .status
                .as_ref()
                .unwrap()
                .included_artifacts
                .is_empty()
        })
        .await;
    // As in Flux, mutual includes update each other until one is suspended.
    world
        .patch("one", json!({ "spec": { "suspend": true } }))
        .await;
    let object = world.reconcile("one").await;
    assert!(
        paths(&world, &object)
            .await
            .contains(&"from-two/from-one/deploy/app.yaml".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_differing_by_case_are_packed_with_notice() {
    let world = World::new("case").await;
    let repository = world.git.create("app", "main").unwrap();
    commit(
        &repository,
        "First",
        &[("docs/README", "a"), ("docs/Readme", "b")],
    );
    world.create("app", &json!({})).await;
    let object = world.ready("app").await;
    assert_eq!(
        paths(&world, &object).await,
        ["docs", "docs/README", "docs/Readme"]
    );
    let reported = |event: &sluice_api::event::Event| event.message.contains("'docs/Readme'");
    world
        .events
        .wait_for("the clash is reported", reported)
        .await;
}
