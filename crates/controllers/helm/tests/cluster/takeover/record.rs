//! Records what `helm` writes for each release, and the digests by Go.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use sluice_oracle::Oracle;
use sluice_system::fs;
use sluice_testkit::Reference;
use sluice_testkit::kube::api::ListParams;

use super::cases::{Case, Outcome};
use super::{OCI_DIGEST, ReleaseRecord};
use crate::bed::Bed;

/// Runs all cases, and writes the file of the test.
pub(super) async fn record(bed: &Bed, cases: &[Case]) {
    let helm = Reference::find().unwrap().binary("helm");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = tempfile::tempdir().unwrap();
    let oracle = root.join("../../content/helm/tests/oracle");
    let oracle = Oracle::build(&oracle, target.path()).unwrap();
    let mut recorded = BTreeMap::new();
    for case in cases {
        run(bed, &helm, case);
        recorded.insert(case.name, read(bed, &oracle, case).await);
    }
    let text = serde_json::to_string(&recorded).unwrap() + "\n";
    let path = root.join("tests/cluster/takeover/recorded.json");
    fs::write(path, text.replace("],\"", "],\n\"")).unwrap();
}

/// Installs a chart, and upgrades and tests the release.
fn run(bed: &Bed, helm: &Path, case: &Case) {
    for (index, (chart, values)) in case.charts.iter().zip(&case.values).enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        // The controller adds the digest of the artifact to the version.
        let version = if case.is_oci {
            format!("{}+{}", chart.version, &OCI_DIGEST["sha256:".len()..][..12])
        } else {
            chart.version.clone()
        };
        write("Chart.yaml", &chart.metadata_of(&version));
        for (file, text) in chart.templates() {
            write(file, text);
        }
        write("given.json", &values.to_string());
        let action = if index == 0 { "install" } else { "upgrade" };
        let mut command = Command::new(helm);
        command
            .args([action, &case.release_name(), ".", "--values", "given.json"])
            .args(["--skip-crds", "--namespace", case.namespace()])
            .env("KUBECONFIG", bed.testbed.kubeconfig())
            .current_dir(folder.path());
        write(".helmignore", "given.json\n");
        let ran = command.output().unwrap();
        let is_last = index + 1 == case.charts.len();
        let fails = is_last && case.outcome == Outcome::Failed;
        assert_eq!(ran.status.success(), !fails, "{}: {ran:?}", case.name);
    }
    if case.outcome == Outcome::Tested {
        let mut command = Command::new(helm);
        command
            .args([
                "test",
                &case.release_name(),
                "--namespace",
                case.namespace(),
            ])
            .env("KUBECONFIG", bed.testbed.kubeconfig());
        assert!(command.output().unwrap().status.success(), "{}", case.name);
    }
}

/// Reads the records of a release, and asks Go for their digests.
async fn read(bed: &Bed, oracle: &Oracle, case: &Case) -> Vec<ReleaseRecord> {
    let selector = format!("owner=helm,name={}", case.release_name());
    let secrets = bed.secrets(case.namespace());
    let listed = secrets.list(&ListParams::default().labels(&selector)).await;
    let mut recorded = Vec::new();
    for secret in listed.unwrap() {
        let text = decode(&secret);
        let mut question = json!({ "record": text });
        if case.is_oci {
            question["oci_digest"] = OCI_DIGEST.into();
        }
        let answered = oracle.fill_in("observe", &format!("{question}\n")).unwrap();
        let answered: Value = serde_json::from_str(&answered).unwrap();
        let release: Value = serde_json::from_str(&text).unwrap();
        let string = |value: &Value| value.as_str().unwrap().to_owned();
        // The history has whole seconds.
        let time = |value: &Value| {
            let time: jiff::Timestamp = value.as_str().unwrap().parse().unwrap();
            jiff::Timestamp::from_second(time.as_second())
                .unwrap()
                .to_string()
        };
        let hooks = release["hooks"].as_array().into_iter().flatten();
        let tests = hooks.filter(|hook| hook["events"] == json!(["test"]));
        let tests = tests
            .filter(|hook| hook["last_run"]["phase"].is_string())
            .map(|hook| (string(&hook["name"]), string(&hook["last_run"]["phase"])));
        let metadata = &release["chart"]["metadata"];
        recorded.push(ReleaseRecord {
            digest: string(&answered["observed"]),
            config_digest: string(&answered["result"]),
            first_deployed: time(&release["info"]["first_deployed"]),
            last_deployed: time(&release["info"]["last_deployed"]),
            status: string(&release["info"]["status"]),
            chart: [
                string(&metadata["version"]),
                string(&metadata["appVersion"]),
            ],
            tests: tests.collect(),
            secret: json!({
                "metadata": {
                    "name": secret.metadata.name,
                    "labels": secret.metadata.labels,
                },
                "type": secret.type_,
                "data": secret.data,
            }),
        });
    }
    assert_eq!(recorded.len(), case.charts.len(), "{}", case.name);
    recorded
}

/// The JSON of a record.
fn decode(secret: &Secret) -> String {
    let stored = &secret.data.as_ref().unwrap()["release"].0;
    let packed = STANDARD.decode(stored).unwrap();
    let mut text = String::new();
    let mut reader = flate2::read::GzDecoder::new(&*packed);
    reader.read_to_string(&mut text).unwrap();
    text
}
