//! Generates templates: statements, expressions, calls of sprig's functions and formats of printf.

use std::fmt::Write as _;

use sluice_oracle::Random;

use crate::tables::{BLOCKS, DAMAGE, FIELDS, FUNCTIONS, NUMBERS, OTHERS, PATTERNS, TEXTS, VERBS};

/// Generates templates from a seed.
pub(crate) struct Generator {
    random: Random,
    /// Variables in scope.
    variables: usize,
    loops: usize,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            variables: 0,
            loops: 0,
        }
    }

    /// A template of definitions and statements.
    pub(crate) fn template(&mut self) -> String {
        let mut text = String::new();
        for name in BLOCKS {
            if self.random.once_in(3) {
                (self.variables, self.loops) = (0, 0);
                // A definition calls none, so that no template is recursive.
                let body = self.simple();
                write!(text, "{{{{ define \"{name}\" }}}}{body}{{{{ end }}}}").expect("memory");
            }
        }
        (self.variables, self.loops) = (0, 0);
        text + &self.statements(3)
    }

    /// A template with some damage.
    pub(crate) fn damaged(&mut self) -> String {
        let mut characters: Vec<char> = self.template().chars().collect();
        for _ in 0..=self.random.below(3) {
            let at = self.random.below(characters.len().max(1));
            let is_removal = self.random.once_in(3) && !characters.is_empty();
            if is_removal {
                characters.remove(at);
            } else {
                let damage = self.random.pick(DAMAGE);
                characters.splice(at..at, damage.chars());
            }
        }
        characters.into_iter().collect()
    }

    /// A call of printf with a random format.
    pub(crate) fn format(&mut self) -> String {
        let mut format = String::new();
        for _ in 0..=self.random.below(3) {
            format.push_str(["", "a", "é ", "x="][self.random.below(4)]);
            format.push('%');
            for _ in 0..self.random.below(3) {
                format.push(['+', '-', '#', '0', ' '][self.random.below(5)]);
            }
            if self.random.once_in(6) {
                let index = self.random.below(5);
                write!(format, "[{index}]").expect("memory");
            }
            match self.random.below(6) {
                0 => format.push('*'),
                1 => write!(format, "{}", self.random.below(12)).expect("memory"),
                _ => {}
            }
            match self.random.below(8) {
                0 => format.push_str(".*"),
                1 | 2 => write!(format, ".{}", self.random.below(9)).expect("memory"),
                3 => format.push('.'),
                _ => {}
            }
            format.push(VERBS[self.random.below(VERBS.len())]);
        }
        let mut text = format!("{{{{ printf {}", serde_json::Value::from(format));
        for _ in 0..self.random.below(4) {
            let argument = self.operand('a', 1);
            write!(text, " {argument}").expect("memory");
        }
        text + " }}"
    }

    fn statements(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(3) {
            text.push_str(["", " ", "text", "\n  ", "é"][self.random.below(5)]);
            let statement = self.statement(depth);
            text.push_str(&statement);
        }
        text
    }

    fn simple(&mut self) -> String {
        let (open, close) = self.delimiters();
        format!("{open}{}{close}", self.pipeline(1))
    }

    fn delimiters(&mut self) -> (&'static str, &'static str) {
        let open = if self.random.once_in(4) {
            "{{- "
        } else {
            "{{ "
        };
        let close = if self.random.once_in(4) {
            " -}}"
        } else {
            " }}"
        };
        (open, close)
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        let (open, close) = self.delimiters();
        let (outer, outer_loops) = (self.variables, self.loops);
        let text = match self.random.below(13) {
            0 | 1 => {
                let condition = self.pipeline(1);
                let body = self.statements(depth - 1);
                self.variables = outer;
                let other = self.otherwise(depth);
                format!("{open}if {condition}{close}{body}{other}{{{{ end }}}}")
            }
            2 | 3 => {
                let of = self.pipeline(1);
                let declared = match self.random.below(3) {
                    0 => String::new(),
                    1 => self.declare() + " := ",
                    _ => {
                        let (key, value) = (self.declare(), self.declare());
                        format!("{key}, {value} := ")
                    }
                };
                self.loops += 1;
                let body = self.statements(depth - 1);
                (self.variables, self.loops) = (outer, outer_loops);
                let other = self.otherwise(depth);
                format!("{open}range {declared}{of}{close}{body}{other}{{{{ end }}}}")
            }
            4 => {
                let of = self.pipeline(1);
                let body = self.statements(depth - 1);
                self.variables = outer;
                let other = self.otherwise(depth);
                format!("{open}with {of}{close}{body}{other}{{{{ end }}}}")
            }
            5 => {
                let value = self.pipeline(1);
                let name = self.declare();
                return format!("{open}{name} := {value}{close}");
            }
            6 if self.variables > 0 => {
                let value = self.pipeline(1);
                let name = self.variable();
                format!("{open}{name} = {value}{close}")
            }
            7 => {
                let name = self.random.pick(BLOCKS);
                let argument = if self.random.once_in(3) {
                    String::new()
                } else {
                    format!(" {}", self.pipeline(1))
                };
                format!("{open}template \"{name}\"{argument}{close}")
            }
            8 if self.loops > 0 => {
                let word = self.random.pick(&["break", "continue"]);
                format!("{open}{word}{close}")
            }
            9 => "{{/* comment */}}".to_owned(),
            _ => format!("{open}{}{close}", self.pipeline(2)),
        };
        self.variables = outer;
        text
    }

    fn otherwise(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => {
                let outer = self.variables;
                let body = self.statements(depth - 1);
                self.variables = outer;
                format!("{{{{ else }}}}{body}")
            }
            _ => String::new(),
        }
    }

    /// Declares a variable. Its scope ends with the block.
    fn declare(&mut self) -> String {
        self.variables += 1;
        format!("$v{}", self.variables - 1)
    }

    fn variable(&mut self) -> String {
        format!("$v{}", self.random.below(self.variables))
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut text = if self.random.once_in(3) {
            self.operand('a', depth)
        } else {
            self.call_of(depth)
        };
        for _ in 0..self.random.below(3) {
            let (name, kinds) = FUNCTIONS[self.random.below(FUNCTIONS.len())];
            // A piped number may be large, and end the oracle by its memory.
            if kinds.ends_with('m') {
                continue;
            }
            // The last argument comes from the pipe.
            let arguments = self.arguments(kinds, depth.min(1), true);
            write!(text, " | {name}{arguments}").expect("memory");
        }
        text
    }

    fn call_of(&mut self, depth: usize) -> String {
        let (name, kinds) = FUNCTIONS[self.random.below(FUNCTIONS.len())];
        let arguments = self.arguments(kinds, depth, false);
        format!("{name}{arguments}")
    }

    fn arguments(&mut self, kinds: &str, depth: usize, is_piped: bool) -> String {
        let mut kinds: Vec<char> = kinds.chars().collect();
        if kinds.last() == Some(&'*') {
            kinds.pop();
            let last = kinds.last().copied().unwrap_or('a');
            kinds.extend((0..self.random.below(3)).map(|_| last));
        }
        // A wrong number of arguments now and then.
        if is_piped || self.random.once_in(40) {
            kinds.pop();
        }
        if self.random.once_in(60) {
            kinds.push('a');
        }
        let mut text = String::new();
        for kind in kinds {
            let kind = if self.random.once_in(12) && kind != 'm' {
                'a'
            } else {
                kind
            };
            let operand = self.operand(kind, depth);
            write!(text, " {operand}").expect("memory");
        }
        text
    }

    /// An operand of a kind. `m` is a small number, for functions that repeat something.
    fn operand(&mut self, kind: char, depth: usize) -> String {
        if depth > 0 && self.random.once_in(4) && kind != 'm' {
            let inner = self.pipeline(depth - 1);
            let field = if self.random.once_in(10) { ".k" } else { "" };
            return format!("({inner}){field}");
        }
        if self.variables > 0 && self.random.once_in(5) && kind != 'm' {
            return self.variable();
        }
        let pick = |random: &mut Random, of: &[&str]| random.pick(of).to_owned();
        let random = &mut self.random;
        match kind {
            's' => match random.below(3) {
                0 => pick(
                    random,
                    &[".s", ".empty", ".words", ".u", ".numstr", ".html", ".lines"],
                ),
                _ => pick(random, TEXTS),
            },
            'n' => match random.below(3) {
                0 => pick(random, &[".n", ".zero", ".f", ".big", ".neg", ".numstr"]),
                _ => pick(random, NUMBERS),
            },
            'm' => pick(random, &["0", "1", "2", "3", "-1", "5", "8"]),
            'l' => match random.below(3) {
                0 => pick(
                    random,
                    &[
                        "(list 1 \"a\" nil)",
                        "(list)",
                        "(until 3)",
                        "(splitList \",\" \"a,b\")",
                    ],
                ),
                _ => pick(
                    random,
                    &[".l", ".nums", ".mixed", ".e", ".objects", ".m.b.l"],
                ),
            },
            'd' => match random.below(3) {
                0 => pick(
                    random,
                    &["(dict \"a\" 1)", "(dict)", "(dict \"a\" (dict \"x\" 1))"],
                ),
                _ => pick(random, &[".m", ".m.b", ".other", ".em", "(deepCopy .m)"]),
            },
            'b' => pick(random, &["true", "false", ".t", ".no"]),
            'p' => pick(random, PATTERNS),
            't' => pick(random, &["\"b0\"", "\"b1\"", "\"b2\""]),
            _ => match random.below(5) {
                0 => pick(random, TEXTS),
                1 => pick(random, NUMBERS),
                2 => pick(random, OTHERS),
                // At the top, the dot prints addresses of fixtures.
                3 if self.loops > 0 => ".".to_owned(),
                _ => pick(random, FIELDS),
            },
        }
    }
}
