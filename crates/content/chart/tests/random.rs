//! Random values against Helm: files of values, assignments, dependencies with imports, globals.
//!
//! Each case is a chart with a dependency, whose templates print the values that they see. The
//! output, or the error, must be that of `helm template` in `REFERENCE_BIN_DIR`; the test is
//! skipped without it. `CASES` and `SEED` set the number and the seed of a long run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "Helm is another program, and the test prints counts"
)]

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Error, TemplateOptions, Values, strvals, template, values};
use sluice_oracle::Random;
use sluice_skip::{Requirement, skip};
use sluice_system::fs;

const TEMPLATE: &str = "values:\n{{ .Values | toYaml | indent 2 }}\n";
const KEYS: &[&str] = &["a", "b", "c", "sub", "global", "list", "enabled", "exports"];
const LEAVES: &[&str] = &[
    "null",
    "0",
    "1",
    "-3",
    "1.5",
    "1e21",
    "12345678901",
    "true",
    "false",
    "\"\"",
    "\"x\"",
    "\"1\"",
    "\"a b\"",
    "{}",
    "[]",
    "[1,null]",
    "[{\"a\":null}]",
];
const PATHS: &[&str] = &[
    "a",
    "b.c",
    "a.b.c",
    "list[0]",
    "list[1].a",
    "list[2][0]",
    "sub.a",
    "sub.global.x",
    "global.x",
    "a\\.b",
    "b.list[0]",
    "list[-1]",
    "list[x]",
    "",
    "a.",
    "sub",
    "c[0].b",
];
const TEXTS: &[&str] = &[
    "1",
    "-1",
    "007",
    "true",
    "TRUE",
    "null",
    "",
    "x",
    "{x,y}",
    "{}",
    "{1,null}",
    "x y",
    "a\\,b",
    "a=b",
    "{a",
    "1.5",
    "é",
    "\"q\"",
    "{[0]}",
    "9223372036854775808",
];
const SOUP: &[char] = &[
    'a', 'b', '.', ',', '=', '[', ']', '{', '}', '\\', '0', '1', '-', ' ', 'é', '"', '/',
];

struct Generator(Random);

impl Generator {
    fn tree(&mut self, depth: usize) -> Value {
        if depth == 0 || self.0.once_in(3) {
            let leaf = self.0.pick(LEAVES);
            return serde_json::from_str(leaf).unwrap();
        }
        Value::Object(self.map(depth - 1))
    }

    fn map(&mut self, depth: usize) -> Map<String, Value> {
        let keys: Vec<&str> = (0..self.0.below(5)).map(|_| self.0.pick(KEYS)).collect();
        let fields = keys
            .into_iter()
            .map(|key| (key.to_owned(), self.tree(depth)));
        fields.collect()
    }

    fn assignments(&mut self) -> String {
        if self.0.once_in(5) {
            let soup = (0..self.0.below(12)).map(|_| SOUP[self.0.below(SOUP.len())]);
            return soup.collect();
        }
        let count = 1 + self.0.below(3);
        let pairs: Vec<String> = (0..count)
            .map(|_| format!("{}={}", self.0.pick(PATHS), self.0.pick(TEXTS)))
            .collect();
        pairs.join(",")
    }

    fn imports(&mut self) -> Value {
        match self.0.below(5) {
            0 => json!(["data"]),
            1 => json!([{ "child": "a", "parent": "b" }]),
            2 => json!(["missing", { "child": "exports", "parent": "." }]),
            _ => json!([]),
        }
    }
}

/// A chart in a folder, and the values of the user.
struct Case {
    folder: tempfile::TempDir,
    /// Assignments, and whether they are texts.
    assignments: Vec<(bool, String)>,
}

impl Case {
    fn new(generator: &mut Generator) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("top");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let mut dependency = json!({
            "name": "sub",
            "version": "1.0.0",
            "import-values": generator.imports(),
        });
        if generator.0.once_in(3) {
            dependency["condition"] = json!("sub.enabled,global.x");
        }
        let metadata = json!({
            "apiVersion": "v2",
            "name": "top",
            "version": "1.0.0",
            "dependencies": [dependency],
        });
        write("Chart.yaml", &metadata.to_string());
        let below = json!({ "apiVersion": "v2", "name": "sub", "version": "1.0.0" });
        write("charts/sub/Chart.yaml", &below.to_string());
        write("templates/values.yaml", TEMPLATE);
        write("charts/sub/templates/values.yaml", TEMPLATE);
        write("values.yaml", &Value::Object(generator.map(3)).to_string());
        let sub = Value::Object(generator.map(3)).to_string();
        write("charts/sub/values.yaml", &sub);
        write("user.yaml", &Value::Object(generator.map(3)).to_string());
        let count = generator.0.below(3);
        let assignments = (0..count).map(|_| (generator.0.once_in(4), generator.assignments()));
        Self {
            assignments: assignments.collect(),
            folder,
        }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("top")
    }

    fn ours(&self) -> Result<String, String> {
        let root = self.root();
        let mut user = values::parse(&fs::read(root.join("user.yaml")).unwrap())?;
        let in_order = |texts: bool| {
            self.assignments
                .iter()
                .filter(move |(text, _)| *text == texts)
        };
        // Helm takes `--set` before `--set-string`.
        for (is_text, line) in in_order(false).chain(in_order(true)) {
            let set = if *is_text {
                strvals::set_string
            } else {
                strvals::set
            };
            set(line, &mut user).map_err(|error| error.to_string())?;
        }
        let rendered = render(&root, &user).map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&rendered).into_owned())
    }

    fn theirs(&self, helm: &Path) -> Result<String, String> {
        let root = self.root();
        let mut command = Command::new(helm);
        command.args(["template", "rel"]).arg(&root);
        command.arg("-f").arg(root.join("user.yaml"));
        for (is_text, line) in &self.assignments {
            command.arg(if *is_text { "--set-string" } else { "--set" });
            command.arg(line);
        }
        let ran = command.output().unwrap();
        if ran.status.success() {
            return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
        }
        let text = String::from_utf8_lossy(&ran.stderr);
        let error = text.split_once("Error: ").map_or("", |(_, error)| error);
        let error = error.split("\n\nUse --debug").next().unwrap_or(error);
        Err(error.trim_end().to_owned())
    }

    fn show(&self) -> String {
        let read = |path: &str| fs::read_to_string(self.root().join(path)).unwrap();
        let files = [
            "Chart.yaml",
            "values.yaml",
            "charts/sub/values.yaml",
            "user.yaml",
        ];
        let files: Vec<String> = files.iter().map(|path| read(path)).collect();
        format!("{}\n{:?}", files.join("\n"), self.assignments)
    }
}

fn render(root: &Path, user: &Values) -> Result<Vec<u8>, Error> {
    let chart = load::path(root, Links::Inside, &Limits::default())?;
    let mut options = TemplateOptions::default();
    "rel".clone_into(&mut options.release.name);
    Ok(template(chart, user, &options, None)?.to_text())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[test]
fn random_values_are_those_of_helm() {
    let Some(directory) = variable("REFERENCE_BIN_DIR") else {
        return skip(Requirement::Optional, "REFERENCE_BIN_DIR is not set");
    };
    let helm = Path::new(&directory).join("helm");
    let number = |name, default| variable(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("CASES", 100), number("SEED", 1));
    let mut generator = Generator(Random::new(seed));
    let (mut errors, mut different) = (0, Vec::new());
    for _ in 0..cases {
        let case = Case::new(&mut generator);
        let (ours, theirs) = (case.ours(), case.theirs(&helm));
        errors += u64::from(theirs.is_err());
        if ours != theirs {
            different.push(format!(
                "{}\n  Helm {theirs:?}\n  ours {ours:?}",
                case.show()
            ));
        }
    }
    eprintln!("{cases} charts, of which {errors} are errors");
    let found = different.len();
    different.truncate(5);
    assert!(
        found == 0,
        "{found} of {cases} differ:\n{}",
        different.join("\n\n")
    );
    assert!(errors * 10 < cases * 9, "{errors} of {cases} are errors");
}
