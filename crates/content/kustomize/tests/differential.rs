//! Compares builds of random trees with the pinned kustomize, byte for byte.
//!
//! `KUSTOMIZE_BIN` names the binary; otherwise it is built once. If that is not possible, the
//! test is skipped with a message, or fails with `REQUIRE_ORACLES=1`. The trees have a fixed
//! seed and use supported features only.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;

use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::{Options, build, build_yaml};
use sluice_testkit::kustomize::{Flags, Kustomize};

fn ours(directory: &Path) -> Result<String, String> {
    let built = build(&DiskFs, directory, &Options::cli()).map(|built| built.to_yaml());
    let printed = build_yaml(&DiskFs, directory, &Options::cli());
    assert_eq!(printed, built);
    printed.map_err(|error| error.to_string().trim_end().to_owned())
}

fn put(directory: &Path, path: &str, contents: &str) {
    let path = directory.join(path);
    sluice_system::fs::create_dir_all(path.parent().unwrap()).unwrap();
    sluice_system::fs::write(path, contents).unwrap();
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

const KINDS: [(&str, &str); 10] = [
    ("v1", "ConfigMap"),
    ("v1", "Namespace"),
    ("v1", "Service"),
    ("v1", "Secret"),
    ("apps/v1", "Deployment"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
    ),
    ("example.com/v1", "Zebra"),
    ("example.com/v1alpha1", "Aardvark"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
];

const FIELDS: [&str; 14] = [
    "data: {a: yes, b: 'no', c: 012, d: 1e3, e: 0x1f, n: ~, f: 2001-01-01, g: 12:30}",
    "spec:\n  text: |\n    line one\n      line two\n\n  folded: >-\n    one\n    two\n",
    "spec: {list: [1, -2, 3.50, .5, true, null, {}, []], empty: '', quoted: \"a: b\"}",
    "steps:\n- a\n- b:\n    c: d\n  e: f\n",
    "base: &base {x: 1, y: [1, 2]}\nother:\n  <<: *base\n  x: 2\n",
    "spec: {long: this is a rather long line that goes on and on until it has to be folded somewhere near the end}",
    "data: {unicode: 'é 日本 \u{1f600}', tab: \"a\\tb\", nul: \"a\\u0001b\"}",
    "# only a comment\n",
    "spec: {1.5: a}",
    "spec:\n  cmd: [\"sh\", \"-c\", \"echo hello && exit 1\"]\n  m: {item10: 1, item9: 2, Item1: 3}\n",
    "spec: {big: 18446744073709551615, bigger: 18446744073709551616, small: -9223372036854775808}",
    "data:\n  key: \"first\\nsecond  \\n\"\n  other: \" leading\\nx\"\n",
    "spec: {a: !!str 1, b: !!binary aGVsbG8=, c: ! 1, d: !!float 1}",
    "type: Opaque\nstringData: {a: <html>&amp;</html>}\n",
];

/// Writes a tree of one to three kustomizations, some of them broken.
fn tree(random: &mut Random, directory: &Path) {
    let bases = random.below(3);
    for base in 0..=bases {
        let mut resources = String::new();
        if base < bases {
            writeln!(resources, "- ../k{}", base + 1).unwrap();
        }
        for file in 0..random.below(4) {
            let mut text = String::new();
            for object in 0..=random.below(3) {
                if object > 0 {
                    text.push_str(random.pick(&["---\n", "---\n", "--- # next\n", "---\n---\n"]));
                }
                let (version, kind) = KINDS[random.below(KINDS.len())];
                // Names sometimes repeat, so some ids are equal.
                let name = format!("n{}", random.below(60));
                let namespace =
                    random.pick(&["", "", "  namespace: default\n", "  namespace: web\n"]);
                writeln!(
                    text,
                    "apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}"
                )
                .unwrap();
                text.push_str(namespace);
                if random.below(9) == 0 {
                    text.push_str("  annotations: {config.kubernetes.io/local-config: 'true'}\n");
                }
                let field = FIELDS[random.below(FIELDS.len())];
                writeln!(text, "{}", field.trim_end()).unwrap();
            }
            if random.below(12) == 0 {
                text.push_str(random.pick(&[
                    "bad: [\n",
                    "\tbad: 1\n",
                    "kind: Twice\n",
                    "--- x\na: b\n",
                    "a: *nothing\n",
                ]));
            }
            if random.below(10) == 0 {
                text = text.replace('\n', "\r\n");
            }
            put(directory, &format!("k{base}/f{file}.yaml"), &text);
            writeln!(resources, "- f{file}.yaml").unwrap();
        }
        if random.below(20) == 0 {
            writeln!(
                resources,
                "- {}",
                random.pick(&["missing.yaml", "../outside.yaml", ".", "../k0"])
            )
            .unwrap();
        }
        let head = random.pick(&[
            "",
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
            "metadata: {name: x}\n",
            "sortOptions: {order: fifo}\n",
        ]);
        let name = random.pick(&["kustomization.yaml", "kustomization.yml", "Kustomization"]);
        put(
            directory,
            &format!("k{base}/{name}"),
            &format!("{head}resources:\n{resources}"),
        );
    }
    put(directory, "outside.yaml", "kind: X\nmetadata: {name: x}\n");
}

/// Upstream finds a duplicate key or a key that is not text only when it prints the object.
/// This engine finds it when it parses the file.
fn is_announced(ours: &Result<String, String>) -> bool {
    ours.as_ref().is_err_and(|ours| {
        ours.contains("already defined at line")
            || ours.contains("unsupported type: map[interface {}]interface {}")
    })
}

#[test]
fn random_trees_build_like_kustomize() {
    let Some(kustomize) = Kustomize::find() else {
        return;
    };
    let mut random = Random(42);
    let (mut differing, mut built) = (String::new(), 0);
    for number in 0..150 {
        let directory = tempfile::tempdir().unwrap();
        tree(&mut random, directory.path());
        let root = directory.path().join("k0");
        let theirs = kustomize.build(&root, Flags::default());
        let ours = ours(&root);
        built += usize::from(theirs.is_ok());
        if theirs != ours && !is_announced(&ours) {
            writeln!(
                differing,
                "tree {number}\n--- theirs {theirs:#?}\n--- ours {ours:#?}"
            )
            .unwrap();
        }
    }
    assert!(differing.is_empty(), "{differing}");
    assert!(built >= 50, "only {built} trees build");
}
