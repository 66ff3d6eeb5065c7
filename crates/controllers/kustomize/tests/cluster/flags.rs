//! Effects of the flags.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use serde_json::json;
use sluice_client::GroupVersionKind;
use sluice_digest::Algorithm;
use sluice_testkit::{Fault, When};

use crate::bed::{Bed, archive, config, served};
use crate::remote::{OBJECT_LEVEL, by_config, place};

#[tokio::test]
async fn default_service_account_is_impersonated() {
    let bed = Bed::start(&["--default-service-account=tenant"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let mark = bed.mark().await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let account = format!("system:serviceaccount:{}:tenant", bed.namespace);
    assert!(message.contains(&account), "{message}");
    bed.mark().await;
    // The controller does not request the tenant's objects under its own name.
    let own = bed.testbed.audit().since(mark).into_iter().filter(|entry| {
        entry.user == bed.user
            && entry.impersonated.is_none()
            && entry.namespace == bed.namespace
            && entry.resource == "configmaps"
            && entry.verb != "watch"
            && entry.verb != "list"
    });
    assert_eq!(own.count(), 0);
}

#[tokio::test]
async fn overridden_manager_loses_its_fields() {
    for (flags, keeps) in [(&[][..], true), (&["--override-manager=test"][..], false)] {
        let bed = Bed::start(flags).await;
        bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"extra": "theirs"}}))
            .await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
        let live = bed.config_map("a").await.unwrap();
        assert_eq!(live["data"]["key"], "1");
        assert_eq!(live["data"].get("extra").is_some(), keeps, "{flags:?}");
    }
}

#[tokio::test]
async fn custom_stage_kinds_are_applied_first() {
    let account =
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s, namespace: NAMESPACE}\n";
    for (flags, first) in [
        (&[][..], "serviceaccounts"),
        (&["--custom-apply-stage-kinds=ConfigMap"][..], "configmaps"),
    ] {
        let bed = Bed::start(flags).await;
        bed.publish("1", &[("a.yaml", &config("a", "1")), ("s.yaml", account)])
            .await;
        let mark = bed.mark().await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
        bed.mark().await;
        let entries = bed.testbed.audit().since(mark);
        let written = entries.iter().find(|entry| {
            entry.user == bed.user
                && entry.is_write()
                && ["configmaps", "serviceaccounts"].contains(&&*entry.resource)
        });
        assert_eq!(written.unwrap().resource, first, "{flags:?}");
    }
}

#[tokio::test]
async fn binding_needs_its_role_in_earlier_stage() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader, namespace: NAMESPACE}\n\
        rules: [{apiGroups: [''], resources: [configmaps], verbs: [get, list]}]\n";
    let binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: reader, namespace: NAMESPACE}\n\
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}\n\
        subjects: [{kind: ServiceAccount, name: default, namespace: NAMESPACE}]\n";
    for (flags, passes) in [
        (&[][..], false),
        (
            &["--custom-apply-stage-kinds=rbac.authorization.k8s.io/Role"][..],
            true,
        ),
    ] {
        let bed = Bed::start(flags).await;
        // An account that can only grant rights that it has. For such an account, the API server
        // looks up the role of a binding.
        bed.account("granter").await;
        bed.apply(&json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "granter"},
            "rules": [
                {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles", "rolebindings"], "verbs": ["create", "update", "delete", "get", "list", "watch", "patch"]},
                {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]},
            ]}))
            .await;
        bed.apply(&json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "granter"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "granter"},
            "subjects": [{"kind": "ServiceAccount", "name": "granter", "namespace": bed.namespace}]}))
            .await;
        let granter = format!("system:serviceaccount:{}:granter", bed.namespace);
        let grants = json!({"namespace": bed.namespace, "verb": "create",
            "group": "rbac.authorization.k8s.io", "resource": "rolebindings"});
        bed.testbed.until_allowed(&granter, grants).await;
        bed.publish("1", &[("b.yaml", binding), ("r.yaml", role)])
            .await;
        bed.kustomization("app", json!({"serviceAccountName": "granter"}))
            .await;
        if passes {
            bed.until_applied("app", "1").await;
            let group = "rbac.authorization.k8s.io";
            for kind in ["Role", "RoleBinding"] {
                let gvk = GroupVersionKind::gvk(group, "v1", kind);
                assert!(bed.get(&gvk, "reader").await.is_some(), "{kind}");
            }
        } else {
            let message = bed.until_failed("app", "ReconciliationFailed").await;
            let lead = format!(
                "RoleBinding/{}/reader not found: rolebindings.rbac.authorization.k8s.io \"reader\" not found",
                bed.namespace
            );
            assert!(message.starts_with(&lead), "{message}");
        }
    }
}

#[tokio::test]
async fn concurrent_ssa_limits_parallel_applies() {
    for (flags, goes_on) in [
        (&["--concurrent-ssa=1"][..], false),
        (&["--concurrent-ssa=2"][..], true),
    ] {
        let (bed, proxy) = Bed::hindered(flags).await;
        // The apply of the first object never ends.
        proxy.inject(
            When::any().verb("apply").resource("configmaps").name("a"),
            Fault::Hang,
        );
        let maps = ["a", "b", "c"].map(|name| (format!("app/{name}.yaml"), config(name, "1")));
        let mut files: Vec<(&str, &str)> = maps
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let witness = config("witness", "1");
        files.push(("witness/w.yaml", &witness));
        bed.publish("1", &files).await;
        bed.kustomization("app", json!({"path": "app"})).await;
        let asked = |name: &str| {
            let about = When::any().verb("apply").resource("configmaps").name(name);
            proxy.count(&about)
        };
        sluice_testkit::wait::eventually("the first object is applied", || async {
            if asked("a") > 0 {
                Ok(())
            } else {
                Err(format!("{:?}", proxy.calls()))
            }
        })
        .await;
        // The witness is applied meanwhile, so every possible request was sent.
        bed.kustomization("witness", json!({"path": "witness"}))
            .await;
        bed.until_applied("witness", "1").await;
        if goes_on {
            sluice_testkit::wait::eventually("the other objects are applied", || async {
                if asked("c") > 0 {
                    Ok(())
                } else {
                    Err(format!("{:?}", proxy.calls()))
                }
            })
            .await;
        } else {
            assert_eq!((asked("b"), asked("c")), (0, 0), "{:?}", proxy.calls());
        }
    }
}

#[tokio::test]
async fn token_cache_flags_limit_number_and_age() {
    for (flag, asked_once) in [
        ("--token-cache-max-size=100", true),
        ("--token-cache-max-size=0", false),
        ("--token-cache-max-duration=1h", true),
        ("--token-cache-max-duration=0s", false),
    ] {
        let bed = Bed::start(&[OBJECT_LEVEL, flag]).await;
        bed.account("deployer").await;
        bed.permit("deployer").await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        place(&bed, json!({})).await;
        let mark = bed.mark().await;
        bed.kustomization("app", by_config()).await;
        bed.until_applied("app", "1").await;
        bed.request("app", "again").await;
        bed.until_handled("app", "again").await;
        bed.mark().await;
        let tokens = bed.testbed.audit().since(mark).into_iter();
        let tokens = tokens
            .filter(|entry| entry.user == bed.user && entry.subresource == "token")
            .count();
        assert_eq!(tokens == 1, asked_once, "{flag}: {tokens} tokens");
        let counts = bed.metrics().contains(r#"event_type="cache_miss""#);
        assert_eq!(
            counts,
            !flag.ends_with("size=0"),
            "a disabled cache has no counters"
        );
    }
}

#[tokio::test]
async fn evicted_token_is_counted() {
    let bed = Bed::start(&[OBJECT_LEVEL, "--token-cache-max-size=1"]).await;
    for name in ["deployer", "other"] {
        bed.account(name).await;
        bed.permit(name).await;
    }
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    place(&bed, json!({})).await;
    bed.kustomization("app", by_config()).await;
    bed.until_applied("app", "1").await;
    assert!(bed.metrics().contains("gotk_token_cache_evictions_total 0"));
    place(&bed, json!({"serviceAccountName": "other"})).await;
    bed.request("app", "as another").await;
    bed.until_handled("app", "as another").await;
    let metrics = bed.metrics();
    assert!(
        !metrics.contains("gotk_token_cache_evictions_total 0"),
        "{metrics}"
    );
    assert!(metrics.contains("gotk_token_cached_items 1"), "{metrics}");
}

/// All kinds that a `sourceRef` can name.
const SOURCES: [&str; 4] = [
    "GitRepository",
    "OCIRepository",
    "Bucket",
    "ExternalArtifact",
];

/// Creates `source` of a kind, with an artifact of one config map in the reader's namespace.
async fn publish_of(kind: &str, elsewhere: &Bed, reader: &Bed) {
    let url = if kind == "OCIRepository" {
        "oci://example.com/a"
    } else {
        "https://example.com/a"
    };
    let spec = match kind {
        "Bucket" => json!({"interval": "1h", "bucketName": "a", "endpoint": "example.com"}),
        "ExternalArtifact" => json!({}),
        _ => json!({"interval": "1h", "url": url}),
    };
    elsewhere
        .apply(
            &json!({"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind,
            "metadata": {"name": "source"}, "spec": spec}),
        )
        .await;
    let name = format!("of-{}", kind.to_lowercase());
    let files = config(&name, "1").replace("NAMESPACE", &reader.namespace);
    let archive = archive(&[("a.yaml", &files)]);
    let digest = Algorithm::Sha256.digest(&archive).to_string();
    let artifact = elsewhere.offer("1", archive, &digest);
    elsewhere.advertise(kind, "source", &artifact).await;
}

#[tokio::test]
async fn no_cross_namespace_refs_applies_to_every_source_kind() {
    let gates = "--feature-gates=ExternalArtifact=true,DirectSourceFetch=true";
    let elsewhere = Bed::idle().await;
    for (flags, may) in [
        (&[gates, "--no-cross-namespace-refs"][..], false),
        (&[gates][..], true),
    ] {
        let bed = Bed::start(flags).await;
        let mark = bed.mark().await;
        for kind in SOURCES {
            publish_of(kind, &elsewhere, &bed).await;
            let name = kind.to_lowercase();
            let source = json!({"kind": kind, "name": "source", "namespace": elsewhere.namespace});
            bed.kustomization(&name, json!({"sourceRef": source})).await;
            if may {
                bed.until_applied(&name, "1").await;
                assert!(bed.config_map(&format!("of-{name}")).await.is_some());
                continue;
            }
            let expected = format!(
                "can't access '{kind}/{}/source', cross-namespace references have been blocked",
                elsewhere.namespace
            );
            assert_eq!(bed.until_failed(&name, "AccessDenied").await, expected);
            let status = bed
                .until(&name, "is stalled", |status| {
                    status.conditions.is_true("Stalled")
                })
                .await;
            assert!(status.inventory.is_none_or(|held| held.entries.is_empty()));
            bed.until_event(&name, "AccessDenied", &expected).await;
        }
        if !may {
            bed.mark().await;
            let mut asked = bed.testbed.audit().since(mark);
            asked.retain(|entry| entry.user == bed.user && entry.namespace == elsewhere.namespace);
            assert!(asked.is_empty(), "{asked:#?}");
        }
    }
}

#[tokio::test]
async fn missing_cross_namespace_source_waits() {
    let bed = Bed::start(&[]).await;
    let source = json!({"kind": "GitRepository", "name": "source", "namespace": "elsewhere"});
    bed.kustomization("app", json!({"sourceRef": source})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(
        message,
        "GitRepository.source.toolkit.fluxcd.io \"source\" not found"
    );
}

/// As in Flux: the flag covers objects that are read and applied. A dependency only reveals whether
/// it is ready.
#[tokio::test]
async fn cross_namespace_dependency_is_allowed() {
    let bed = Bed::start(&["--no-cross-namespace-refs"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let depends_on = json!([{"name": "a", "namespace": "elsewhere"}]);
    bed.kustomization("app", json!({"dependsOn": depends_on}))
        .await;
    let message = bed.until_failed("app", "DependencyNotReady").await;
    assert!(
        message.starts_with("dependency 'elsewhere/a' not found"),
        "{message}"
    );
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn requeue_dependency_flag_sets_retry_delay() {
    let bed = Bed::start(&["--requeue-dependency=7m"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.lose("1");
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(
        message,
        "Source is not ready, artifact not found, retrying in 7m0s"
    );
}

#[tokio::test]
async fn config_selector_flag_chooses_watched_label() {
    let bed = Bed::start(&["--watch-configs-label-selector=watch=me"]).await;
    let variables = async |name: &str, label: &str, value: &str| {
        bed.apply(
            &json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"v": value},
            "metadata": {"name": name, "labels": {"watch": label}}}),
        )
        .await;
    };
    variables("mine", "me", "one").await;
    bed.publish("1", &[("a.yaml", &config("a", "${v}"))]).await;
    bed.kustomization(
        "app",
        json!({"postBuild": {"substituteFrom": [{"kind": "ConfigMap", "name": "mine"}]}}),
    )
    .await;
    bed.until_applied("app", "1").await;
    variables("mine", "me", "two").await;
    bed.until_config_map("a", "has the new value", |map| {
        map.data.as_ref().is_some_and(|data| data["key"] == "two")
    })
    .await;
}

/// Creates `GitRepository/source` with an artifact of one config map `a` and this URL.
async fn publish_at(bed: &Bed, url: &str) {
    bed.publish("0", &[]).await;
    let files = config("a", "1").replace("NAMESPACE", &bed.namespace);
    let archive = archive(&[("a.yaml", &files)]);
    let digest = Algorithm::Sha256.digest(&archive).to_string();
    let mut artifact = bed.offer("1", archive, &digest);
    artifact["url"] = json!(url);
    bed.advertise("GitRepository", "source", &artifact).await;
}

#[tokio::test]
async fn http_retry_flag_limits_download_attempts() {
    for (flag, arrives) in [("--http-retry=0", false), ("--http-retry=1", true)] {
        let bed = Bed::start(&[flag]).await;
        let files = config("a", "1").replace("NAMESPACE", &bed.namespace);
        let archive = archive(&[("a.yaml", &files)]);
        let asked = Arc::new(AtomicUsize::new(0));
        let (whole, seen) = (archive.clone(), Arc::clone(&asked));
        // Only the first request fails.
        let router = axum::Router::new().fallback(move || {
            let is_first = seen.fetch_add(1, Ordering::SeqCst) == 0;
            let answer = if is_first {
                Err(StatusCode::SERVICE_UNAVAILABLE)
            } else {
                Ok(whole.clone())
            };
            async move { answer }
        });
        publish_at(&bed, &format!("{}/1.tar.gz", served(router).await)).await;
        bed.kustomization("app", json!({})).await;
        if arrives {
            bed.until_applied("app", "1").await;
        } else {
            let message = bed.until_failed("app", "ArtifactFailed").await;
            assert!(message.contains("503"), "{message}");
        }
        let expected = if arrives { 2 } else { 1 };
        assert_eq!(asked.load(Ordering::SeqCst), expected, "{flag}");
    }
}

#[tokio::test]
async fn first_download_error_is_reported() {
    let bed = Bed::start(&["--http-retry=2"]).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&asked);
    let router = axum::Router::new().fallback(move || {
        let is_first = seen.fetch_add(1, Ordering::SeqCst) == 0;
        let answer = if is_first {
            StatusCode::SERVICE_UNAVAILABLE
        } else {
            StatusCode::GATEWAY_TIMEOUT
        };
        async move { answer }
    });
    publish_at(&bed, &format!("{}/1.tar.gz", served(router).await)).await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert!(
        message.contains("503") && !message.contains("504"),
        "{message}"
    );
    assert!(asked.load(Ordering::SeqCst) >= 3);
}

#[tokio::test]
async fn localhost_flags_replace_artifact_host() {
    for (flag, host) in [
        (
            "--source-controller-localhost",
            "source-controller.flux-system.svc.cluster.local.",
        ),
        (
            "--source-watcher-localhost",
            "source-watcher.flux-system.svc.cluster.local.",
        ),
    ] {
        let mut bed = Bed::idle().await;
        let flag = format!("{flag}={}", bed.server());
        bed.run(&[&flag, "--http-retry=0"]);
        publish_at(&bed, &format!("http://{host}/1.tar.gz")).await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
    }
}
