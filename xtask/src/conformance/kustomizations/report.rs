//! What became of each Kustomization on the two sides, counted by repository, and every difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sluice_testkit::explained::{Explained, Used, differences};
use sluice_testkit::outcome::Outcome;

use super::corpus::Corpus;

/// The row of the differences that every Kustomization which was deleted has to do with.
const OF_ALL: &str = "A deletion ends without the event";

/// The row about what stands behind messages.
const LINE_FEEDS: &str = "Messages end without a line feed";

/// How a Kustomization ended on both sides, and how by itself if they differed.
pub(super) struct Played {
    pub(super) theirs: Outcome,
    pub(super) ours: Outcome,
    pub(super) again: Option<Box<Played>>,
}

impl Played {
    /// What counts: the last time.
    fn last(&self) -> &Self {
        self.again.as_deref().unwrap_or(self)
    }

    /// Whether the reference applied it.
    fn is_applied(&self) -> bool {
        let lines = self.last().theirs.lines("create Kustomization");
        lines.iter().any(|line| line.starts_with("Ready True"))
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
    explained: Explained,
    used: Used,
    rows: Vec<(usize, Played, Verdict)>,
    /// How many Kustomizations a row of the differences has something to do with.
    by_row: BTreeMap<String, usize>,
}

impl Report {
    pub(super) fn new(explained: Explained) -> Self {
        Self {
            explained,
            used: Used::new(),
            rows: Vec::new(),
            by_row: BTreeMap::new(),
        }
    }

    /// Whether nothing differs that is not explained.
    pub(super) fn agrees(&self, played: &Played) -> bool {
        self.unexplained(played, &mut Used::new()).is_empty()
    }

    fn unexplained(&self, played: &Played, used: &mut Used) -> String {
        let theirs = without_line_feeds(&played.theirs);
        let explained = &self.explained;
        explained.unexplained(&theirs, &played.ours, |_| true, used)
    }

    pub(super) fn add(&mut self, subject: usize, played: Played) {
        let mut used = Used::new();
        let agrees = self.unexplained(played.last(), &mut used).is_empty();
        let mut because: BTreeSet<&str> = self.explained.rows(&used);
        if without_line_feeds(&played.last().theirs) != played.last().theirs {
            because.insert(LINE_FEEDS);
        }
        let is_meant = because.iter().any(|row| *row != OF_ALL);
        let verdict = match (agrees, played.is_applied(), is_meant) {
            (false, ..) => Verdict::Other,
            (true, true, false) => Verdict::Same,
            (true, true, true) => Verdict::Meant,
            (true, false, false) => Verdict::SameFailure,
            (true, false, true) => Verdict::MeantFailure,
        };
        for row in because {
            *self.by_row.entry(row.to_owned()).or_default() += 1;
        }
        self.used.extend(used);
        self.rows.push((subject, played, verdict));
    }

    fn count(&self, verdict: Verdict) -> usize {
        let rows = self.rows.iter();
        rows.filter(|(.., found)| *found == verdict).count()
    }

    pub(super) fn differing(&self) -> usize {
        self.count(Verdict::Other)
    }

    /// How it stands, in one line.
    pub(super) fn told(&self, corpus: &Corpus) -> String {
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

    /// Every difference, explained or not.
    pub(super) fn details(&self, corpus: &Corpus) -> String {
        let mut text = String::new();
        for (subject, played, verdict) in &self.rows {
            let subject = &corpus.subjects[*subject];
            let last = played.last();
            let unexplained = self.unexplained(last, &mut Used::new());
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

    /// The tables of a record.
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
        text.push_str(&self.explained.idle(&self.used));
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
            let of = |side: fn(&Played) -> &Outcome| -> usize {
                let played = self.rows.iter().map(|(_, played, _)| side(played.last()));
                played
                    .map(|of| Played::count(of, |found| found == title))
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
        let of = |side: fn(&Played) -> &Outcome| -> usize {
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

/// Texts as they are without a line feed at their end: an explanation by a pattern would let any other
/// message through as well.
fn without_line_feeds(outcome: &Outcome) -> Outcome {
    let mut outcome = outcome.clone();
    for section in &mut outcome.0 {
        for line in &mut section.lines {
            if line.starts_with("Ready False ") || line.starts_with("error ") {
                *line = line.replace("\\n\"", "\"");
            }
        }
    }
    outcome
}

fn cells(figures: &[usize]) -> String {
    let figures: Vec<String> = figures.iter().map(ToString::to_string).collect();
    figures.join(" | ")
}
