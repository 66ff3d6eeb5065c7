//! The lines that Helm logs during actions.
//!
//! The expectations are the output of `helm … --debug` of Helm 4.2.4, for the same charts on an API
//! server. They have the form of helm-controller's log. Lines of the storage and of waits are left
//! out, because helm-controller replaces both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, Values};
use sluice_helm::action::{
    Install, Rollback, Uninstall, Upgrade, install, rollback, uninstall, upgrade,
};
use sluice_helm::cluster::{ClusterError, MemoryCluster};
use sluice_helm::store::{MemoryDriver, Store};
use sluice_helm::{Context, Templates};
use sluice_system::clock::ManualClock;
use sluice_system::fs;

/// A chart of these templates.
fn chart(templates: &[(&str, &str)]) -> Chart {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    for (file, text) in templates {
        write(&format!("templates/{file}"), text);
    }
    load::path(folder.path(), Links::Anywhere, &Limits::default()).unwrap()
}

const WEB: (&str, &str) = (
    "a.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n",
);
const LEFT: (&str, &str) = (
    "left.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: left}\n",
);
const BROKEN: (&str, &str) = (
    "b.yaml",
    "apiVersion: v1\nkind: Service\nmetadata: {name: broken}\n",
);

const CREATION: &str = "using server-side apply for resource creation: {\"dryRun\":false,\
                        \"fieldValidationDirective\":\"Strict\",\"forceConflicts\":false}";

fn update(migrates: bool) -> String {
    format!(
        "using server-side apply for resource update: {{\"dryRun\":false,\
         \"fieldValidationDirective\":\"Strict\",\"forceConflicts\":false,\
         \"upgradeClientSideFieldManager\":{migrates}}}"
    )
}

fn resource(text: &str, kind: &str, name: &str, more: &str) -> String {
    format!(
        "{text}: {{{more}\"gvk\":\"/v1, Kind={kind}\",\"name\":\"{name}\",\"namespace\":\"hrlog\"}}"
    )
}

fn named(text: &str, kind: &str, name: &str, more: &str) -> String {
    format!("{text}: {{{more}\"kind\":\"{kind}\",\"name\":\"{name}\",\"namespace\":\"hrlog\"}}")
}

#[tokio::test]
async fn actions_log_what_helm_logs() {
    let cluster = MemoryCluster::default();
    let clock = || ManualClock::at("2024-05-06T07:08:09Z".parse().unwrap());
    let store = Store::new(Arc::new(MemoryDriver::default()), Arc::new(clock()));
    let own = clock();
    let context = Context {
        cluster: &cluster,
        store: &store,
        clock: &own,
        cancel: tokio_util::sync::CancellationToken::new(),
    };
    let templates = Templates::default();
    let options = Install {
        name: "web".to_owned(),
        namespace: "hrlog".to_owned(),
        ..Install::default()
    };
    let first = chart(&[WEB, LEFT]);
    let installed = install(&context, first, Values::new(), &options, &templates).await;
    installed.unwrap();
    let expected = [
        "creating resource(s): {\"resources\":2}".to_owned(),
        CREATION.to_owned(),
        resource("Created resource via patch", "ConfigMap", "left", ""),
        resource("Created resource via patch", "ConfigMap", "web", ""),
    ];
    let mut lines = cluster.take_log();
    // Helm creates objects of one kind at once.
    lines[2..4].sort();
    assert_eq!(lines, expected);

    let refused = ClusterError::Failed("Service \"broken\" is invalid".to_owned());
    cluster.fail("apply Service/hrlog/broken", refused);
    let second = chart(&[WEB, BROKEN]);
    let (options, values) = (Upgrade::default(), Values::new());
    let failed = upgrade(&context, "web", second, values, &options, &templates).await;
    failed.unwrap_err();
    let failed = "Error creating resource via patch";
    let expected = [
        "preparing upgrade: {\"name\":\"web\"}".to_owned(),
        "determined release apply method: {\"previous_release_apply_method\":\"ssa\",\
         \"server_side_apply\":true}"
            .to_owned(),
        "performing update: {\"name\":\"web\"}".to_owned(),
        "creating upgraded release: {\"name\":\"web\"}".to_owned(),
        CREATION.to_owned(),
        update(false),
        "checking resources for changes: {\"resources\":2}".to_owned(),
        resource("Patched resource", "ConfigMap", "web", ""),
        resource(failed, "Service", "broken", "\"error\":{},"),
        "warning: upgrade failed: {\"error\":{},\"name\":\"web\"}".to_owned(),
    ];
    assert_eq!(cluster.take_log(), expected);
    cluster.clear_failures();

    let options = Rollback {
        version: 1,
        ..Rollback::default()
    };
    rollback(&context, "web", &options).await.unwrap();
    let missing = "unable to get object";
    let expected = [
        "preparing rollback: {\"name\":\"web\"}".to_owned(),
        "rolling back: {\"currentVersion\":2,\"name\":\"web\",\"targetVersion\":1}".to_owned(),
        "creating rolled back release: {\"name\":\"web\"}".to_owned(),
        "performing rollback: {\"name\":\"web\"}".to_owned(),
        CREATION.to_owned(),
        update(true),
        "checking resources for changes: {\"resources\":2}".to_owned(),
        resource("Patched resource", "ConfigMap", "left", ""),
        resource("Patched resource", "ConfigMap", "web", ""),
        named("deleting resource", "Service", "broken", ""),
        named(missing, "Service", "broken", "\"error\":{},"),
        "superseding previous deployment: {\"version\":1}".to_owned(),
        "updating status for rolled back release: {\"name\":\"web\"}".to_owned(),
    ];
    let mut lines = cluster.take_log();
    lines[7..9].sort();
    assert_eq!(lines, expected);

    let options = Uninstall::default();
    uninstall(&context, "web", &options).await.unwrap();
    let mut lines = cluster.take_log();
    lines[1..3].sort();
    let expected = [
        "uninstall: deleting release: {\"name\":\"web\"}".to_owned(),
        named("starting delete resource", "ConfigMap", "left", ""),
        named("starting delete resource", "ConfigMap", "web", ""),
        "purge requested: {\"release\":\"web\"}".to_owned(),
    ];
    assert_eq!(lines, expected);
}
