//! The report: results of both sides by repository, and every difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sluice_testkit::expected_differences::{
    ExpectedDifferences, ScenarioDifferences, UsedPatterns, differences,
};
use sluice_testkit::outcome::Outcome;

use super::corpus::Corpus;

/// The row about several errors at once.
const ALL_ERRORS: &str = "All dry-run errors of a run are reported together";

/// The row about inventories of failed Kustomizations.
const RECORDED: &str = "Objects that a failed apply created are in the inventory";

/// Outcomes of a Kustomization on both sides; a second run alone follows a difference.
pub(super) struct OutcomePair {
    pub(super) theirs: Outcome,
    pub(super) ours: Outcome,
    pub(super) again: Option<Box<Self>>,
}

impl OutcomePair {
    /// The last run counts.
    fn last(&self) -> &Self {
        self.again.as_deref().unwrap_or(self)
    }

    /// Whether the reference applied it.
    fn is_applied(&self) -> bool {
        let lines = self.last().theirs.lines("create Kustomization");
        lines.iter().any(|line| line.starts_with("Ready True"))
    }

    /// Whether ours failed because of an encrypted Secret.
    fn is_refused_as_encrypted(&self) -> bool {
        let lines = self.last().ours.lines("create Kustomization");
        let is_refusal = |line: &String| {
            line.starts_with("Ready False") && line.contains(" is SOPS encrypted, ")
        };
        lines.iter().any(is_refusal)
    }

    fn count(of: &Outcome, is_counted: impl Fn(&str) -> bool) -> usize {
        let sections = of.0.iter().filter(|section| is_counted(&section.title));
        sections.map(|section| section.lines.len()).sum()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    Meant,
    SameFailure,
    MeantFailure,
    Other,
}

pub(super) struct Report {
    explained: ScenarioDifferences,
    /// Number of failures of the reference.
    failing: ScenarioDifferences,
    /// Number of encrypted Secrets that ours rejects and the reference applies.
    encrypted: ScenarioDifferences,
    rows: Vec<(usize, OutcomePair, Verdict)>,
    /// Number of Kustomizations by row of the differences.
    by_row: BTreeMap<String, usize>,
}

impl Report {
    pub(super) fn new(explanations: &ExpectedDifferences) -> Self {
        Self {
            explained: explanations.of("corpus"),
            failing: explanations.of("failing"),
            encrypted: explanations.of("encrypted"),
            rows: Vec::new(),
            by_row: BTreeMap::new(),
        }
    }

    /// Names of Kustomizations that differ.
    pub(super) fn differ(&self) -> Vec<usize> {
        let rows = self.rows.iter();
        let differ = rows.filter(|(.., verdict)| *verdict == Verdict::Other);
        differ.map(|(subject, ..)| *subject).collect()
    }

    /// Adds the outcome of a second run.
    pub(super) fn replace(&mut self, subject: usize, again: OutcomePair) {
        let Some(at) = self.rows.iter().position(|(of, ..)| *of == subject) else {
            return;
        };
        let (_, mut played, _) = self.rows.remove(at);
        played.again = Some(Box::new(again));
        self.add(subject, played);
    }

    fn explained(&self, played: &OutcomePair) -> &ScenarioDifferences {
        match (played.is_applied(), played.is_refused_as_encrypted()) {
            (true, true) => &self.encrypted,
            (true, false) => &self.explained,
            (false, _) => &self.failing,
        }
    }

    fn unexplained(&self, played: &OutcomePair, used: &mut UsedPatterns) -> String {
        let AlignedOutcomes { theirs, ours, .. } = AlignedOutcomes::of(played);
        let explained = self.explained(played);
        explained.unexplained(&theirs, &ours, |_| true, used)
    }

    pub(super) fn add(&mut self, subject: usize, played: OutcomePair) {
        let mut used = UsedPatterns::new();
        let agrees = self.unexplained(played.last(), &mut used).is_empty();
        let explained = self.explained(played.last());
        let mut because = explained.rows(&used);
        because.extend(AlignedOutcomes::of(played.last()).because);
        let because: Vec<String> = because.into_iter().map(str::to_owned).collect();
        let is_meant = !because.is_empty();
        let verdict = match (agrees, played.is_applied(), is_meant) {
            (false, ..) => Verdict::Other,
            (true, true, false) => Verdict::Same,
            (true, true, true) => Verdict::Meant,
            (true, false, false) => Verdict::SameFailure,
            (true, false, true) => Verdict::MeantFailure,
        };
        for row in because {
            *self.by_row.entry(row).or_default() += 1;
        }
        self.rows.push((subject, played, verdict));
    }

    fn count(&self, verdict: Verdict) -> usize {
        let rows = self.rows.iter();
        rows.filter(|(.., found)| *found == verdict).count()
    }

    pub(super) fn differing(&self) -> usize {
        self.count(Verdict::Other)
    }

    /// Returns a line of progress.
    pub(super) fn progress(&self, corpus: &Corpus) -> String {
        let last = self.rows.last();
        let last = last.map_or("", |(subject, ..)| &corpus.subjects[*subject].about);
        format!(
            "{} same, {} meant, {} fail alike, {} fail as meant, {} other; {last}",
            self.count(Verdict::Same),
            self.count(Verdict::Meant),
            self.count(Verdict::SameFailure),
            self.count(Verdict::MeantFailure),
            self.differing()
        )
    }

    /// Lists every difference, expected or not.
    pub(super) fn details(&self, corpus: &Corpus) -> String {
        let mut text = String::new();
        for (subject, played, verdict) in &self.rows {
            let subject = &corpus.subjects[*subject];
            let last = played.last();
            let unexplained = self.unexplained(last, &mut UsedPatterns::new());
            let all = differences(&last.theirs, &last.ours);
            let ready: Vec<String> = last
                .theirs
                .lines("create Kustomization")
                .into_iter()
                .filter(|line| line.starts_with("Ready"))
                .collect();
            writeln!(
                text,
                "# {verdict:?}{}: {}\n{}\n## not explained\n{unexplained}## all\n{all}",
                if played.again.is_some() {
                    " (by itself)"
                } else {
                    ""
                },
                subject.about,
                ready.join("\n"),
            )
            .expect("a string takes all");
        }
        text
    }

    /// Formats the tables of a record.
    pub(super) fn tables(&self, corpus: &Corpus) -> String {
        let mut text = String::from(
            "| Repository | Commit | found | played | objects | same | same but for what is meant | fail in the same words | fail, but for what is meant | other |\n\
             |---|---|---|---|---|---|---|---|---|---|\n",
        );
        let mut sum = [0; 7];
        for (at, tree) in corpus.trees.iter().enumerate() {
            let rows = self
                .rows
                .iter()
                .filter(|(subject, ..)| corpus.subjects[*subject].tree == at);
            let mut figures = [0; 7];
            for (_, played, verdict) in rows {
                figures[0] += 1;
                let is_object = |title: &str| title.starts_with("create ") && title.contains('/');
                let objects = played.last().theirs.0.iter();
                figures[1] += objects.filter(|section| is_object(&section.title)).count();
                figures[2 + *verdict as usize] += 1;
            }
            for (sum, figure) in sum.iter_mut().zip(figures) {
                *sum += figure;
            }
            let commit = tree.commit.get(..12).unwrap_or(&tree.commit);
            writeln!(
                text,
                "| {} | `{commit}` | {} | {} |",
                tree.repository,
                tree.found,
                cells(&figures)
            )
            .expect("a string takes all");
        }
        writeln!(text, "| together | | | {} |\n", cells(&sum)).expect("a string takes all");
        self.writes(&mut text);
        for (row, count) in &self.by_row {
            writeln!(text, "| {row} | {count} |").expect("a string takes all");
        }
        let again = self
            .rows
            .iter()
            .filter(|(_, played, _)| played.again.is_some());
        writeln!(text, "\n{} were played a second time.\n", again.count())
            .expect("a string takes all");
        let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (about, why) in &corpus.left_out {
            reasons.entry(why).or_default().insert(about);
        }
        for (why, abouts) in reasons {
            let abouts: Vec<&str> = abouts.into_iter().collect();
            writeln!(text, "| {} | {why} | {} |", abouts.len(), abouts.join(", "))
                .expect("a string takes all");
        }
        text
    }

    fn writes(&self, text: &mut String) {
        let cost = |outcome: &Outcome| -> usize {
            let lines = outcome.lines("cost");
            let numbers = lines.iter().filter_map(|line| line.rsplit(' ').next());
            numbers
                .filter_map(|number| number.parse::<usize>().ok())
                .sum()
        };
        text.push_str("| | reference | ours |\n|---|---|---|\n");
        for stage in ["create", "again", "revision", "delete"] {
            let title = format!("{stage} writes");
            let of = |side: fn(&OutcomePair) -> &Outcome| -> usize {
                let played = self.rows.iter().map(|(_, played, _)| side(played.last()));
                played
                    .map(|of| OutcomePair::count(of, |found| found == title))
                    .sum()
            };
            writeln!(
                text,
                "| writes of managed objects, {stage} | {} | {} |",
                of(|played| &played.theirs),
                of(|played| &played.ours)
            )
            .expect("a string takes all");
        }
        let of = |side: fn(&OutcomePair) -> &Outcome| -> usize {
            let played = self.rows.iter().map(|(_, played, _)| side(played.last()));
            played.map(cost).sum()
        };
        writeln!(
            text,
            "| writes of Kustomizations | {} | {} |\n",
            of(|played| &played.theirs),
            of(|played| &played.ours)
        )
        .expect("a string takes all");
    }
}

/// Removes expected differences that no pattern can match from two outcomes.
struct AlignedOutcomes {
    theirs: Outcome,
    ours: Outcome,
    /// The rows of removed differences.
    because: BTreeSet<&'static str>,
}

impl AlignedOutcomes {
    fn of(played: &OutcomePair) -> Self {
        let mut alike = Self {
            theirs: played.theirs.clone(),
            ours: played.ours.clone(),
            because: BTreeSet::new(),
        };
        for section in &alike.theirs.0 {
            let other = alike.ours.0.iter_mut();
            let mut other = other.filter(|other| other.title == section.title);
            let mut others = other.next().map(|other| &mut other.lines);
            for (at, line) in section.lines.iter().enumerate() {
                if !line.starts_with("Ready False ") && !line.starts_with("error ") {
                    continue;
                }
                // Lines of conditions are sorted; events are in order.
                let ours = others.as_mut().and_then(|lines| lines.get_mut(at));
                if let Some(ours) = ours.filter(|ours| **ours != *line)
                    && has_some_errors_of(ours, line)
                {
                    line.clone_into(ours);
                    alike.because.insert(ALL_ERRORS);
                }
            }
        }
        if !played.is_applied() {
            let theirs = &alike.theirs;
            let is_known = |title: &str| theirs.0.iter().any(|section| section.title == title);
            let before = alike.ours.0.len();
            alike
                .ours
                .0
                .retain(|section| !section.title.contains('/') || is_known(&section.title));
            if alike.ours.0.len() < before {
                alike.because.insert(RECORDED);
            }
        }
        alike
    }
}

/// Whether each error of one line is among the errors of the other line. A message may have further
/// lines about applied objects.
fn has_some_errors_of(several: &str, some: &str) -> bool {
    let parts = |line: &str| -> Option<(String, String, String)> {
        let (head, rest) = line.split_once('"')?;
        let (message, tail) = rest.rsplit_once('"')?;
        Some((head.to_owned(), message.to_owned(), tail.to_owned()))
    };
    let (Some(several), Some(some)) = (parts(several), parts(some)) else {
        return false;
    };
    let all: BTreeSet<&str> = several.1.split("\\n").collect();
    several.0 == some.0
        && several.2 == some.2
        && (some.1.contains(" dry-run failed") || some.1.contains(" namespace not specified"))
        && some.1.split("\\n").all(|line| all.contains(line))
}

#[test]
fn some_errors_are_found_among_several() {
    let one = "error A \"a dry-run failed: x\" revision=1";
    let applied = "error A \"a dry-run failed: x\\nb created\" revision=1";
    for (several, some, is) in [
        (
            "error A \"b dry-run failed: y\\na dry-run failed: x\" revision=1",
            one,
            true,
        ),
        ("error A \"b dry-run failed: y\" revision=1", one, false),
        ("error A \"a dry-run failed: x\\nb\" revision=2", one, false),
        (
            "error A \"a dry-run failed: x\\nc dry-run failed: y\\nb created\" revision=1",
            applied,
            true,
        ),
        (
            "error A \"c dry-run failed: y\\nb created\" revision=1",
            applied,
            false,
        ),
        (
            "error A \"a namespace not specified: x\\nb namespace not specified: x\" revision=1",
            "error A \"b namespace not specified: x\" revision=1",
            true,
        ),
    ] {
        assert_eq!(has_some_errors_of(several, some), is, "{several}");
    }
}

fn cells(figures: &[usize]) -> String {
    let figures: Vec<String> = figures.iter().map(ToString::to_string).collect();
    figures.join(" | ")
}
