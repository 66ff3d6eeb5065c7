//! Tests of updates of a directory.

#![expect(clippy::disallowed_methods, reason = "a test writes files")]

use std::fs as std_fs;

use sluice_api::image::{ImagePolicy, ImagePolicyStatus, ImageRef};

use super::*;

const OLD: &str = "a: v1 # {\"$imagepolicy\": \"ns:p:tag\"}\n";
const NEW: &str = "a: v2 # {\"$imagepolicy\": \"ns:p:tag\"}\n";

fn setters() -> Setters {
    let mut policy = ImagePolicy::new("p", sluice_api::image::ImagePolicySpec::default());
    policy.metadata.namespace = Some("ns".to_owned());
    policy.status = Some(ImagePolicyStatus {
        latest_ref: Some(ImageRef {
            name: "app".to_owned(),
            tag: "v2".to_owned(),
            digest: None,
        }),
        ..ImagePolicyStatus::default()
    });
    Setters::of([&policy]).unwrap()
}

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        std_fs::create_dir_all(path.parent().unwrap()).unwrap();
        std_fs::write(path, content).unwrap();
    }
    root
}

fn paths(update: &Update) -> Vec<&str> {
    let paths = update.files.keys();
    paths.map(|path| path.to_str().unwrap()).collect()
}

#[test]
fn path_selects_the_files() {
    let root = tree(&[
        ("a.yaml", OLD),
        ("b/c.yml", OLD),
        ("b/Kustomization", OLD),
        ("b/x.txt", OLD),
        (".git/config.yaml", OLD),
        ("b/.git/x.yaml", OLD),
    ]);
    for (path, expected) in [
        ("", &["a.yaml", "b/Kustomization", "b/c.yml"][..]),
        ("./b", &["b/Kustomization", "b/c.yml"]),
        ("../../b", &["b/Kustomization", "b/c.yml"]),
        ("/b/c.yml", &["b/c.yml"]),
        ("b/x.txt", &[]),
    ] {
        let update = update_directory(root.path(), path, &setters()).unwrap();
        assert_eq!(paths(&update), expected, "{path}");
        assert!(
            update
                .files
                .values()
                .all(|content| content == NEW.as_bytes())
        );
    }
    // As in the reference, paths of the result start at the updated directory.
    let update = update_directory(root.path(), "b", &setters()).unwrap();
    let files: Vec<_> = update.result.file_changes.keys().collect();
    assert_eq!(files, ["Kustomization", "c.yml"]);
    let error = update_directory(root.path(), "none", &setters()).unwrap_err();
    assert_eq!(error.to_string(), "failed to walk path 'none' for files");
}

#[test]
fn links_stay_inside_of_the_root() {
    let outside = tree(&[("secret.yaml", OLD), ("d/e.yaml", OLD)]);
    let root = tree(&[("a/b.yaml", OLD), ("c/template", OLD), (".git/x.yaml", OLD)]);
    let link = |target: &Path, path: &str| fs::symlink(target, root.path().join(path)).unwrap();
    link(&outside.path().join("secret.yaml"), "out.yaml");
    let up = format!("{}etc/passwd", "../".repeat(32));
    link(Path::new(&up), "a/up.yaml");
    link(&outside.path().join("d"), "directory");
    link(Path::new(".git/x.yaml"), "git.yaml");
    link(Path::new("c/template"), "in.yaml");
    link(Path::new("a/b.yaml"), "same.yaml");
    link(Path::new("none.yaml"), "dangling.yaml");
    link(Path::new("loop.yaml"), "loop.yaml");
    let update = update_directory(root.path(), "", &setters()).unwrap();
    assert_eq!(paths(&update), ["a/b.yaml", "c/template"]);
    let outside_links: Vec<_> = update
        .findings
        .iter()
        .filter(|finding| finding.problem == FileProblem::LinkOutside)
        .map(|finding| finding.path.as_str())
        .collect();
    assert_eq!(outside_links, ["a/up.yaml", "git.yaml", "out.yaml"]);
    let error = update_directory(root.path(), "directory", &setters()).unwrap_err();
    assert!(matches!(error, UpdateError::PathOutside(_)), "{error}");
}

#[test]
fn files_that_are_not_yaml_are_skipped() {
    let binary = format!("\u{1}{OLD}");
    let root = tree(&[
        ("a.yaml", OLD),
        ("binary.yaml", &binary),
        ("list.yaml", "- v1 # {\"$imagepolicy\": \"ns:p:tag\"}\n"),
        (
            "template.yaml",
            "a: {{ .x }} y # {\"$imagepolicy\": \"ns:p\"}\n",
        ),
        ("unmarked.yaml", "a: ["),
    ]);
    let update = update_directory(root.path(), "", &setters()).unwrap();
    assert_eq!(paths(&update), ["a.yaml"]);
    let skipped: Vec<_> = update
        .findings
        .iter()
        .filter(|finding| matches!(finding.problem, FileProblem::Unreadable(_)))
        .map(|finding| finding.path.as_str())
        .collect();
    assert_eq!(skipped, ["binary.yaml", "list.yaml", "template.yaml"]);
}
