//! Tests impossible commands: one error line with the object and the cause, and exit code 1.

use sluice_testkit::Testbed;

use crate::binary::sluice;

#[test]
fn unreachable_api_server_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("config");
    let text = "apiVersion: v1\nkind: Config\ncurrent-context: a\n\
                contexts: [{name: a, context: {cluster: a, user: a}}]\n\
                clusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n\
                users: [{name: a, user: {}}]\n";
    sluice_system::fs::write(&path, text).unwrap();
    for line in [
        "get sources git",
        "get all",
        "check --pre",
        "tree ks apps",
        "events",
    ] {
        let ended = sluice(&path, line);
        assert_eq!(ended.code, 1, "{line}: {ended:?}");
        assert_eq!(
            ended.stderr.matches("127.0.0.1:1").count(),
            1,
            "{line}: {}",
            ended.stderr
        );
        // Progress may precede the error, which is one line. A hint follows.
        let errors = ended.stderr.lines().filter(|line| line.starts_with('✗'));
        assert_eq!(errors.count(), 1, "{line}: {}", ended.stderr);
        let last = ended.stderr.lines().last().unwrap();
        assert!(last.starts_with("  hint: "), "{line}: {}", ended.stderr);
    }
}

#[test]
fn unknown_context_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("config");
    sluice_system::fs::write(&path, "apiVersion: v1\nkind: Config\n").unwrap();
    let ended = sluice(&path, "get all --context nowhere");
    assert_eq!(ended.code, 1);
    assert!(
        ended.stderr.contains("context \"nowhere\" does not exist"),
        "{}",
        ended.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn denied_request_names_user_verb_and_kind() {
    let bed: &Testbed = sluice_testkit::cluster().await;
    let nobody = bed.kubeconfig_in_group("nobody-at-all", None);
    let namespace = bed.namespace("denied").await;
    let ended = sluice(&nobody, &format!("get sources git -n {namespace}"));
    assert_eq!(ended.code, 1);
    for said in [
        "nobody-at-all",
        "list",
        "gitrepositories",
        namespace.as_str(),
    ] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn check_version_and_logs_report_missing_installation() {
    let bed = sluice_testkit::cluster().await;
    let kubeconfig = bed.kubeconfig();
    let namespace = bed.namespace("empty").await;
    for (line, said) in [
        ("check", "no controllers found in the"),
        ("version", "no deployments found in"),
        ("logs --flux-namespace", "no Flux pods found in namespace"),
    ] {
        let line = if line.ends_with("namespace") {
            format!("{line} {namespace}")
        } else {
            format!("{line} -n {namespace}")
        };
        let ended = sluice(&kubeconfig, &line);
        assert_eq!(ended.code, 1, "{line}: {ended:?}");
        assert!(ended.stderr.contains(said), "{line}: {}", ended.stderr);
    }
    let ended = sluice(&kubeconfig, "check --pre").well();
    assert!(
        ended.stderr.contains("✔ Kubernetes 1.36"),
        "{}",
        ended.stderr
    );
}
