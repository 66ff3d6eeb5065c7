//! Builds of whole trees, in memory and on disk: their output, and the error of each invalid
//! input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;

use sluice_kustomize::flux::{self, Action, Spec};
use sluice_kustomize::fs::{DiskFs, MemFs, SecureFs};
use sluice_kustomize::{Code, Error, Fs, Limits, Options, ResMap, build, build_yaml};

fn map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

fn names(built: &ResMap) -> Vec<&str> {
    built
        .resources()
        .iter()
        .map(sluice_object::Object::name)
        .collect()
}

fn in_flux(fs: &dyn Fs, directory: &str) -> Result<ResMap, Error> {
    flux::build(fs, Path::new(directory), &Spec::default(), &Options::flux())
}

#[track_caller]
fn refused(outcome: Result<ResMap, Error>, code: Code, message: &str) {
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.code(), error.to_string()),
        (code, message.to_owned())
    );
}

#[test]
fn resources_have_the_order_of_files_and_bases() {
    let tree = MemFs::new()
        .with(
            "/app/kustomization.yaml",
            "resources: [b.yaml, ../base, a.yaml]\n",
        )
        .with("/app/a.yaml", map("a"))
        .with("/app/b.yaml", format!("{}---\n{}", map("b1"), map("b2")))
        .with("/base/kustomization.yml", "resources:\n- c.yaml\n")
        .with("/base/c.yaml", map("c"));
    let built = build(&tree, Path::new("/app"), &Options::flux()).unwrap();
    assert_eq!(names(&built), ["b1", "b2", "c", "a"]);
    let yaml = built.to_yaml();
    assert!(yaml.starts_with("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b1\n---\n"));
    assert!(yaml.ends_with("  name: a\n"));
}

#[test]
fn command_sorts_by_kind_and_flux_does_not() {
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [a.yaml]\n")
        .with(
            "/a.yaml",
            "kind: Deployment\nmetadata: {name: d}\n---\nkind: Zebra\nmetadata: {name: z}\n---\nkind: Namespace\nmetadata: {name: n}\n",
        );
    let root = Path::new("/");
    assert_eq!(
        names(&build(&tree, root, &Options::flux()).unwrap()),
        ["d", "z", "n"]
    );
    assert_eq!(
        names(&build(&tree, root, &Options::cli()).unwrap()),
        ["n", "d", "z"]
    );
}

#[test]
fn local_configuration_is_left_out() {
    let local = |value: &str| {
        format!(
            "kind: X\nmetadata:\n  name: x{value}\n  annotations:\n    config.kubernetes.io/local-config: '{value}'\n"
        )
    };
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [a.yaml]\n")
        .with(
            "/a.yaml",
            format!("{}---\n{}", local("true"), local("false")),
        );
    let built = build(&tree, Path::new("/"), &Options::flux()).unwrap();
    assert_eq!(names(&built), ["xfalse"]);
}

#[test]
fn origin_annotations_are_added_on_request() {
    let tree = MemFs::new()
        .with(
            "/app/kustomization.yaml",
            "buildMetadata: [originAnnotations]\nresources: [../base]\n",
        )
        .with("/base/kustomization.yaml", "resources: [c.yaml]\n")
        .with("/base/c.yaml", map("c"));
    let built = build(&tree, Path::new("/app"), &Options::flux()).unwrap();
    let origin = built.resources()[0].annotation("config.kubernetes.io/origin");
    assert_eq!(origin, Some("path: ../base/c.yaml\n"));
}

#[test]
fn folder_of_plain_files_becomes_a_kustomization() {
    let tree = MemFs::new()
        .with("/apps/b.yaml", map("b"))
        .with("/apps/a/x.yml", map("x"))
        .with("/apps/a/README.md", "no: [yaml")
        .with("/apps/base/Kustomization", "resources: [y.yaml]\n")
        .with("/apps/base/y.yaml", map("y"))
        .with("/apps/base/unlisted.yaml", "not: kubernetes\n");
    let generated = flux::generate(&tree, Path::new("/apps"), &Spec::default()).unwrap();
    assert_eq!(generated.action, Action::Created);
    assert_eq!(generated.path, Path::new("/apps/kustomization.yaml"));
    assert_eq!(
        generated.manifest,
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ./a/x.yml\n- ./b.yaml\n- ./base\n"
    );
    assert_eq!(names(&in_flux(&tree, "/apps").unwrap()), ["x", "b", "y"]);
}

#[test]
fn empty_folder_builds_to_nothing() {
    let mut tree = MemFs::new();
    tree.insert_dir("/apps");
    let generated = flux::generate(&tree, Path::new("/apps"), &Spec::default()).unwrap();
    assert!(generated.manifest.contains("namespace: _placeholder\n"));
    assert_eq!(in_flux(&tree, "/apps").unwrap().to_yaml(), "");
}

#[test]
fn file_without_resources_builds_to_nothing() {
    let tree = MemFs::new().with("/kustomization.yaml", "# nothing yet\n");
    assert_eq!(in_flux(&tree, "/").unwrap().to_yaml(), "");
}

#[test]
fn spec_fields_are_merged_into_the_file() {
    let tree = MemFs::new()
        .with(
            "/kustomization.yaml",
            "resources: [a.yaml]\nnamespace: old\nimages:\n- name: i\n  newTag: '1'\n- name: j\n",
        )
        .with("/a.yaml", map("a"));
    let spec = Spec {
        target_namespace: Some("new".to_owned()),
        patches: vec![serde_json::json!({"patch": "x"})],
        images: vec![serde_json::json!({"name": "i", "digest": "sha256:0"})],
        components: vec!["missing".to_owned()],
        ignore_missing_components: true,
        ..Spec::default()
    };
    let generated = flux::generate(&tree, Path::new("/"), &spec).unwrap();
    assert_eq!(
        generated.manifest,
        "apiVersion: kustomize.config.k8s.io/v1beta1\nimages:\n- digest: sha256:0\n  name: i\n- name: j\nkind: Kustomization\nnamespace: new\npatches:\n- patch: x\nresources:\n- a.yaml\n"
    );
}

#[test]
fn broken_file_is_shown_relative_to_the_root() {
    let tree = MemFs::new()
        .with("/deploy/apps/a.yaml", map("a"))
        .with("/deploy/apps/b.yaml", "kind: X\nmetadata:\n\tname: x\n")
        .with("/deploy/apps/c.yaml", map("c"));
    refused(
        in_flux(&tree, "/deploy"),
        Code::MalformedYaml,
        "failed to decode Kubernetes YAML from deploy/apps/b.yaml: MalformedYAMLError: yaml: line 3: found character that cannot start any token",
    );
    let tree = MemFs::new().with("/deploy/ci.yaml", "stages: [test]\n");
    refused(
        in_flux(&tree, "/deploy"),
        Code::ResourceInvalid,
        "failed to decode Kubernetes YAML from deploy/ci.yaml: missing Resource metadata",
    );
    let tree = MemFs::new().with("/deploy/a.yaml", "kind: X\nmetadata: {name: x}\nkind: X\n");
    refused(
        in_flux(&tree, "/deploy"),
        Code::MalformedYaml,
        "map[string]interface {}(nil): yaml: unmarshal errors:\n  line 3: mapping key \"kind\" already defined at line 1 in X.[noVer].[noGrp]/x.[noNs]",
    );
}

#[test]
fn object_without_version_is_rejected_by_flux_only() {
    let tree = MemFs::new().with("/a.yaml", "kind: X\nmetadata: {name: x}\nsecret: 1\n");
    refused(
        in_flux(&tree, "/"),
        Code::ResourceInvalid,
        r#"failed to decode Kubernetes apiVersion, kind and name from: {"apiVersion":"","kind":"X","metadata":{"name":"x","namespace":""}}"#,
    );
}

#[test]
fn objects_with_equal_ids_are_rejected() {
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [a.yaml, b.yaml]\n")
        .with("/a.yaml", map("a"))
        .with(
            "/b.yaml",
            map("a").replace("name: a", "name: a\n  namespace: default"),
        );
    let error = build(&tree, Path::new("/"), &Options::flux()).unwrap_err();
    assert_eq!(error.code(), Code::IdConflict);
    assert!(
        error.to_string().contains(
            "merging resources from 'b.yaml': may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.default"
        ),
        "{error}"
    );
}

#[test]
fn kustomizations_that_include_themselves_are_rejected() {
    let tree = MemFs::new()
        .with("/a/kustomization.yaml", "resources: [../b]\n")
        .with("/b/kustomization.yaml", "resources: [../a]\n");
    let error = build(&tree, Path::new("/a"), &Options::flux()).unwrap_err();
    assert_eq!(error.code(), Code::Cycle);
    assert!(
        error
            .to_string()
            .contains("cycle detected: candidate root 'a' contains visited root 'a'"),
        "{error}"
    );
    let tree = MemFs::new().with("/kustomization.yaml", "resources: [.]\n");
    let error = build(&tree, Path::new("/"), &Options::flux()).unwrap_err();
    assert_eq!(error.code(), Code::Cycle);
}

#[test]
fn missing_and_remote_files_have_different_errors() {
    let with = |path: &str| {
        let tree = MemFs::new().with(
            "/app/kustomization.yaml",
            format!("resources: ['{path}']\n"),
        );
        build(&tree, Path::new("/app"), &Options::flux()).unwrap_err()
    };
    let missing = with("x.yaml");
    assert_eq!(missing.code(), Code::PathNotFound);
    assert_eq!(
        missing.to_string(),
        "accumulating resources: accumulation err='accumulating resources from 'x.yaml': open app/x.yaml: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on 'app/x.yaml' : lstat app/x.yaml: no such file or directory"
    );
    for remote in [
        "https://example.com/x.yaml?token=secret",
        "github.com/org/repo//path?ref=v1",
        "git@example.com:org/repo",
        "ssh://git@example.com/org/repo",
    ] {
        let error = with(remote);
        assert_eq!(error.code(), Code::RemoteDenied, "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    assert_eq!(with("/etc/passwd").code(), Code::SecurityViolation);
}

#[test]
fn folder_needs_exactly_one_kustomization_file() {
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [none]\n")
        .with("/none/a.yaml", map("a"));
    let error = build(&tree, Path::new("/"), &Options::flux()).unwrap_err();
    assert_eq!(error.code(), Code::KustomizationMissing);
    assert!(error.to_string().ends_with(
        "couldn't make target for path 'none': unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory 'none'"
    ), "{error}");
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: []\n")
        .with("/Kustomization", "resources: []\n");
    refused(
        build(&tree, Path::new("/"), &Options::flux()),
        Code::KustomizationAmbiguous,
        "Found multiple kustomization files under: .\n",
    );
}

#[test]
fn path_out_of_the_tree_is_rejected() {
    let tree = MemFs::new()
        .with(
            "/app/kustomization.yaml",
            "resources: [../../../etc/passwd]\n",
        )
        .with("/etc/passwd", "inside of the tree\n");
    let error = build(&tree, Path::new("/app"), &Options::flux()).unwrap_err();
    assert_eq!(error.code(), Code::SecurityViolation);
    assert!(
        error.to_string().contains("fs-security-constraint"),
        "{error}"
    );
}

#[test]
fn command_reads_only_below_the_kustomizations_folder() {
    let tree = MemFs::new()
        .with("/app/kustomization.yaml", "resources: [../a.yaml]\n")
        .with("/a.yaml", map("a"));
    let error = build(&tree, Path::new("/app"), &Options::cli()).unwrap_err();
    assert_eq!(error.code(), Code::LoadRestricted);
    assert!(
        error
            .to_string()
            .contains("security; file 'a.yaml' is not in or below 'app'"),
        "{error}"
    );
    assert!(build(&tree, Path::new("/app"), &Options::flux()).is_ok());
}

#[test]
fn limits_end_a_build() {
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [a.yaml, b.yaml]\n")
        .with("/a.yaml", map("a"))
        .with("/b.yaml", map("b"));
    for limits in [
        Limits {
            file_bytes: 40,
            ..Limits::default()
        },
        Limits {
            total_bytes: 100,
            ..Limits::default()
        },
        Limits {
            resources: 1,
            ..Limits::default()
        },
        Limits {
            depth: 0,
            ..Limits::default()
        },
    ] {
        let options = Options {
            limits,
            ..Options::flux()
        };
        let outcome = build(&tree, Path::new("/"), &options);
        assert_eq!(outcome.unwrap_err().code(), Code::Limit, "{limits:?}");
    }
}

#[test]
fn alias_bomb_is_an_error() {
    let bomb = format!(
        "kind: X\nmetadata: {{name: x}}\na: &a [{}]\nb: &b [{}]\nc: [{}]\n",
        vec!["x"; 100].join(","),
        vec!["*a"; 1000].join(","),
        vec!["*b"; 100_000].join(",")
    );
    let tree = MemFs::new().with("/a.yaml", bomb);
    let error = in_flux(&tree, "/").unwrap_err();
    assert_eq!(error.code(), Code::YamlLimit);
    assert!(
        error
            .to_string()
            .contains("document contains excessive aliasing"),
        "{error}"
    );
}

/// A tree on disk, with a secret file outside of it.
struct DiskTree {
    directory: tempfile::TempDir,
}

impl DiskTree {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let tree = Self { directory };
        tree.put("secret.yaml", &map("secret"));
        for (path, contents) in files {
            tree.put(&format!("root/{path}"), contents);
        }
        tree
    }

    fn put(&self, path: &str, contents: &str) {
        let path = self.directory.path().join(path);
        sluice_system::fs::create_dir_all(path.parent().unwrap()).unwrap();
        sluice_system::fs::write(path, contents).unwrap();
    }

    fn link(&self, original: &str, link: &str) {
        let link = self.directory.path().join("root").join(link);
        sluice_system::fs::symlink(original, link).unwrap();
    }

    fn fs(&self) -> SecureFs {
        SecureFs::new(self.directory.path().join("root")).unwrap()
    }

    /// Builds, and checks that no error shows the path of the tree on the machine.
    fn build(&self, directory: &str) -> Result<ResMap, Error> {
        let outcome = in_flux(&self.fs(), directory);
        if let Err(error) = &outcome {
            let scratch = self.directory.path().to_string_lossy().into_owned();
            assert!(!error.to_string().contains(&scratch), "{error}");
        }
        outcome
    }
}

#[test]
fn tree_on_disk_builds_like_one_in_memory() {
    let tree = DiskTree::new(&[
        ("apps/a.yaml", &map("a")),
        ("apps/sub/b.yaml", &map("b")),
        (
            "apps/base/kustomization.yaml",
            "resources: [c.yaml, ../../shared/d.yaml]\n",
        ),
        ("apps/base/c.yaml", &map("c")),
        ("shared/d.yaml", &map("d")),
    ]);
    assert_eq!(names(&tree.build("/apps").unwrap()), ["a", "c", "d", "b"]);
    let disk = tree.directory.path().join("root/apps/base");
    let built = build(&DiskFs, &disk, &Options::flux()).unwrap();
    assert_eq!(names(&built), ["c", "d"]);
}

#[test]
fn links_within_the_tree_are_followed() {
    let tree = DiskTree::new(&[
        (
            "apps/kustomization.yaml",
            "resources: [link.yaml, linked]\n",
        ),
        ("shared/a.yaml", &map("a")),
        ("shared/base/kustomization.yaml", "resources: [b.yaml]\n"),
        ("shared/base/b.yaml", &map("b")),
    ]);
    tree.link("../shared/a.yaml", "apps/link.yaml");
    tree.link("../shared/base", "apps/linked");
    assert_eq!(names(&tree.build("/apps").unwrap()), ["a", "b"]);
}

#[test]
fn links_out_of_the_tree_are_rejected() {
    for (original, link, resource) in [
        ("../../secret.yaml", "apps/link.yaml", "link.yaml"),
        ("/etc/hostname", "apps/link.yaml", "link.yaml"),
        ("../..", "apps/link", "link/secret.yaml"),
        ("../..", "apps/link", "link"),
        ("/", "apps/link", "link/etc/hostname"),
    ] {
        let file = format!("resources: [{resource}]\n");
        let tree = DiskTree::new(&[("apps/kustomization.yaml", &file)]);
        tree.link(original, link);
        let error = tree.build("/apps").unwrap_err();
        assert_eq!(error.code(), Code::SecurityViolation, "{original}: {error}");
        assert!(
            error.to_string().contains("fs-security-constraint"),
            "{error}"
        );
    }
}

#[test]
fn kustomization_file_linked_from_outside_is_rejected() {
    let tree = DiskTree::new(&[("apps/a.yaml", &map("a"))]);
    tree.link("../../secret.yaml", "apps/kustomization.yaml");
    assert!(tree.build("/apps").is_err());
}

#[test]
fn chain_of_links_out_of_the_tree_is_rejected() {
    let tree = DiskTree::new(&[("apps/kustomization.yaml", "resources: [one]\n")]);
    tree.link("two", "apps/one");
    tree.link("three", "apps/two");
    tree.link("../../secret.yaml", "apps/three");
    let error = tree.build("/apps").unwrap_err();
    assert_eq!(error.code(), Code::SecurityViolation, "{error}");
}

#[test]
fn pipe_is_rejected_without_blocking() {
    let tree = DiskTree::new(&[("apps/kustomization.yaml", "resources: [pipe.yaml]\n")]);
    let pipe = tree.directory.path().join("root/apps/pipe.yaml");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let error = tree.build("/apps").unwrap_err();
    assert!(
        error.to_string().contains("must resolve to a file"),
        "{error}"
    );
}

/// Two folders of a hundred files, with errors in the given files.
fn many(faults: &[usize]) -> MemFs {
    let mut tree = MemFs::new();
    let mut lists = [String::new(), String::new()];
    for number in 0..200 {
        let (folder, list) = if number < 100 {
            ("base", 0)
        } else {
            ("app", 1)
        };
        writeln!(lists[list], "- m{number}.yaml").unwrap();
        let text = if faults.contains(&number) {
            "a: [".to_owned()
        } else {
            map(&format!("m{number}"))
        };
        tree.insert(&format!("/{folder}/m{number}.yaml"), text);
    }
    let [base, app] = lists;
    tree.insert("/base/kustomization.yaml", format!("resources:\n{base}"));
    tree.insert(
        "/app/kustomization.yaml",
        format!("namePrefix: p-\nresources:\n{app}- ../base\n"),
    );
    tree
}

fn on_threads(count: usize) -> Options {
    Options {
        threads: std::num::NonZeroUsize::new(count).unwrap(),
        ..Options::cli()
    }
}

#[test]
fn builds_on_several_threads_have_equal_output() {
    let tree = many(&[]);
    let one = build(&tree, Path::new("/app"), &on_threads(1)).unwrap();
    assert_eq!(one.resources().len(), 200);
    for count in [2, 3, 16] {
        let options = on_threads(count);
        let several = build(&tree, Path::new("/app"), &options).unwrap();
        assert_eq!(several, one);
        let printed = build_yaml(&tree, Path::new("/app"), &options).unwrap();
        assert_eq!(printed, one.to_yaml());
    }
}

#[test]
fn first_error_is_reported_on_any_number_of_threads() {
    for faults in [&[150, 101, 199][..], &[3, 99, 60], &[199, 0]] {
        let tree = many(faults);
        let expected = build(&tree, Path::new("/app"), &on_threads(1)).unwrap_err();
        for count in [2, 3, 16] {
            let error = build(&tree, Path::new("/app"), &on_threads(count)).unwrap_err();
            assert_eq!(error, expected);
        }
    }
    // The limit on bytes is checked in the same order.
    for total_bytes in [2_000, 8_000] {
        let limited = |count| Options {
            limits: Limits {
                total_bytes,
                ..Limits::default()
            },
            ..on_threads(count)
        };
        let tree = many(&[]);
        let expected = build(&tree, Path::new("/app"), &limited(1)).unwrap_err();
        assert_eq!(expected.code(), Code::Limit);
        assert_eq!(
            build(&tree, Path::new("/app"), &limited(4)).unwrap_err(),
            expected
        );
    }
}
