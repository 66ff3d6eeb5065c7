//! Parses and writes case files. [`super`] describes their sections.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use sluice_system::{Clock as _, SystemClock, fs};

/// One command of a case.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) line: String,
    pub(crate) expected: ExpectedOutput,
    pub(crate) stderr: String,
    pub(crate) flux: Option<ExpectedOutput>,
    pub(crate) because: Option<String>,
    /// Whether Flux lacks the command.
    pub(crate) is_ours: bool,
}

/// Output and exit code that scripts rely on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExpectedOutput {
    pub(crate) stdout: String,
    pub(crate) code: i32,
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) objects: Vec<Value>,
    pub(crate) controller: Vec<(String, Value)>,
    pub(crate) files: Vec<(String, String)>,
    pub(crate) runs: Vec<Run>,
    path: PathBuf,
    /// Unparsed text before the first command.
    head: String,
}

/// Returns the files of all cases, sorted by name.
pub(crate) fn all(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "case"));
    paths.sort();
    paths
}

impl Case {
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut case = Self {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            objects: Vec::new(),
            controller: Vec::new(),
            files: Vec::new(),
            runs: Vec::new(),
            path: path.to_owned(),
            head: String::new(),
        };
        let commands = text.find("=== $ ").unwrap_or(text.len());
        text[..commands].clone_into(&mut case.head);
        let mut section: Option<(String, String)> = None;
        for line in text.split_inclusive('\n') {
            match (line.strip_prefix("=== "), &mut section) {
                (Some(title), _) => {
                    let begun = (title.trim_end_matches('\n').to_owned(), String::new());
                    if let Some((title, body)) = section.replace(begun) {
                        case.section(&title, body);
                    }
                }
                (None, Some((_, body))) => body.push_str(line),
                (None, None) => {}
            }
        }
        if let Some((title, body)) = section {
            case.section(&title, body);
        }
        case
    }

    fn section(&mut self, title: &str, body: String) {
        let (word, rest) = title.split_once(' ').unwrap_or((title, ""));
        if let "objects" | "controller" | "file" = word {
            let body = timed(&body);
            match word {
                "objects" => self.objects = sluice_yaml::v2::documents(&body).unwrap(),
                "controller" => {
                    let Value::Object(map) = sluice_yaml::v2::from_str(&body).unwrap() else {
                        panic!("{}: statuses are by Kind/name", self.name);
                    };
                    self.controller = map.into_iter().collect();
                }
                _ => self.files.push((rest.to_owned(), body)),
            }
            return;
        }
        if word == "$" {
            self.runs.push(Run {
                line: rest.to_owned(),
                ..Run::default()
            });
            return;
        }
        let name = &self.name;
        let run = self.runs.last_mut();
        let run = run.unwrap_or_else(|| panic!("{name}: {title} belongs to a command"));
        match title.split(' ').collect::<Vec<_>>().as_slice() {
            ["stdout"] => run.expected.stdout = body,
            ["stderr"] => run.stderr = body,
            ["exit", code] => run.expected.code = code.parse().unwrap(),
            ["flux", "stdout"] => run.flux.get_or_insert_default().stdout = body,
            ["flux", "exit", code] => run.flux.get_or_insert_default().code = code.parse().unwrap(),
            ["ours"] => run.is_ours = true,
            ["because", ..] => run.because = Some(rest.to_owned()),
            _ => panic!("{name}: there is no section {title:?}"),
        }
    }

    /// Writes the file with the recorded results.
    pub(crate) fn write(&self) {
        let mut text = self.head.clone();
        for run in &self.runs {
            let _ = writeln!(text, "=== $ {}", run.line);
            if run.is_ours {
                text.push_str("=== ours\n");
            }
            if let Some(because) = &run.because {
                let _ = writeln!(text, "=== because {because}");
            }
            if let Some(flux) = &run.flux {
                let _ = writeln!(text, "=== flux exit {}", flux.code);
                if !flux.stdout.is_empty() {
                    let _ = write!(text, "=== flux stdout\n{}", flux.stdout);
                }
            }
            if run.expected.code != 0 {
                let _ = writeln!(text, "=== exit {}", run.expected.code);
            }
            for (title, part) in [("stdout", &run.expected.stdout), ("stderr", &run.stderr)] {
                if !part.is_empty() {
                    let _ = write!(text, "=== {title}\n{part}");
                }
            }
        }
        fs::write(&self.path, text).unwrap();
    }
}

/// Replaces relative times by absolute ones.
fn timed(text: &str) -> String {
    let mut timed = String::new();
    for (index, part) in text.split(" ago}").enumerate() {
        if index > 0 {
            let begin = timed.rfind('{').unwrap();
            let age: SignedDuration = timed[begin + 1..].parse().unwrap();
            timed.truncate(begin);
            let then: Timestamp = SystemClock.now() - age;
            let _ = write!(timed, "{then:.0}");
        }
        timed.push_str(part);
    }
    timed
}
