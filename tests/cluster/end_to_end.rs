//! Tests both controllers as processes, from a commit on a Git server to the applied objects.

use std::path::PathBuf;

use k8s_openapi::api::core::v1::{Secret, ServiceAccount};
use kube::Api;
use kube::api::PostParams;
use serde_json::json;
use sluice_git::serve::Change;
use sluice_system::fs;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, wait};

use crate::world::{
    Kind, World, commit, condition, config_map, create, deployment, kustomization, source,
};

#[tokio::test(flavor = "multi_thread")]
async fn commit_is_applied_and_drift_corrected() {
    let (world, git) = (World::new("commit").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let repository = git.create("app.git", "main");
    let first = commit(
        &repository,
        &[
            ("a.yaml", &config_map("a", namespace, "1")),
            ("b.yaml", &config_map("b", namespace, "1")),
        ],
    );
    let controllers = world.controllers(&world.kubeconfig);
    let _source = controllers.source_controller();
    let _kustomize = controllers.kustomize_controller(&[]);
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;

    let second = repository
        .commit(
            "main",
            "Second",
            &[
                Change::write("a.yaml", config_map("a", namespace, "2")),
                Change::remove("b.yaml"),
            ],
        )
        .unwrap();
    world.request(Kind::GitRepository, "app").await;
    world.applied("app", &second.to_string()).await;
    let key = |object: &crate::world::Live| object.data["data"]["key"].clone();
    assert_eq!(key(&world.get(Kind::ConfigMap, "a").await.unwrap()), "2");
    assert!(world.get(Kind::ConfigMap, "b").await.is_none(), "pruned");

    let drift = json!({ "data": { "key": "by hand", "added": "by hand" } });
    world.merge(Kind::ConfigMap, "a", drift).await;
    world.reconcile(Kind::Kustomization, "app").await;
    let live = world.get(Kind::ConfigMap, "a").await.unwrap();
    assert_eq!(key(&live), "2", "what the commit says is said again");
    assert_eq!(
        live.data["data"]["added"], "by hand",
        "what it does not is left alone"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn controller_turns_core_dumps_off() {
    let world = World::new("core").await;
    let controllers = world.controllers(&world.kubeconfig);
    let running = controllers.all();
    let limits = PathBuf::from(format!("/proc/{}/limits", running.pid()));
    wait::eventually("core dumps are off", async || {
        let limits = fs::read_to_string(&limits).unwrap();
        let core = limits
            .lines()
            .find(|line| line.starts_with("Max core file size"));
        let words: Vec<&str> = core.unwrap_or_default().split_whitespace().collect();
        match words[..] {
            [.., "0", "0", "bytes"] => Ok(()),
            _ => Err(format!("{core:?}")),
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn successor_writes_no_unchanged_object() {
    let (world, git) = (World::new("resume").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let repository = git.create("app.git", "main");
    let files: Vec<(String, String)> = (0..10)
        .map(|number| {
            let name = format!("c{number}");
            (format!("{name}.yaml"), config_map(&name, namespace, "1"))
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, content)| (path.as_str(), content.as_str()))
        .collect();
    let first = commit(&repository, &files);
    let controllers = world.controllers(&world.kubeconfig);
    let running = controllers.all();
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;
    running.kill();

    let mark = world.mark().await;
    let _successor = controllers.all();
    world.reconcile(Kind::GitRepository, "app").await;
    world.reconcile(Kind::Kustomization, "app").await;
    let writes: Vec<String> = world
        .asked(mark)
        .await
        .into_iter()
        .filter(|entry| entry.is_write() && entry.resource == "configmaps")
        .map(|entry| entry.to_string())
        .collect();
    assert!(writes.is_empty(), "{}", writes.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_kustomization_does_not_block_others() {
    let (world, git) = (World::new("waiting").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let stuck = git.create("stuck.git", "main");
    commit(&stuck, &[("web.yaml", &deployment("web", namespace, 1))]);
    let quick = git.create("quick.git", "main");
    let wanted = commit(&quick, &[("a.yaml", &config_map("a", namespace, "1"))]);
    let controllers = world.controllers(&world.kubeconfig);
    let _source = controllers.source_controller();
    let _kustomize = controllers.kustomize_controller(&["--concurrent=1"]);

    world
        .source("stuck", &git.url("stuck.git"), json!({}))
        .await;
    let waits = json!({ "wait": true, "timeout": "1h" });
    world.kustomization("stuck", waits).await;
    wait::exists(&world.api(Kind::Deployment), "web").await;
    world
        .source("quick", &git.url("quick.git"), json!({}))
        .await;
    world.kustomization("quick", json!({})).await;
    world.applied("quick", &wanted).await;
    let waiting = world.get(Kind::Kustomization, "stuck").await.unwrap();
    assert_eq!(condition(&waiting, "Ready").0, "Unknown", "{waiting:#?}");
    assert_eq!(condition(&waiting, "Reconciling").0, "True", "{waiting:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_recreation_does_not_block_others() {
    let (world, git) = (World::new("recreating").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let fixed = |value: &str| {
        let text = config_map("fixed", namespace, value);
        text.replace(
            "\ndata:",
            "\n  finalizers: [example.com/hold]\nimmutable: true\ndata:",
        )
    };
    let slow = git.create("slow.git", "main");
    let first = commit(&slow, &[("fixed.yaml", &fixed("1"))]);
    let quick = git.create("quick.git", "main");
    let wanted = commit(&quick, &[("a.yaml", &config_map("a", namespace, "1"))]);
    let controllers = world.controllers(&world.kubeconfig);
    let _source = controllers.source_controller();
    let _kustomize = controllers.kustomize_controller(&["--concurrent=1"]);
    world.source("slow", &git.url("slow.git"), json!({})).await;
    world.kustomization("slow", json!({ "force": true })).await;
    world.applied("slow", &first).await;

    let second = commit(&slow, &[("fixed.yaml", &fixed("2"))]);
    world.request(Kind::GitRepository, "slow").await;
    let goes = |object: &crate::world::Live| object.metadata.deletion_timestamp.is_some();
    world
        .until(Kind::ConfigMap, "fixed", "is being deleted", goes)
        .await;
    world
        .source("quick", &git.url("quick.git"), json!({}))
        .await;
    world.kustomization("quick", json!({})).await;
    world.applied("quick", &wanted).await;
    let waits = |object: &crate::world::Live| condition(object, "Ready").0 == "Unknown";
    world
        .until(Kind::Kustomization, "slow", "shows that it waits", waits)
        .await;

    let done = json!({ "metadata": { "finalizers": null } });
    world.merge(Kind::ConfigMap, "fixed", done).await;
    world.applied("slow", &second).await;
    let live = world.get(Kind::ConfigMap, "fixed").await.unwrap();
    assert_eq!(live.data["data"]["key"], "2");
    let done = json!({ "metadata": { "finalizers": null } });
    world.merge(Kind::ConfigMap, "fixed", done).await;
}

/// The image sets `SSL_CERT_FILE` to its own bundle in the same way.
#[tokio::test(flavor = "multi_thread")]
async fn authorities_come_from_ssl_cert_file() {
    let world = World::new("authorities").await;
    let options = HttpOptions {
        tls: true,
        ..HttpOptions::default()
    };
    let git = GitBackend::start_with(options).await;
    let repository = git.create("app.git", "main");
    commit(
        &repository,
        &[("a.yaml", &config_map("a", &world.namespace, "1"))],
    );
    world.source("app", &git.url("app.git"), json!({})).await;
    let stranger = world.controllers(&world.kubeconfig).source_controller();
    let (_, message) = world.failed(Kind::GitRepository, "app").await;
    assert!(message.contains("certificate"), "{message}");
    stranger.kill();

    let directory = tempfile::tempdir().unwrap();
    let bundle = directory.path().join("ca-certificates.crt");
    sluice_system::fs::write(&bundle, git.authority().unwrap().certificate()).unwrap();
    let variables = [("SSL_CERT_FILE", bundle.display().to_string())];
    let trusting = world.controllers_with(&world.kubeconfig, &variables);
    let _running = trusting.source_controller();
    world.ready(Kind::GitRepository, "app").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flooded_namespace_does_not_delay_others() {
    const FLOOD: usize = 60;
    let (world, git) = (World::new("flood-a").await, GitBackend::start().await);
    let tenant = world.bed.namespace("flood-b").await;
    let labels = json!({ "flood": world.user });
    let mut controllers = world.controllers(&world.kubeconfig);
    // The label excludes objects of other tests.
    controllers.shared.extend([
        "--watch-all-namespaces=true".to_owned(),
        format!("--watch-label-selector=flood={}", world.user),
    ]);
    controllers
        .shared
        .retain(|flag| flag != "--watch-all-namespaces=false");
    let _source = controllers.source_controller();
    let tenants = [(&*world.namespace, FLOOD), (&*tenant, 1)];
    for (namespace, count) in tenants {
        let repository = git.create(&format!("{namespace}.git"), "main");
        for number in 0..count {
            let name = format!("app-{number:02}");
            let path = format!("{name}/a.yaml");
            commit(&repository, &[(&path, &config_map(&name, namespace, "1"))]);
        }
        let api =
            |kind: Kind| Api::namespaced_with(world.client.clone(), namespace, &kind.resource());
        let spec = source(&git.url(&format!("{namespace}.git")), json!({}));
        let object = json!({ "labels": labels, "spec": spec });
        create(
            &api(Kind::GitRepository),
            Kind::GitRepository,
            "app",
            object,
        )
        .await;
        wait::until(&api(Kind::GitRepository), "app", "is ready", |object| {
            object.is_some_and(crate::world::is_ready)
        })
        .await;
        for number in 0..count {
            let name = format!("app-{number:02}");
            let spec = kustomization("app", json!({ "path": format!("./{name}") }));
            let object = json!({ "labels": labels, "spec": spec });
            create(
                &api(Kind::Kustomization),
                Kind::Kustomization,
                &name,
                object,
            )
            .await;
        }
    }

    // All objects exist when the controller starts, and the flood's objects come first in the list.
    let mark = world.mark().await;
    let _kustomize = controllers.kustomize_controller(&["--concurrent=1"]);
    let config_maps = Api::<crate::world::Live>::namespaced_with(
        world.client.clone(),
        &tenant,
        &Kind::ConfigMap.resource(),
    );
    wait::exists(&config_maps, "app-00").await;
    world.mark().await;
    let order: Vec<String> = world
        .bed
        .audit()
        .since(mark)
        .into_iter()
        .filter(|entry| entry.user == world.user && entry.is_write())
        .filter(|entry| entry.resource == "configmaps")
        .map(|entry| entry.namespace)
        .collect();
    let before = order.iter().position(|namespace| *namespace == tenant);
    assert!(before.is_some_and(|before| before <= 2), "{order:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn impersonated_account_gets_no_rights_of_ours() {
    let (world, git) = (World::new("account").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let repository = git.create("app.git", "main");
    commit(&repository, &[("a.yaml", &config_map("a", namespace, "1"))]);
    let accounts: Api<ServiceAccount> = Api::namespaced(world.client.clone(), namespace);
    let account = serde_json::from_value(json!({ "metadata": { "name": "tenant" } })).unwrap();
    accounts
        .create(&PostParams::default(), &account)
        .await
        .unwrap();
    let controllers = world.controllers(&world.kubeconfig);
    let mark = world.mark().await;
    let _running = controllers.all();
    world.source("app", &git.url("app.git"), json!({})).await;
    world.ready(Kind::GitRepository, "app").await;
    let spec = json!({ "serviceAccountName": "tenant" });
    world.kustomization("app", spec).await;
    let (reason, message) = world.failed(Kind::Kustomization, "app").await;
    let tenant = format!("system:serviceaccount:{namespace}:tenant");
    assert_eq!(reason, "ReconciliationFailed", "{message}");
    assert!(
        message.contains("forbidden") && message.contains(&tenant),
        "{message}"
    );

    let touched: Vec<_> = world
        .asked(mark)
        .await
        .into_iter()
        .filter(|entry| entry.user == world.user && entry.resource == "configmaps")
        // These are watches of config maps and Secrets, from either controller.
        .filter(|entry| {
            !entry
                .uri
                .contains("labelSelector=reconcile.fluxcd.io%2Fwatch")
        })
        .collect();
    assert!(!touched.is_empty(), "it was tried");
    for entry in touched {
        assert_eq!(entry.impersonated.as_deref(), Some(&*tenant), "{entry}");
        assert_eq!(entry.code, 403, "{entry}");
    }
}

/// Bad input and its expected message.
struct Mistake {
    name: &'static str,
    files: Vec<(&'static str, String)>,
    link: Option<(&'static str, &'static str)>,
    source: serde_json::Value,
    kustomization: serde_json::Value,
    /// Kind of the object with the message.
    kind: Kind,
    reason: &'static str,
    says: &'static [&'static str],
}

impl Mistake {
    fn new(
        namespace: &str,
        name: &'static str,
        kind: Kind,
        reason: &'static str,
        says: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            files: vec![("a.yaml", config_map("never", namespace, "1"))],
            link: None,
            source: json!({}),
            kustomization: json!({}),
            kind,
            reason,
            says,
        }
    }
}

fn mistakes(namespace: &str) -> Vec<Mistake> {
    let mut all = mistakes_of_manifests(namespace);
    all.extend(mistakes_of_sources(namespace));
    all
}

fn mistakes_of_manifests(namespace: &str) -> Vec<Mistake> {
    let good = || config_map("never", namespace, "1");
    let kustomization = Kind::Kustomization;
    let mistake = |name, kind, reason, says| Mistake::new(namespace, name, kind, reason, says);
    let unknown = format!(
        "apiVersion: example.com/v1\nkind: Nothing\nmetadata: {{name: n, namespace: {namespace}}}\n"
    );
    let twice = config_map("never", namespace, "2");
    vec![
        Mistake {
            kustomization: json!({ "path": "./nowhere" }),
            ..mistake(
                "path",
                kustomization,
                "ArtifactFailed",
                &["kustomization path not found", "nowhere"],
            )
        },
        Mistake {
            kustomization: json!({ "path": "../../../../etc" }),
            ..mistake(
                "escape",
                kustomization,
                "ArtifactFailed",
                &["kustomization path not found", "etc"],
            )
        },
        Mistake {
            files: vec![
                ("a.yaml", good()),
                ("deep/bad.yaml", "a: [".into()),
                ("z.yaml", good()),
            ],
            ..mistake("yaml", kustomization, "BuildFailed", &["deep/bad.yaml"])
        },
        Mistake {
            files: vec![("a.yaml", good()), ("n.yaml", unknown)],
            ..mistake(
                "kind",
                kustomization,
                "ReconciliationFailed",
                &["no matches for kind \"Nothing\" in version \"example.com/v1\""],
            )
        },
        Mistake {
            files: vec![("a.yaml", good()), ("b.yaml", twice)],
            ..mistake(
                "twice",
                kustomization,
                "BuildFailed",
                &["never", "ConfigMap"],
            )
        },
        Mistake {
            files: vec![
                ("a.yaml", good()),
                (
                    "kustomization.yaml",
                    "resources: [a.yaml, link.yaml]\n".into(),
                ),
            ],
            link: Some(("link.yaml", "../../../../../../etc/passwd")),
            ..mistake("link", kustomization, "BuildFailed", &["link.yaml"])
        },
        Mistake {
            files: vec![
                ("a.yaml", good()),
                (
                    "kustomization.yaml",
                    "resources: [a.yaml, ../../../../etc/passwd]\n".into(),
                ),
            ],
            ..mistake("outside", kustomization, "BuildFailed", &["etc/passwd"])
        },
    ]
}

fn mistakes_of_sources(namespace: &str) -> Vec<Mistake> {
    let source = Kind::GitRepository;
    let mistake = |name, kind, reason, says| Mistake::new(namespace, name, kind, reason, says);
    vec![
        Mistake {
            source: json!({ "secretRef": { "name": "wrong" } }),
            ..mistake(
                "password",
                source,
                "GitOperationFailed",
                &["unable to clone", "authentication required"],
            )
        },
        Mistake {
            source: json!({ "ref": { "branch": "absent" } }),
            ..mistake(
                "branch",
                source,
                "GitOperationFailed",
                &["refs/heads/absent"],
            )
        },
        Mistake {
            files: Vec::new(),
            ..mistake(
                "empty",
                source,
                "EmptyGitRepository",
                &["git repository is empty"],
            )
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_mistake_is_reported_once_and_applies_nothing() {
    let git = GitBackend::start_with(HttpOptions {
        basic: Some(("flux".into(), "canary-right".into())),
        ..HttpOptions::default()
    })
    .await;
    let world = World::new("mistakes").await;
    let namespace = &*world.namespace;
    let secrets: Api<Secret> = Api::namespaced(world.client.clone(), namespace);
    for (name, password) in [("right", "canary-right"), ("wrong", "canary-wrong")] {
        let secret = json!({
            "metadata": { "name": name },
            "stringData": { "username": "flux", "password": password },
        });
        let secret = serde_json::from_value(secret).unwrap();
        secrets
            .create(&PostParams::default(), &secret)
            .await
            .unwrap();
    }
    let controllers = world.controllers(&world.kubeconfig);
    let running = controllers.all();
    let mistakes = mistakes(namespace);
    for mistake in &mistakes {
        let repository = git.create(mistake.name, "main");
        let mut changes: Vec<Change> = mistake
            .files
            .iter()
            .map(|(path, content)| Change::write(*path, content.as_str()))
            .collect();
        changes.extend(mistake.link.map(|(path, target)| Change::Link {
            path: path.into(),
            target: target.into(),
        }));
        if !changes.is_empty() {
            repository.commit("main", "First", &changes).unwrap();
        }
        let mut spec = source(
            &git.url(mistake.name),
            json!({ "secretRef": { "name": "right" } }),
        );
        for (field, value) in mistake.source.as_object().unwrap() {
            spec[field] = value.clone();
        }
        world
            .source(mistake.name, &git.url(mistake.name), spec)
            .await;
        if mistake.kind == Kind::Kustomization {
            world.ready(Kind::GitRepository, mistake.name).await;
        }
        world
            .kustomization(mistake.name, mistake.kustomization.clone())
            .await;
    }
    let mut wrong = Vec::new();
    for mistake in &mistakes {
        let (reason, message) = world.failed(mistake.kind, mistake.name).await;
        let said = mistake.says.iter().all(|part| message.contains(part));
        let secret = message.contains("canary") || message.contains("root:");
        if reason != mistake.reason || !said || secret {
            wrong.push(format!("{}: {reason}: {message}", mistake.name));
        }
        if mistake.kind == Kind::GitRepository {
            let (_, waits) = world.failed(Kind::Kustomization, mistake.name).await;
            if !waits.starts_with("Source artifact not found") {
                wrong.push(format!("{}: Kustomization: {waits}", mistake.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let applied: Vec<_> = world.list(Kind::ConfigMap).await;
    let applied: Vec<_> = applied
        .iter()
        .filter_map(|object| object.metadata.name.as_deref())
        .filter(|name| *name != "kube-root-ca.crt")
        .collect();
    assert!(applied.is_empty(), "{applied:?}");
    assert!(
        !running.output().contains("canary"),
        "a password in the log"
    );
}
