//! Generates expressions, most of them valid.
//!
//! Some areas are omitted because cel-go handles them inconsistently: types and optionals inside
//! optionals, and field selections on the result of `has`.

use serde_json::{Value, json};
use sluice_oracle::Random;

use super::subject::variables;

/// The intended type of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    List,
    Map,
    Time,
    Span,
    Optional,
    Any,
}

const KINDS: [Kind; 12] = [
    Kind::Bool,
    Kind::Int,
    Kind::Uint,
    Kind::Double,
    Kind::Text,
    Kind::Bytes,
    Kind::List,
    Kind::Map,
    Kind::Time,
    Kind::Span,
    Kind::Optional,
    Kind::Any,
];

/// Number of kinds that are neither optional nor dynamic.
const PLAIN: usize = 10;

struct Writer<'a> {
    random: &'a mut Random,
    is_declared: bool,
    /// Variables of the enclosing loops.
    locals: Vec<&'static str>,
}

/// A question: an expression over the fields of an object, or over declared objects.
pub(crate) fn question(random: &mut Random) -> Value {
    let is_declared = random.once_in(3);
    let mut writer = Writer {
        random,
        is_declared,
        locals: Vec::new(),
    };
    let kind = KINDS[writer.random.below(KINDS.len())];
    let expr = writer.write(kind, 3);
    let mut question = json!({"expr": expr, "variables": variables(is_declared)});
    if is_declared {
        question["declare"] = json!(["self", "dep"]);
    }
    question
}

impl Writer<'_> {
    /// Writes an expression of a kind and of limited depth.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm for each form of the grammar"
    )]
    fn write(&mut self, kind: Kind, depth: usize) -> String {
        // Sometimes another kind is written, for type errors.
        let kind = if self.random.once_in(60) {
            KINDS[self.random.below(KINDS.len())]
        } else {
            kind
        };
        if depth == 0 {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        if self.random.once_in(12) {
            let condition = self.write(Kind::Bool, depth);
            let (first, second) = (self.write(kind, depth), self.write(kind, depth));
            return format!("({condition} ? {first} : {second})");
        }
        if self.random.once_in(20) {
            let other = self.write(Kind::Optional, depth);
            let fallback = self.write(kind, depth);
            return format!("{other}.orValue({fallback})");
        }
        match kind {
            Kind::Bool => self.truth(depth),
            Kind::Int => self.integer(depth),
            Kind::Text => self.text(depth),
            Kind::List => self.list(depth),
            Kind::Any => {
                let kind = KINDS[self.random.below(KINDS.len() - 1)];
                let inner = self.write(kind, depth);
                match self.random.below(5) {
                    0 => format!("dyn({inner})"),
                    1 if self.locals.is_empty() => format!("type({inner})"),
                    2 => {
                        let key = self.write(Kind::Text, 0);
                        format!("{inner}[{key}]")
                    }
                    _ => inner,
                }
            }
            Kind::Optional => {
                let plain = KINDS[self.random.below(PLAIN)];
                let (any, map) = (self.write(plain, depth), self.write(Kind::Map, depth));
                let (list, int) = (self.write(Kind::List, depth), self.write(Kind::Int, 0));
                match self.random.below(8) {
                    0 => format!("optional.of({any})"),
                    1 => "optional.none()".to_owned(),
                    2 => format!("optional.ofNonZeroValue({any})"),
                    3 => format!(
                        "{map}.?{}",
                        self.random.pick(&["a", "phase", "labels", "missing"])
                    ),
                    4 => format!("{map}[?'a']"),
                    5 => format!("{list}[?{int}]"),
                    6 => {
                        let optional = self.write(Kind::Optional, depth);
                        let body = self.inside("o", |writer| writer.write(plain, depth));
                        let name = self.random.pick(&["optMap", "optFlatMap"]);
                        format!("{optional}.{name}(o, {body})")
                    }
                    _ => {
                        let (one, other) = (
                            self.write(Kind::Optional, depth),
                            self.write(Kind::Optional, depth),
                        );
                        format!("{one}.or({other})")
                    }
                }
            }
            Kind::Map => {
                let (key, value) = (self.write(Kind::Text, depth), self.write(Kind::Any, depth));
                match self.random.below(5) {
                    0 => format!("{{{key}: {value}}}"),
                    1 => {
                        let number = self.write(Kind::Int, 0);
                        format!("{{'a': {value}, 'b': {number}, 1: {key}}}")
                    }
                    2 => {
                        let optional = self.write(Kind::Optional, depth);
                        format!("{{?'a': {optional}}}")
                    }
                    _ => self.leaf(kind),
                }
            }
            Kind::Double | Kind::Uint => {
                let (one, other) = (self.write(kind, depth), self.write(kind, depth));
                let from = self.write(Kind::Any, depth);
                let name = if kind == Kind::Double {
                    "double"
                } else {
                    "uint"
                };
                match self.random.below(4) {
                    0 => format!("{name}({from})"),
                    1 => self.leaf(kind),
                    _ => format!(
                        "({one} {} {other})",
                        self.random.pick(&["+", "-", "*", "/", "%"])
                    ),
                }
            }
            Kind::Bytes => {
                let (text, one) = (
                    self.write(Kind::Text, depth),
                    self.write(Kind::Bytes, depth),
                );
                match self.random.below(4) {
                    0 => format!("bytes({text})"),
                    1 => format!("base64.decode({text})"),
                    2 => format!("({one} + {one})"),
                    _ => self.leaf(kind),
                }
            }
            Kind::Time | Kind::Span => {
                let (time, span) = (self.write(Kind::Time, depth), self.write(Kind::Span, depth));
                match (kind, self.random.below(3)) {
                    (Kind::Time, 0) => format!("({time} + {span})"),
                    (Kind::Time, 1) => format!("({time} - {span})"),
                    (Kind::Span, 0) => format!("({time} - {time})"),
                    (Kind::Span, 1) => format!("(-{span} + {span})"),
                    _ => self.leaf(kind),
                }
            }
        }
    }

    fn inside(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> String) -> String {
        self.locals.push(name);
        let written = write(self);
        self.locals.pop();
        written
    }

    fn truth(&mut self, depth: usize) -> String {
        let kind = KINDS[self.random.below(KINDS.len())];
        let (left, right) = (self.write(kind, depth), self.write(kind, depth));
        let (one, other) = (self.write(Kind::Bool, depth), self.write(Kind::Bool, depth));
        match self.random.below(14) {
            0 => format!("!{one}"),
            1 => format!("({one} && {other})"),
            2 => format!("({one} || {other} || {one})"),
            3..=5 => {
                let sign = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({left} {sign} {right})")
            }
            6 => {
                let list = self.write(Kind::List, depth);
                format!("({left} in {list})")
            }
            7 => {
                let map = self.write(Kind::Map, depth);
                format!("('a' in {map})")
            }
            8 => {
                let map = self.write(Kind::Map, depth);
                format!(
                    "(false || has({map}.{}))",
                    self.random.pick(&["a", "phase", "labels", "x"])
                )
            }
            9 => {
                let (text, part) = (self.write(Kind::Text, depth), self.write(Kind::Text, 0));
                let name = self
                    .random
                    .pick(&["startsWith", "endsWith", "contains", "matches"]);
                format!("{text}.{name}({part})")
            }
            10 => {
                let (list, list2) = (self.write(Kind::List, depth), self.write(Kind::List, depth));
                let name = self.random.pick(&["contains", "equivalent", "intersects"]);
                format!("sets.{name}({list}, {list2})")
            }
            11 | 12 => {
                let range = if self.random.once_in(4) {
                    Kind::Map
                } else {
                    Kind::List
                };
                let range = self.write(range, depth);
                let body = self.inside("e", |writer| writer.write(Kind::Bool, depth));
                let name = self.random.pick(&["all", "exists", "exists_one"]);
                format!("{range}.{name}(e, {body})")
            }
            _ => {
                let optional = self.write(Kind::Optional, depth);
                format!("{optional}.hasValue()")
            }
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        let (one, other) = (self.write(Kind::Int, depth), self.write(Kind::Int, depth));
        let (any, text) = (self.write(Kind::Any, depth), self.write(Kind::Text, depth));
        match self.random.below(10) {
            0..=2 => format!(
                "({one} {} {other})",
                self.random.pick(&["+", "-", "*", "/", "%"])
            ),
            3 => format!("-{one}"),
            4 => format!("int({any})"),
            5 => {
                let kind = [Kind::List, Kind::Map, Kind::Text, Kind::Bytes][self.random.below(4)];
                let of = self.write(kind, depth);
                if self.random.once_in(2) {
                    format!("size({of})")
                } else {
                    format!("{of}.size()")
                }
            }
            6 => {
                let time = self.write(Kind::Time, depth);
                let part = self.random.pick(&[
                    "getFullYear()",
                    "getMonth()",
                    "getDate()",
                    "getDayOfMonth()",
                    "getDayOfYear()",
                    "getDayOfWeek()",
                    "getHours()",
                    "getMinutes('-08:30')",
                    "getHours('02:00')",
                    "getHours('Nowhere')",
                ]);
                format!("{time}.{part}")
            }
            7 => {
                let span = self.write(Kind::Span, depth);
                let part = self.random.pick(&[
                    "getHours()",
                    "getMinutes()",
                    "getSeconds()",
                    "getMilliseconds()",
                ]);
                format!("{span}.{part}")
            }
            8 => {
                let part = self.write(Kind::Text, 0);
                let name = self.random.pick(&["indexOf", "lastIndexOf"]);
                if self.random.once_in(2) {
                    format!("{text}.{name}({part})")
                } else {
                    format!("{text}.{name}({part}, {one})")
                }
            }
            _ => {
                let list = self.write(Kind::List, depth);
                format!("{list}[{one}]")
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let (text, part) = (self.write(Kind::Text, depth), self.write(Kind::Text, 0));
        let (int, any) = (self.write(Kind::Int, 0), self.write(Kind::Any, depth));
        match self.random.below(14) {
            0 => format!("({text} + {part})"),
            1 => format!("string({any})"),
            2 => format!(
                "{text}.{}()",
                self.random
                    .pick(&["lowerAscii", "upperAscii", "trim", "reverse"])
            ),
            3 => format!("{text}.charAt({int})"),
            4 => format!("{text}.replace({part}, {text})"),
            5 => format!("{text}.replace({part}, 'z', {int})"),
            6 => format!("{text}.substring({int})"),
            7 => {
                let end = self.write(Kind::Int, 0);
                format!("{text}.substring({int}, {end})")
            }
            8 => {
                let list = self.write(Kind::List, depth);
                format!("{list}.join({part})")
            }
            9 => {
                let bytes = self.write(Kind::Bytes, depth);
                format!("base64.encode({bytes})")
            }
            10 => format!("strings.quote({text})"),
            11 | 12 => {
                let clause = self.random.pick(&[
                    "%s", "%d", "%f", "%.2f", "%e", "%.0e", "%b", "%o", "%x", "%X", "a%%b %s", "%",
                    "%q", "%.f", "%.3s",
                ]);
                format!("'{clause}'.format([{any}])")
            }
            _ => self.leaf(Kind::Text),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let kind = KINDS[self.random.below(KINDS.len())];
        let (one, other) = (self.write(kind, depth), self.write(kind, depth));
        match self.random.below(9) {
            0 => format!("[{one}, {other}]"),
            1 => {
                let optional = self.write(Kind::Optional, depth);
                format!("[{one}, ?{optional}]")
            }
            2 => {
                let (list, list2) = (self.write(Kind::List, depth), self.write(Kind::List, depth));
                format!("({list} + {list2})")
            }
            3 => {
                let list = self.write(Kind::List, depth);
                let body = self.inside("e", |writer| writer.write(Kind::Bool, depth));
                format!("{list}.filter(e, {body})")
            }
            4 | 5 => {
                let list = self.write(Kind::List, depth);
                let body = self.inside("e", |writer| writer.write(Kind::Any, depth));
                if self.random.once_in(2) {
                    format!("{list}.map(e, {body})")
                } else {
                    let test = self.inside("e", |writer| writer.write(Kind::Bool, depth));
                    format!("{list}.map(e, {test}, {body})")
                }
            }
            6 => {
                let (text, part) = (self.write(Kind::Text, depth), self.write(Kind::Text, 0));
                if self.random.once_in(2) {
                    format!("{text}.split({part})")
                } else {
                    let count = self.write(Kind::Int, 0);
                    format!("{text}.split({part}, {count})")
                }
            }
            7 => {
                let optional = self.write(Kind::Optional, depth);
                format!("[{optional}, optional.none()].unwrapOpt()")
            }
            _ => self.leaf(Kind::List),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each type")]
    fn leaf(&mut self, kind: Kind) -> String {
        if let Some(local) = self.locals.last()
            && self.random.once_in(3)
        {
            return (*local).to_owned();
        }
        let choices: &[&str] = match kind {
            Kind::Bool => &["true", "false", "spec.paused", "spec.missing"],
            Kind::Int => &[
                "0",
                "1",
                "2",
                "-1",
                "7",
                "0x10",
                "9223372036854775807",
                "-9223372036854775808",
                "spec.replicas",
                "spec.neg",
                "metadata.generation",
            ],
            Kind::Uint => &["0u", "1u", "3u", "18446744073709551615u", "0xFFu"],
            Kind::Double => &[
                "0.0",
                "1.5",
                "-2.5",
                "1e300",
                "3.0",
                "spec.ratio",
                "spec.whole",
                ".5",
            ],
            Kind::Text => &[
                "''",
                "'a'",
                "\"b\"",
                "'Ready'",
                "'3'",
                "'1.5'",
                "'true'",
                "'é世'",
                "'a,b,c'",
                "r'a.c'",
                "'^a+$'",
                "'YWJj'",
                "status.phase",
                "spec.image",
                "spec.text",
                "metadata.name",
                "spec.timeout",
                "spec.since",
                "'''x'''",
                "'\\n\\t\\u00e9'",
            ],
            Kind::Bytes => &["b''", "b'abc'", "b'\\xff\\x00'", "b\"é\""],
            Kind::List => &[
                "[]",
                "[1, 2]",
                "['a', 'b']",
                "[[1], []]",
                "spec.list",
                "spec.mixed",
                "spec.words",
                "spec.none_list",
                "status.conditions",
                "[1, 'a']",
                "[1u, 2]",
            ],
            Kind::Map => &[
                "{}",
                "{'a': 1}",
                "{'a': {'b': 2}}",
                "{1: 'x', 2u: 'y'}",
                "status",
                "spec",
                "metadata.labels",
                "metadata.annotations",
                "{'a': 1, 'a': 2}",
                "{true: 1}",
            ],
            Kind::Time => &[
                "timestamp('2024-05-01T10:20:30Z')",
                "timestamp(0)",
                "timestamp('2024-02-29T23:59:59.999+05:30')",
                "timestamp(spec.since)",
                "timestamp('9999-12-31T23:59:59Z')",
                "timestamp('0001-01-01T00:00:00Z')",
                "timestamp('1969-12-31T23:59:59.5Z')",
            ],
            Kind::Span => &[
                "duration('1h')",
                "duration('90s')",
                "duration('-1.5s')",
                "duration('1ms1us1ns')",
                "duration(spec.timeout)",
                "duration('2540400h')",
            ],
            Kind::Optional => &[
                "optional.none()",
                "optional.of(1)",
                "optional.of('a')",
                "status.?phase",
                "spec.?missing",
                "spec.?a.b.c",
                "metadata.?labels.app",
            ],
            Kind::Any => &[
                "null",
                "spec.none",
                "status.phase",
                "spec.replicas",
                "missing",
                "spec.missing.deeper",
                "metadata.labels['a/b']",
                "metadata.labels['x']",
                "spec.list[0]",
                "spec",
            ],
        };
        let leaf = self.random.pick(choices);
        let is_field = ["spec", "status", "metadata"]
            .iter()
            .any(|field| leaf.starts_with(field));
        if self.is_declared && is_field {
            format!("{}.{leaf}", self.random.pick(&["self", "dep"]))
        } else if self.is_declared {
            leaf.replace("(spec", "(self.spec")
        } else {
            leaf.to_owned()
        }
    }
}
