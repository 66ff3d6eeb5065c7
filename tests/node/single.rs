//! Tests all controllers in one pod under restricted pod security, and its memory savings.

use k8s_openapi::api::core::v1::{Namespace, Pod, ServiceAccount};
use kube::Api;
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;
use sluice_testkit::wait;

use crate::stage::{self, CONTROLLERS, NodeFixture, Running, SYSTEM, restarts};

const NAME: &str = "single";
/// Maximum unshared memory of the pod with all controllers: three times the recorded value.
const MAX_ANONYMOUS_KIB: u64 = 32 * 1024;
/// Maximum resident memory, relative to two pods. The pod maps the program only once.
const MAX_RESIDENT_PERCENT: u64 = 80;

/// Creates Flux's namespace with the `restricted` level of pod security.
async fn enforce(stage: &NodeFixture) {
    let namespace = json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": { "name": SYSTEM, "labels": {
            "pod-security.kubernetes.io/enforce": "restricted",
            "pod-security.kubernetes.io/enforce-version": "latest",
        } },
    });
    let namespaces: Api<Namespace> = stage.namespaces().await;
    let params = PatchParams::apply("administrator");
    namespaces
        .patch(SYSTEM, &params, &Patch::Apply(namespace))
        .await
        .unwrap();
    // Without an account, pod security does not apply.
    let accounts: Api<ServiceAccount> = stage.api(SYSTEM).await;
    wait::exists(&accounts, "default").await;
    let pods: Api<Pod> = stage.api(SYSTEM).await;
    let careless = json!({
        "metadata": { "name": "careless" },
        "spec": { "containers": [{ "name": "main", "image": "sluice.test/none:1" }] },
    });
    let careless = serde_json::from_value(careless).unwrap();
    let refused = pods.create(&PostParams::default(), &careless).await;
    let told = refused.unwrap_err().to_string();
    assert!(told.contains("violates PodSecurity"), "{told}");
}

/// Checks the user and the read-only root of each controller pod. Returns their memory in KiB: in
/// total, and the unshared part.
async fn look(stage: &NodeFixture, count: usize) -> (u64, u64) {
    let pods = stage.pods(SYSTEM).await;
    assert_eq!(pods.len(), count, "{pods:#?}");
    let (mut resident, mut anonymous) = (0, 0);
    for pod in &pods {
        assert_eq!(restarts(pod), 0, "{:?}", pod.status);
        let process = Running::of(pod);
        assert_eq!(process.status("Uid"), 65534);
        assert!(process.root_is_read_only(), "{:?}", pod.metadata.name);
        resident += process.status("VmRSS");
        anonymous += process.status("RssAnon");
    }
    (resident, anonymous)
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stderr, reason = "the figures are printed for people")]
async fn restricted_pod_runs_all_controllers() {
    let Some(stage) = stage::take().await else {
        return;
    };
    enforce(&stage).await;
    let install = format!("install --components={}", CONTROLLERS.join(","));
    stage.sluice(&install).await;
    let app = stage.app(NAME).await;
    app.create(&[]).await;
    let apart = look(&stage, CONTROLLERS.len()).await;

    let output = stage.sluice(&format!("{install} --topology=single")).await;
    assert!(output.contains("sluice: deployment ready"), "{output}");
    // The other pods end after they release their leases.
    wait::eventually("one pod is left", || async {
        let left = stage.pods(SYSTEM).await;
        let names: Vec<_> = left.into_iter().map(|pod| pod.metadata.name).collect();
        if names.len() == 1 {
            Ok(())
        } else {
            Err(format!("{names:?}"))
        }
    })
    .await;
    stage.publish(NAME, 2).await;
    let revision = app.commit(2, &[]);
    stage
        .sluice("reconcile kustomization app --with-source")
        .await;
    app.until_ready_at(&revision).await;
    let single = look(&stage, 1).await;
    let namespaces = stage.namespaces().await;
    let labels = namespaces
        .get(SYSTEM)
        .await
        .unwrap()
        .metadata
        .labels
        .unwrap();
    assert_eq!(labels["pod-security.kubernetes.io/enforce"], "restricted");
    eprintln!(
        "memory: one pod {} KiB ({} KiB of its own), two pods {} KiB ({} KiB of their own)",
        single.0, single.1, apart.0, apart.1
    );
    assert!(
        single.1 < apart.1,
        "one process has less than two: {single:?} {apart:?}"
    );
    assert!(
        single.1 <= MAX_ANONYMOUS_KIB,
        "one pod has {} KiB of its own, limit {MAX_ANONYMOUS_KIB} KiB",
        single.1
    );
    assert!(
        single.0 * 100 <= apart.0 * MAX_RESIDENT_PERCENT,
        "one pod has more than {MAX_RESIDENT_PERCENT} % of two: {single:?} {apart:?}"
    );
    stage.uninstall(NAME).await;
}
