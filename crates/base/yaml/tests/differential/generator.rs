//! Texts that are likely to tell two readers or two writers apart.
//!
//! A fixed seed gives the same texts on every machine.

use serde_json::{Map, Value, json};
use sluice_yaml::{json as go_json, v2};

use super::oracle::Do;
use super::written::Writer;

/// The characters that mean something to YAML, and some that look like them.
const NASTY: &str =
    "-?:,[]{}#&*!|>'\"%@`~<=.+_ \t\nyYnNoO01eExX/\\aé\u{a0}\u{85}\u{2028}\u{feff}😀\u{7f}\u{1}";

/// Words that readers take for something else than text.
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

/// Pieces of documents, put together at random.
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

/// What is asked about one text as a scalar: written as a value and as a key,
/// and read back as it stands in each kind of company.
pub(crate) fn requests_of_scalar(text: &str) -> Vec<(Do, String)> {
    let quoted = go_json::quote(text);
    let plain = format!("k: {text}\n");
    let block = text.replace('\n', "\n  ");
    vec![
        (Do::Write, format!("{{\"k\":{quoted}}}")),
        (Do::Write, format!("{{{quoted}:[{quoted}]}}")),
        (Do::Json, format!("[{quoted}]")),
        (Do::Read, plain.clone()),
        (Do::Read, format!("- {text}")),
        (Do::Read, format!("[{text}, a]")),
        (Do::V3, plain.clone()),
        (Do::V3, format!("- {text}")),
        (Do::V3, format!("[{text}, a]")),
        (Do::Compact, plain.clone()),
        (Do::Compact, format!("- {quoted}\n- k: [{quoted}]\n")),
        (Do::Compact, format!("a: {text}: b # c")),
        (Do::Wide, format!("k:\n- |\n  {block}\n- >+\n  {block}\n")),
        (Do::Value, plain),
        (Do::Value, format!("k: {quoted}\nl: [{text}]\n")),
        (Do::Value, format!("k: |-\n  {block}\n")),
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
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    pub(crate) fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// Every text of one and two nasty characters, words in various company,
    /// and lines around the column where they fold.
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

    /// What is asked about one random tree and one random document of each kind.
    pub(crate) fn requests_of_tree(&mut self) -> Vec<(Do, String)> {
        let value = self.tree(4);
        // What we print, Go must read as what it was.
        let printed = v2::to_string(&value);
        let mut requests = vec![
            (Do::Write, go_json::to_string(&value)),
            (Do::Json, go_json::to_string(&json!({ "a": value }))),
            (Do::Read, printed.clone()),
            (Do::V3, printed.clone()),
            (Do::Value, printed),
        ];
        let soup = self.document();
        let mut document = Writer::new(self).document();
        let readers = [Do::Read, Do::Strict, Do::V3];
        let trees = [Do::Compact, Do::Wide, Do::Inflate, Do::Value, Do::Indent];
        for what in readers.into_iter().chain(trees) {
            requests.push((what, soup.clone()));
            requests.push((what, document.clone()));
        }
        self.damage(&mut document);
        requests.extend([Do::V3, Do::Compact].map(|what| (what, document.clone())));
        requests
    }

    /// Leaves out, repeats or adds something.
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

    /// So many scalars: first every text of up to three nasty characters, then
    /// longer ones in which words, widths and characters are mixed.
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
                    // Around the column where the second version folds.
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

    /// A key: without the next-line character, after which upstream can no
    /// longer tell that it is one.
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
