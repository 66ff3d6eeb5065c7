//! Texts that are likely to reveal differences between two readers or writers.
//!
//! A seed gives the same texts on every machine.

use serde_json::{Map, Value, json};
use sluice_yaml::{json as go_json, v2};

use super::handwritten::Writer;
use super::oracle::Operation;

/// Characters with a meaning in YAML, and similar ones.
const NASTY: &str =
    "-?:,[]{}#&*!|>'\"%@`~<=.+_ \t\nyYnNoO01eExX/\\aé\u{a0}\u{85}\u{2028}\u{feff}😀\u{7f}\u{1}";

/// Words that a reader may resolve to another type than a string.
const WORDS: [&str; 66] = [
    "yes",
    "Yes",
    "YES",
    "no",
    "on",
    "off",
    "y",
    "n",
    "true",
    "True",
    "TRUE",
    "tRue",
    "false",
    "null",
    "Null",
    "~",
    "<<",
    "=",
    ".inf",
    "-.inf",
    "+.Inf",
    ".nan",
    ".NaN",
    "inf",
    "nan",
    "0",
    "-0",
    "+1",
    "017",
    "0o17",
    "0x1F",
    "0b11",
    "-0b1",
    "0b-1",
    "08",
    "1_000",
    "_1",
    "1__0",
    "1e3",
    "1E+3",
    "1e-7",
    "1.5",
    "1.",
    ".5",
    "-.5",
    "1e999",
    "1.5e300",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "12:30",
    "1:2:3",
    "190:20:30.15",
    "2001-01-01",
    "2001-1-1",
    "2001-12-14T21:59:43Z",
    "2001-12-14 21:59:43.10",
    "2001-12-14t21:59:43.10-05:00",
    "2001-02-30",
    "---",
    "...",
    "--- a",
    "a: b",
    "a #b",
    "- a",
];

/// Pieces of documents, combined at random.
const PIECES: [&str; 64] = [
    "a: ",
    "b: ",
    "c:\n",
    "- ",
    "-\n",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "\n- ",
    "\na: ",
    "\nb: ",
    "\n  a: ",
    "\n  - ",
    "  ",
    " ",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ",",
    ": ",
    ":",
    "? ",
    "# comment\n",
    " # c",
    "|\n",
    "|-\n",
    "|+\n",
    ">\n",
    ">-\n",
    "|2\n",
    "|1-\n",
    "&x ",
    "*x",
    "&y ",
    "*y ",
    "!!str ",
    "!!int ",
    "!!float ",
    "!!binary ",
    "!foo ",
    "! ",
    "<<: *x",
    "<<: ",
    "\n---\n",
    "\n...\n",
    "---\n",
    "%YAML 1.1\n",
    "\t",
    "\\n",
    "\\\n",
    "x y z",
    "1",
    "yes",
    "0x1",
    "~",
    "2001-01-01",
    "''",
    "\"\"",
    "é",
];

/// Returns the requests for one scalar: print it as a value and as a key, and read it in each
/// context.
pub(crate) fn requests_of_scalar(text: &str) -> Vec<(Operation, String)> {
    let quoted = go_json::quote(text);
    let plain = format!("k: {text}\n");
    let block = text.replace('\n', "\n  ");
    vec![
        (Operation::Write, format!("{{\"k\":{quoted}}}")),
        (Operation::Write, format!("{{{quoted}:[{quoted}]}}")),
        (Operation::Json, format!("[{quoted}]")),
        (Operation::Read, plain.clone()),
        (Operation::Read, format!("- {text}")),
        (Operation::Read, format!("[{text}, a]")),
        (Operation::V3, plain.clone()),
        (Operation::V3, format!("- {text}")),
        (Operation::V3, format!("[{text}, a]")),
        (Operation::Compact, plain.clone()),
        (Operation::Compact, format!("- {quoted}\n- k: [{quoted}]\n")),
        (Operation::Compact, format!("a: {text}: b # c")),
        (
            Operation::Wide,
            format!("k:\n- |\n  {block}\n- >+\n  {block}\n"),
        ),
        (Operation::Value, plain),
        (Operation::Value, format!("k: {quoted}\nl: [{text}]\n")),
        (Operation::Value, format!("k: |-\n  {block}\n")),
    ]
}

pub(crate) struct Generator {
    state: u64,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("less than a usize")
    }

    pub(crate) fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// Generates every text of one or two special characters, words in various contexts, and lines
    /// around the folding column.
    pub(crate) fn scalars(&mut self) -> Vec<String> {
        let nasty: Vec<char> = NASTY.chars().collect();
        let mut scalars: Vec<String> = nasty.iter().map(char::to_string).collect();
        for first in &nasty {
            scalars.extend(nasty.iter().map(|second| format!("{first}{second}")));
        }
        for word in WORDS {
            for (before, after) in [
                ("", ""),
                (" ", ""),
                ("", " "),
                ("", "\n"),
                ("\n", ""),
                ("a ", " b"),
            ] {
                scalars.push(format!("{before}{word}{after}"));
            }
        }
        for width in 70..90 {
            for word in 1..7 {
                let mut line = String::new();
                while line.len() < width {
                    line.push_str(&"w".repeat(word));
                    line.push(' ');
                }
                line.truncate(width);
                scalars.push(format!("{line}end of it"));
                scalars.push(format!("{line} 'end' of: it # all"));
                scalars.push(format!("{line}  two\tend of it  all"));
                scalars.push(format!("{line}\n{line} end\n  of it\n\n"));
            }
        }
        for _ in 0..400 {
            scalars.push(self.text());
        }
        scalars
    }

    /// Returns the requests for a random tree and a random document of each kind.
    pub(crate) fn requests_of_tree(&mut self) -> Vec<(Operation, String)> {
        let value = self.tree(4);
        // Go must read our output as the original value.
        let printed = v2::to_string(&value);
        let mut requests = vec![
            (Operation::Write, go_json::to_string(&value)),
            (Operation::Json, go_json::to_string(&json!({ "a": value }))),
            (Operation::Read, printed.clone()),
            (Operation::V3, printed.clone()),
            (Operation::Value, printed),
        ];
        let soup = self.document();
        let mut document = Writer::new(self).document();
        let readers = [Operation::Read, Operation::Strict, Operation::V3];
        let trees = [
            Operation::Compact,
            Operation::Wide,
            Operation::Inflate,
            Operation::Value,
            Operation::Indent,
        ];
        for operation in readers.into_iter().chain(trees) {
            requests.push((operation, soup.clone()));
            requests.push((operation, document.clone()));
        }
        self.damage(&mut document);
        requests.extend(
            [Operation::V3, Operation::Compact].map(|operation| (operation, document.clone())),
        );
        requests
    }

    /// Removes, repeats or inserts a piece of text.
    fn damage(&mut self, text: &mut String) {
        let places: Vec<_> = text.char_indices().map(|(place, _)| place).collect();
        if places.is_empty() {
            return;
        }
        let place = places[self.below(places.len())];
        match self.below(4) {
            0 => {
                text.remove(place);
            }
            1 => text.insert_str(place, self.pick(&PIECES)),
            2 => text.insert_str(place, "\n# out\n"),
            _ => text.truncate(place),
        }
    }

    /// Generates a number of scalars: first every text of up to three special characters, then
    /// longer ones that mix words, widths and characters.
    pub(crate) fn many_scalars(&mut self, count: usize) -> Vec<String> {
        let mut scalars = self.scalars();
        let nasty: Vec<char> = NASTY.chars().collect();
        let triples = nasty.iter().flat_map(|first| {
            let nasty = &nasty;
            nasty.iter().flat_map(move |second| {
                let third = nasty.iter();
                third.map(move |third| [*first, *second, *third].iter().collect::<String>())
            })
        });
        scalars.extend(triples.take(count.saturating_sub(scalars.len())));
        while scalars.len() < count {
            let mut text = self.text();
            match self.below(4) {
                0 => {
                    // Around the column where version 2 folds.
                    let room = 70 + self.below(20);
                    while text.chars().count() < room {
                        let word = "word".repeat(1 + self.below(3));
                        text.push_str(&word[..=self.below(word.len())]);
                        text.push_str(self.pick(&[" ", " ", " ", "  ", "", "\t", "-", ": "]));
                    }
                    text.push_str("and on it goes");
                }
                1 => {
                    for _ in 0..self.below(4) {
                        let code = u32::try_from(self.below(0x3000)).unwrap_or(0);
                        text.extend(char::from_u32(code));
                    }
                }
                2 => {
                    let shift = self.below(64);
                    text = (self.next() >> shift).to_string();
                    let place = self.below(text.len() + 1);
                    text.insert_str(
                        place,
                        self.pick(&[".", "e", "_", "-", ":", "0x", "0o", "+"]),
                    );
                }
                _ => {}
            }
            scalars.push(text);
        }
        scalars.truncate(count);
        scalars
    }

    pub(crate) fn text(&mut self) -> String {
        let nasty: Vec<char> = NASTY.chars().collect();
        let mut text = String::new();
        for _ in 0..self.below(30) {
            match self.below(4) {
                0 => text.push(nasty[self.below(nasty.len())]),
                1 => text.push_str(self.pick(&WORDS)),
                2 => text.push(' '),
                _ => text.push_str(self.pick(&["word", "a", "long-word", "\n", "\n  ", "x"])),
            }
        }
        text
    }

    pub(crate) fn tree(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => Value::Null,
            1 => (self.below(2) == 0).into(),
            2 => {
                let shift = self.below(64);
                let number = self.next() >> shift;
                number.into()
            }
            3 => {
                let shift = self.below(63);
                let number = self.next().cast_signed() >> shift;
                number.into()
            }
            4 => {
                let float = f64::from_bits(self.next());
                let float = if float.is_finite() { float } else { 0.5 };
                go_json::number(float).into()
            }
            5 => self.text().into(),
            6 | 7 => {
                let length = self.below(5);
                (0..length).map(|_| self.tree(depth - 1)).collect()
            }
            _ => {
                let mut map = Map::new();
                for _ in 0..self.below(6) {
                    let key = self.key();
                    map.insert(key, self.tree(depth - 1));
                }
                map.into()
            }
        }
    }

    /// Generates a key without the next-line character, after which upstream does not recognize a
    /// key.
    fn key(&mut self) -> String {
        match self.below(4) {
            0 => self.text().replace('\u{85}', ""),
            1 => format!("item{}", self.below(200)),
            2 => format!("k{}.{}", self.below(20), self.below(20)),
            _ => self.pick(&WORDS).to_owned(),
        }
    }

    pub(crate) fn document(&mut self) -> String {
        let count = 1 + self.below(14);
        (0..count).map(|_| self.pick(&PIECES)).collect()
    }
}
