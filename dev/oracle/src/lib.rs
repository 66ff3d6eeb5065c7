//! Asks Go reference programs questions and compares their answers with ours.
//!
//! An oracle is a Go program that links the libraries of the reference. It takes the name of a
//! subject as argument and reads one JSON question per line. It writes each line back with a
//! `result` or an `error`. Recorded lines are vectors, which tests replay without Go. Start at
//! [`Oracle`] and [`Subject`].

#![expect(
    clippy::disallowed_methods,
    reason = "only tests and xtask use this crate, which runs a Go program and prints skipped tests"
)]

mod random;

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use sluice_skip::{Requirement, skip};

pub use random::Random;

/// A question: the fields of a vector without its answer.
pub type Question = Value;

/// The text of a result, or of an error.
pub type Answer = Result<String, String>;

/// A group of questions of one form.
pub trait Subject: Copy {
    /// The argument of the oracle, and the file name of the vectors.
    fn name(self) -> &'static str;

    /// Answers a question with our code.
    fn answer(self, question: &Question) -> Answer;

    /// Whether two answers count as equal.
    fn agrees(self, ours: &Answer, theirs: &Answer) -> bool {
        // Where the reference panics, any answer is right.
        matches!(theirs, Err(error) if error.starts_with("panic: ")) || ours == theirs
    }
}

/// A built oracle.
#[derive(Debug)]
pub struct Oracle {
    binary: PathBuf,
}

impl Oracle {
    /// Builds the Go program in `source` and puts the binary into the directory `target`.
    pub fn build(source: &Path, target: &Path) -> Result<Self, String> {
        let binary = target.join("oracle");
        let built = Command::new("go")
            .args(["build", "-o"])
            .arg(&binary)
            .arg(".")
            .current_dir(source)
            .output();
        match built {
            Ok(output) if output.status.success() => Ok(Self { binary }),
            Ok(output) => Err(format!(
                "failed to build the oracle: {}",
                String::from_utf8_lossy(&output.stderr)
            )),
            Err(error) => Err(format!("failed to run go: {error}")),
        }
    }

    /// Fills in the answers of vectors, one per line.
    pub fn fill_in(&self, subject: &str, vectors: &str) -> Result<String, String> {
        let mut process = Command::new(&self.binary)
            .arg(subject)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Some libraries log warnings about valid questions.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut stdin = process.stdin.take().expect("stdin is piped");
        let vectors = vectors.to_owned();
        // A thread writes, because the oracle answers before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(vectors.as_bytes()));
        let output = process
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let written = writer.join().expect("the writer does not panic");
        written.map_err(|error| format!("failed to write to the oracle: {error}"))?;
        if !output.status.success() {
            return Err(format!("the oracle failed: {}", output.status));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }

    /// Asks both sides and returns the questions with different answers.
    pub fn differences(
        &self,
        subject: impl Subject,
        questions: &[Question],
    ) -> Result<Vec<Difference>, String> {
        let mut vectors = String::new();
        for question in questions {
            vectors.push_str(&question.to_string());
            vectors.push('\n');
        }
        let answers = self.fill_in(subject.name(), &vectors)?;
        let answers: Vec<&str> = answers.lines().collect();
        if answers.len() != questions.len() {
            return Err("the oracle did not answer every question".to_owned());
        }
        let mut differences = Vec::new();
        for (question, line) in questions.iter().zip(answers) {
            let vector = serde_json::from_str(line).map_err(|error| error.to_string())?;
            differences.extend(difference(subject, question, recorded_answer(&vector)));
        }
        Ok(differences)
    }
}

fn difference(subject: impl Subject, question: &Question, theirs: Answer) -> Option<Difference> {
    let ours = subject.answer(question);
    (!subject.agrees(&ours, &theirs)).then(|| Difference {
        question: question.clone(),
        ours,
        theirs,
    })
}

/// The answer that a vector records.
pub fn recorded_answer(vector: &Value) -> Answer {
    match vector["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(vector["result"].as_str().unwrap_or_default().to_owned()),
    }
}

/// A question with two different answers.
#[derive(Debug)]
pub struct Difference {
    question: Question,
    ours: Answer,
    theirs: Answer,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in ["document", "patch", "selector", "expr"] {
            if let Some(text) = self.question[field].as_str() {
                writeln!(f, "--- {field}\n{}", text.trim_end())?;
            }
        }
        let show = |answer: &Answer| match answer {
            Ok(text) => text.trim_end().to_owned(),
            Err(error) => format!("error: {error}"),
        };
        writeln!(f, "--- Go\n{}", show(&self.theirs))?;
        writeln!(f, "--- ours\n{}", show(&self.ours))
    }
}

/// The test directory of a crate: `oracle/` has the Go program, `vectors/` the recorded answers.
#[derive(Debug)]
pub struct Suite {
    tests: PathBuf,
}

impl Suite {
    /// Most differences that a failed test prints.
    const MAX_PRINTED: usize = 5;

    /// Names the directory.
    pub fn new(tests: impl Into<PathBuf>) -> Self {
        Self {
            tests: tests.into(),
        }
    }

    /// The file with the vectors of a subject.
    pub fn vectors(&self, subject: impl Subject) -> PathBuf {
        self.tests.join(format!("vectors/{}.jsonl", subject.name()))
    }

    /// Builds the oracle into a directory.
    pub fn build(&self, target: &Path) -> Result<Oracle, String> {
        Oracle::build(&self.tests.join("oracle"), target)
    }

    /// Builds the oracle, or returns `None` without Go unless `REQUIRE_ORACLES=1` is set.
    ///
    /// # Panics
    /// When the oracle is required and does not build.
    fn build_if_possible(&self, target: &Path) -> Option<Oracle> {
        match self.build(target) {
            Ok(oracle) => Some(oracle),
            Err(problem) => {
                skip(Requirement::Oracle, &problem);
                None
            }
        }
    }

    /// Asserts that generated questions have equal answers. Skipped without Go.
    ///
    /// # Panics
    /// When an answer differs.
    pub fn assert_agreement(
        &self,
        subject: impl Subject,
        count: usize,
        generate: impl Fn(&mut Random) -> Question,
    ) {
        let target = tempfile::tempdir().expect("a temporary directory");
        let Some(oracle) = self.build_if_possible(target.path()) else {
            return;
        };
        let mut random = Random::new(1);
        let questions: Vec<_> = (0..count).map(|_| generate(&mut random)).collect();
        let differences = oracle.differences(subject, &questions).expect("answers");
        assert_none(subject, &differences);
    }

    /// Asserts that our answers equal the recorded ones.
    ///
    /// # Panics
    /// When an answer differs.
    pub fn assert_recorded(&self, subject: impl Subject) {
        let vectors = self.read(subject);
        let mut differences = Vec::new();
        for line in vectors.lines() {
            let vector = serde_json::from_str(line).expect("a vector is JSON");
            differences.extend(difference(subject, &vector, recorded_answer(&vector)));
        }
        assert_none(subject, &differences);
    }

    /// Asserts that the recorded answers are those of the oracle. Skipped without Go.
    ///
    /// # Panics
    /// When a recorded answer is outdated.
    pub fn assert_up_to_date(&self, subjects: impl IntoIterator<Item = impl Subject>) {
        let target = tempfile::tempdir().expect("a temporary directory");
        let Some(oracle) = self.build_if_possible(target.path()) else {
            return;
        };
        for subject in subjects {
            let recorded = self.read(subject);
            let answered = oracle.fill_in(subject.name(), &recorded).expect("answers");
            let name = subject.name();
            assert!(
                recorded == answered,
                "{name} is outdated: cargo xtask vectors"
            );
        }
    }

    fn read(&self, subject: impl Subject) -> String {
        std::fs::read_to_string(self.vectors(subject)).expect("the vectors are in the repository")
    }
}

fn assert_none(subject: impl Subject, differences: &[Difference]) {
    let printed = differences.iter().take(Suite::MAX_PRINTED);
    let printed: Vec<String> = printed.map(ToString::to_string).collect();
    assert!(
        differences.is_empty(),
        "{} of {} differ:\n{}",
        differences.len(),
        subject.name(),
        printed.join("\n")
    );
}
