//! Checks that `build` does not write to the tree that it builds. The tree is on a read-only mount,
//! because root ignores permissions.

use std::path::Path;
use std::process::Command;

use sluice_skip::{Requirement, skip};

use crate::program;

const BUILDS: [&str; 3] = [
    "build kustomization web -n apps --dry-run --kustomization-file tree/web.yaml --path tree/web",
    "build kustomization web -n apps --dry-run --in-memory-build --kustomization-file tree/web.yaml \
     --path tree/web",
    "build overlay tree/web",
];

fn plant(root: &Path) {
    let files = [
        (
            "tree/web.yaml",
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
             metadata: {name: web, namespace: apps}\n\
             spec: {interval: 1m, path: ./web, prune: true, targetNamespace: shop,\n  \
             sourceRef: {kind: GitRepository, name: fleet}}\n",
        ),
        (
            "tree/web/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n\
             resources: [settings.yaml]\n",
        ),
        (
            "tree/web/settings.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n",
        ),
    ];
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Returns all paths below a directory, with their modification times.
fn seen(root: &Path) -> Vec<(String, std::time::SystemTime)> {
    let mut seen = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let changed = path.metadata().unwrap().modified().unwrap();
            seen.push((path.display().to_string(), changed));
            if path.is_dir() {
                pending.push(path);
            }
        }
    }
    seen.sort();
    seen
}

#[test]
fn build_does_not_change_the_tree() {
    let root = tempfile::tempdir().unwrap();
    plant(root.path());
    let before = seen(root.path());
    for line in BUILDS {
        let output = Command::new(program::flux())
            .args(line.split_whitespace())
            .current_dir(root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        assert_eq!(seen(root.path()), before, "{line}");
    }
}

#[test]
fn build_runs_on_read_only_tree() {
    let root = tempfile::tempdir().unwrap();
    plant(root.path());
    let within = |script: &str| {
        let script =
            format!("mount --bind tree tree && mount -o remount,ro,bind tree && {{ {script}; }}");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", &script]);
        command.current_dir(root.path()).output()
    };
    // A failed or writable mount would prove nothing.
    let is_read_only =
        within("! touch tree/web/x 2>/dev/null").is_ok_and(|output| output.status.success());
    if !is_read_only {
        skip(Requirement::Oracle, "this system gives no mount of our own");
        return;
    }
    for line in BUILDS {
        let program = program::flux().display();
        let output = within(&format!("'{program}' {line}")).unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{line}: {output:?}");
        assert!(printed.contains("name: settings"), "{line}: {printed}");
    }
}
