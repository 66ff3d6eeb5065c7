//! Compares the files of `bootstrap` with our images and with Flux's. They replace each other in a
//! repository that changes hands twice. `manifests` and `sluice-manifests` prove that the files
//! with Flux's images equal Flux's own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn export(folder: &Path, flags: &[&str]) {
    let ended = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["bootstrap", "git", "--url=https://git.example/fleet"])
        .args(["--path=clusters/one", "--export-dir"])
        .arg(folder)
        .args(flags)
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .output()
        .unwrap();
    assert!(ended.status.success(), "{ended:?}");
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let folder = folder.join("clusters/one/flux-system");
    let entries = std::fs::read_dir(folder).unwrap();
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    entries.map(|entry| file(entry.unwrap().path())).collect()
}

#[test]
fn flux_repository_changes_only_image_and_version_lines() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let extra =
        "--components-extra=image-reflector-controller,image-automation-controller,source-watcher";
    export(folder, &[extra, "--flux-images"]);
    let before = files(folder);
    let names: Vec<&str> = before.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "gotk-components.yaml",
            "gotk-sync.yaml",
            "kustomization.yaml"
        ]
    );
    export(folder, &[extra]);
    let ours = files(folder);
    let mut changed = 0;
    for (name, text) in &before {
        let (theirs, ours): (Vec<&str>, Vec<&str>) =
            (text.lines().collect(), ours[name].lines().collect());
        assert_eq!(theirs.len(), ours.len(), "{name}");
        for (theirs, ours) in theirs.iter().zip(ours).filter(|(a, b)| *a != b) {
            let is_ours = |line: &str| {
                let line = line.trim_start_matches([' ', '-']);
                let starts = ["image: ", "# Flux Version: ", "app.kubernetes.io/version: "];
                starts.iter().any(|start| line.starts_with(start))
            };
            assert!(is_ours(theirs) && is_ours(ours), "{theirs} | {ours}");
            changed += 1;
        }
    }
    assert!(changed > 0, "our controllers come in");
    export(folder, &[extra, "--flux-images"]);
    assert!(files(folder) == before, "not a byte is left of ours");
}
