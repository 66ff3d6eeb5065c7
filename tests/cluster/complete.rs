//! Tests completion of names that only the cluster has.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kube::config::Kubeconfig;
use serde_json::json;
use sluice_system::{Clock as _, SystemClock, fs};
use sluice_testkit::{FaultProxy, When, wait};
use tempfile::TempDir;

use crate::binary::{Call, CommandResult};
use crate::world::World;

/// Completes with an empty cache.
fn ask(kubeconfig: &Path, line: &str) -> CommandResult {
    let cache = TempDir::new().unwrap();
    in_time(&asking(kubeconfig, cache.path()), line)
}

/// Whether the request timed out, as on a busy machine.
fn is_late(ended: &CommandResult) -> bool {
    ended
        .stderr
        .contains("the API server did not answer in time")
}

/// Completes until the cluster answers in time.
fn in_time(call: &Call, line: &str) -> CommandResult {
    let mut answers = (0..60).map(|_| call.run(line));
    answers.find(|ended| !is_late(ended)).expect("an answer")
}

fn asking(kubeconfig: &Path, cache: &Path) -> Call {
    Call::new(kubeconfig).variable("SLUICE_CACHE_DIR", cache.display().to_string())
}

fn offered(printed: &str) -> Vec<&str> {
    printed.lines().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_offers_objects_of_kind_and_namespace() {
    let world = World::new("complete").await;
    let (kubeconfig, namespace) = (world.bed.kubeconfig(), &world.namespace);
    for name in ["podinfo", "apps", "app-two"] {
        world.kustomization(name, json!({})).await;
    }
    world
        .source("fleet", "https://example.com/fleet", json!({}))
        .await;
    let ask = |line: &str| ask(&kubeconfig, line).well();

    let all = ask(&format!("__complete get kustomizations -n {namespace} app"));
    assert_eq!(offered(&all.stdout), ["app-two", "apps", ":4"]);
    assert_eq!(
        all.stderr,
        "Completion ended with directive: ShellCompDirectiveNoFileComp\n"
    );
    let suspend = ask(&format!(
        "__complete --namespace={namespace} suspend ks apps p"
    ));
    assert_eq!(offered(&suspend.stdout), ["podinfo", ":4"]);
    let sources = ask(&format!(
        "__completeNoDesc reconcile source git -n {namespace} f"
    ));
    assert_eq!(offered(&sources.stdout), ["fleet", ":4"]);
    let none = ask(&format!("__complete delete hr -n {namespace} f"));
    assert_eq!(offered(&none.stdout), [":4"]);
    let own = ask(&format!("__complete get ks -n {namespace}"));
    assert_eq!(offered(&own.stdout), [namespace.as_str(), ":4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_of_kubeconfig_names_needs_no_cluster() {
    let bed = sluice_testkit::cluster().await;
    let kubeconfig = bed.kubeconfig();
    let known = Kubeconfig::read_from(&kubeconfig).unwrap();
    for (flag, name) in [
        ("context", &known.contexts[0].name),
        ("cluster", &known.clusters[0].name),
        ("user", &known.auth_infos[0].name),
    ] {
        let ended = ask(&kubeconfig, &format!("__complete get ks --{flag}=")).well();
        assert_eq!(offered(&ended.stdout), [name.as_str(), ":4"], "{flag}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_without_list_right_is_empty() {
    let bed = sluice_testkit::cluster().await;
    let nobody = bed.kubeconfig_in_group("nobody-at-all", None);
    let cache = TempDir::new().unwrap();
    let ended = in_time(&asking(&nobody, cache.path()), "__complete get ks a").well();
    assert_eq!(offered(&ended.stdout), [":1"]);
    assert!(
        ended.stderr.starts_with("[Error] ") && ended.stderr.contains("forbidden"),
        "{ended:?}"
    );
    assert_eq!(
        answers(cache.path()),
        Vec::<PathBuf>::new(),
        "what failed is not kept"
    );
}

/// Returns the cache files.
fn answers(cache: &Path) -> Vec<PathBuf> {
    let folder = cache.join("sluice/completion");
    if !fs::exists(&folder).unwrap() {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).unwrap();
    entries.into_iter().map(|entry| entry.path).collect()
}

/// Sets the age of a cache file.
fn date(answer: &Path, ago: Duration) {
    let now: SystemTime = SystemClock.now().into();
    let file = fs::OpenOptions::new().write(true).open(answer).unwrap();
    file.set_modified(now - ago).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn recent_completion_is_cached() {
    let world = World::new("complete-again").await;
    let cache = TempDir::new().unwrap();
    world.kustomization("apps", json!({})).await;
    let proxy = FaultProxy::start(&world.bed.kubeconfig()).await;
    let line = format!("__complete get ks -n {} ", world.namespace);
    let call = asking(proxy.kubeconfig(), cache.path());
    let lists = || proxy.count(&When::any().verb("list").resource("kustomizations"));
    let ask = async || {
        wait::eventually("an answer", async || {
            let before = lists();
            let ended = call.run_beside(&format!("{line} a")).await.well();
            if is_late(&ended) {
                return Err(ended.stderr);
            }
            Ok((ended.stdout, lists() - before))
        })
        .await
    };
    assert_eq!(ask().await, ("apps\n:4\n".to_owned(), 1));
    let kept = answers(cache.path());
    assert_eq!(kept.len(), 1, "{kept:?}");
    fs::write(&kept[0], "[\"apps\",\"as-it-was\",\"base\"]").unwrap();
    // On a slow machine, the query may time out several times.
    let asked = wait::eventually("an answer is given again", async || {
        let before = proxy.count(&When::any());
        fs::write(&kept[0], "[\"apps\",\"as-it-was\",\"base\"]").unwrap();
        let (answer, _) = ask().await;
        if answer == "apps\nas-it-was\n:4\n" {
            Ok(proxy.count(&When::any()) - before)
        } else {
            Err(answer)
        }
    })
    .await;
    assert_eq!(asked, 0, "and the cluster is not asked at all");

    let other = call
        .run_beside(&format!(
            "__complete get ks -n {} --as nobody a",
            world.namespace
        ))
        .await;
    assert_eq!(other.stdout, ":1\n", "another identity has another answer");
    date(&kept[0], Duration::from_hours(1));
    let (answer, _) = ask().await;
    assert_eq!(answer, "apps\n:4\n", "an old answer is none");
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_cache_directory_is_ignored() {
    let world = World::new("complete-nowhere").await;
    world.kustomization("apps", json!({})).await;
    let nowhere = tempfile::NamedTempFile::new().unwrap();
    let line = format!("__complete get ks -n {} a", world.namespace);
    for place in [nowhere.path(), Path::new("/proc/nowhere"), Path::new("")] {
        let ended = in_time(&asking(&world.bed.kubeconfig(), place), &line).well();
        assert_eq!(ended.stdout, "apps\n:4\n", "{}", place.display());
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cached_answers_hold_no_secret() {
    let world = World::new("complete-secret").await;
    world.kustomization("apps", json!({})).await;
    let cache = TempDir::new().unwrap();
    let kubeconfig = world.bed.kubeconfig();
    let secret = Kubeconfig::read_from(&kubeconfig).unwrap();
    let secret = serde_json::to_value(&secret.auth_infos[0].auth_info).unwrap();
    let secrets: Vec<&str> = secret
        .as_object()
        .unwrap()
        .values()
        .filter_map(serde_json::Value::as_str)
        .filter(|text| text.len() > 8)
        .collect();
    assert!(!secrets.is_empty(), "{secret}");
    let line = format!("__complete get ks -n {} a", world.namespace);
    let call = asking(&kubeconfig, cache.path());
    in_time(&call, &line).well();
    let token = secrets[0];
    in_time(&call, &format!("{line} --token {token} a"));
    let kept = answers(cache.path());
    assert_eq!(kept.len(), 1, "with a token on the line nothing is kept");
    for answer in kept {
        let text = format!(
            "{} {}",
            answer.display(),
            fs::read_to_string(&answer).unwrap()
        );
        assert!(
            !secrets.iter().any(|secret| text.contains(secret)),
            "{text}"
        );
    }
}
