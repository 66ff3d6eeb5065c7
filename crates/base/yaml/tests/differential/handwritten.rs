//! Documents in the way people write them, in more variants: every style and indentation, comments
//! at every position, anchors and merge keys.

use std::fmt::Write as _;

use super::generator::Generator;

const PLAIN: [&str; 22] = [
    "a",
    "name",
    "web",
    "1",
    "true",
    "null",
    "~",
    "",
    "3.5",
    "2001-01-01",
    "yes",
    "a b c",
    "http://x/y:z",
    "-1",
    "0x1f",
    "x#y",
    "<<",
    "é",
    "some longer text of words",
    "a, b",
    "1e3",
    "2001-12-14 21:59:43",
];

const FLOW: [&str; 8] = ["a", "1", "null", "", "x y", "~", "'q'", "\"d\\te\""];

/// Writes one document.
pub(crate) struct Writer<'g> {
    random: &'g mut Generator,
    out: String,
    anchors: Vec<String>,
    /// Number of comments per ten possible positions.
    comments: usize,
}

impl<'g> Writer<'g> {
    pub(crate) fn new(random: &'g mut Generator) -> Self {
        let comments = [0, 1, 3, 6][random.below(4)];
        Self {
            random,
            out: String::new(),
            anchors: Vec::new(),
            comments,
        }
    }

    pub(crate) fn document(mut self) -> String {
        if self.chance(2) {
            self.out.push_str("---");
            self.line_comment();
            self.out.push('\n');
        }
        self.own_lines(0);
        match self.random.below(8) {
            0 => {
                self.scalar(0);
            }
            1 | 2 => self.sequence(0, 3),
            _ => self.mapping(0, 4),
        }
        self.own_lines(0);
        if self.chance(1) {
            self.out.push_str("---\nb: c\n");
        }
        self.out
    }

    fn chance(&mut self, of_ten: usize) -> bool {
        self.random.below(10) < of_ten
    }

    fn comment(&mut self) -> bool {
        self.chance(self.comments)
    }

    fn line_comment(&mut self) {
        if self.comment() {
            let mark = self.random.pick(&[" # l", "  #l", "\t# tab", " #"]);
            self.out.push_str(mark);
            let number = self.random.below(100);
            let _ = write!(self.out, "{number}");
        }
    }

    /// Writes comments and empty lines.
    fn own_lines(&mut self, indent: usize) {
        while self.comment() {
            if self.chance(3) {
                let blank = self.random.pick(&["\n", "\n\n", "  \n"]);
                self.out.push_str(blank);
            }
            let shift = [0, 0, 0, 0, 2, 1, 4][self.random.below(7)];
            let indent = if self.chance(1) {
                indent.saturating_sub(2)
            } else {
                indent + shift
            };
            let number = self.random.below(100);
            let _ = writeln!(self.out, "{:indent$}# c{number}", "");
            if self.chance(3) {
                self.out.push('\n');
            }
        }
    }

    fn key(&mut self) -> String {
        match self.random.below(12) {
            0 => "'a b'".to_owned(),
            1 => "\"c\"".to_owned(),
            2 => self.random.below(4).to_string(),
            _ => format!("k{}", self.random.below(30)),
        }
    }

    fn properties(&mut self) -> String {
        let mut out = String::new();
        if self.chance(1) {
            let name = format!("x{}", self.random.below(4));
            let _ = write!(out, "&{name} ");
            self.anchors.push(name);
        }
        if self.random.below(20) == 0 {
            out.push_str(
                self.random
                    .pick(&["!!str ", "!t ", "!!int ", "! ", "!!map ", "!<x:y> "]),
            );
        }
        out
    }

    fn alias(&mut self) -> Option<String> {
        if self.anchors.is_empty() || !self.chance(2) {
            return None;
        }
        let index = self.random.below(self.anchors.len());
        Some(format!("*{}", self.anchors[index]))
    }

    fn mapping(&mut self, indent: usize, depth: usize) {
        for number in 0..=self.random.below(4) {
            if number > 0 {
                self.own_lines(indent);
                let _ = write!(self.out, "{:indent$}", "");
            } else if !self.out.ends_with(' ') {
                let _ = write!(self.out, "{:indent$}", "");
            }
            if let Some(alias) = self.alias()
                && self.chance(4)
            {
                let _ = write!(self.out, "<<: {alias}");
                self.line_comment();
                self.out.push('\n');
                continue;
            }
            if self.random.below(30) == 0 {
                let key = self.key();
                let _ = write!(self.out, "? {key}");
                self.line_comment();
                let _ = write!(self.out, "\n{:indent$}", "");
            } else {
                let key = self.key();
                self.out.push_str(&key);
            }
            self.out.push(':');
            self.value(indent, depth, true);
        }
    }

    /// Writes the value after `:` or `-`.
    fn value(&mut self, indent: usize, depth: usize, of_key: bool) {
        if let Some(alias) = self.alias() {
            let _ = write!(self.out, " {alias}");
            self.line_comment();
            self.out.push('\n');
            return;
        }
        let properties = self.properties();
        let properties = properties.trim_end();
        if !properties.is_empty() {
            let _ = write!(self.out, " {properties}");
        }
        let inner = indent + [2, 2, 2, 4, 1][self.random.below(5)];
        match self.random.below(if depth == 0 { 5 } else { 10 }) {
            0..=3 => {
                self.out.push(' ');
                self.scalar(indent);
            }
            4 => {
                self.out.push(' ');
                self.flow(2, inner);
                self.line_comment();
                self.out.push('\n');
            }
            5..=7 => {
                if !of_key && properties.is_empty() && self.chance(6) {
                    self.out.push(' ');
                    self.mapping(indent + 2, depth - 1);
                    return;
                }
                self.line_comment();
                self.out.push('\n');
                self.own_lines(inner);
                self.mapping(inner, depth - 1);
            }
            _ => {
                if !of_key && properties.is_empty() && self.chance(6) {
                    self.out.push(' ');
                    self.sequence(indent + 2, depth - 1);
                    return;
                }
                self.line_comment();
                self.out.push('\n');
                let inner = if of_key && self.chance(5) {
                    indent
                } else {
                    inner
                };
                self.own_lines(inner);
                self.sequence(inner, depth - 1);
            }
        }
    }

    fn sequence(&mut self, indent: usize, depth: usize) {
        for number in 0..=self.random.below(4) {
            if number > 0 {
                self.own_lines(indent);
                let _ = write!(self.out, "{:indent$}", "");
            } else if !self.out.ends_with(' ') {
                let _ = write!(self.out, "{:indent$}", "");
            }
            self.out.push('-');
            self.value(indent, depth, false);
        }
    }

    /// Writes a scalar in any style and the end of its line.
    fn scalar(&mut self, indent: usize) {
        match self.random.below(9) {
            0 => {
                let text = self.random.text().replace(['\'', '\n', '\u{85}'], " ");
                let _ = write!(self.out, "'{text}'");
            }
            1 => {
                let text = sluice_yaml::json::quote(&self.random.text());
                self.out.push_str(&text);
            }
            2 | 3 => {
                let header = ["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-"];
                let header = self.random.pick(&header);
                self.out.push_str(header);
                self.line_comment();
                self.out.push('\n');
                let inner = indent + if header.contains('1') { 1 } else { 2 };
                for _ in 0..self.random.below(5) {
                    let line = [
                        "x y",
                        "",
                        " more",
                        "# no comment",
                        "\tz",
                        "a: b",
                        "long text of it",
                    ];
                    let line = self.random.pick(&line);
                    if line.is_empty() {
                        self.out.push('\n');
                    } else {
                        let _ = writeln!(self.out, "{:inner$}{line}", "");
                    }
                }
                return;
            }
            4 => {
                let inner = indent + 2;
                let _ = write!(self.out, "words\n{:inner$}over\n\n{:inner$}lines", "", "");
            }
            _ => {
                let text = self.random.pick(&PLAIN);
                self.out.push_str(text);
            }
        }
        self.line_comment();
        self.out.push('\n');
    }

    /// Writes a flow collection, on one line or several.
    fn flow(&mut self, depth: usize, indent: usize) {
        let mapping = self.chance(5);
        let broken = self.chance(3);
        self.out.push(if mapping { '{' } else { '[' });
        for number in 0..self.random.below(4) {
            if number > 0 {
                self.out.push(',');
            }
            if broken {
                self.line_comment();
                self.out.push('\n');
                self.own_lines(indent);
                let _ = write!(self.out, "{:indent$}", "");
            } else if number > 0 {
                self.out.push(' ');
            }
            if mapping {
                let key = self.key();
                let _ = write!(self.out, "{key}: ");
            }
            if depth > 0 && self.chance(2) {
                self.flow(depth - 1, indent + 2);
            } else if let Some(alias) = self.alias() {
                self.out.push_str(&alias);
                self.out.push(' ');
            } else {
                let text = self.random.pick(&FLOW);
                self.out.push_str(text);
            }
        }
        if broken {
            if self.chance(5) {
                self.out.push(',');
            }
            self.line_comment();
            self.out.push('\n');
            self.own_lines(indent);
        }
        self.out.push(if mapping { '}' } else { ']' });
    }
}
