//! Label selectors in the grammar of Kubernetes: `app=web,tier in (front,back),!legacy`.
//!
//! The same grammar selects by annotations. Start at [`Selector::parse`].
//!
//! Parity: `apimachinery: pkg/labels/selector.go`, in the version that kyaml carries.

mod lexer;
mod validation;

use std::collections::BTreeSet;

use lexer::{Symbol, Token};
use sluice_golang::number::parse_int;

/// A label selector: requirements that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    condition: Condition,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Exists,
    Absent,
    In(BTreeSet<String>),
    /// The label is absent or has another value.
    NotIn(BTreeSet<String>),
    Above(i64),
    Below(i64),
}

/// Why a selector is invalid, in upstream's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSelector(String);

impl Selector {
    /// Parses a selector. An empty one selects everything.
    pub fn parse(text: &str) -> Result<Self, InvalidSelector> {
        Parser::new(text).selector().map_err(InvalidSelector)
    }

    /// Whether labels satisfy every requirement. `label` looks a value up by key.
    pub fn matches<'a>(&self, mut label: impl FnMut(&str) -> Option<&'a str>) -> bool {
        let mut requirements = self.requirements.iter();
        requirements.all(|requirement| requirement.condition.holds(label(&requirement.key)))
    }
}

impl Condition {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| parse_int(value, 10));
        match self {
            Self::Exists => value.is_some(),
            Self::Absent => value.is_none(),
            Self::In(wanted) => value.is_some_and(|value| wanted.contains(value)),
            Self::NotIn(unwanted) => value.is_none_or(|value| !unwanted.contains(value)),
            Self::Above(limit) => number().is_some_and(|number| number > *limit),
            Self::Below(limit) => number().is_some_and(|number| number < *limit),
        }
    }
}

enum Operator {
    In,
    NotIn,
    Equal,
    NotEqual,
    Above,
    Below,
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
}

/// In value position, `in` and `notin` are plain words.
fn as_value(symbol: Symbol) -> Symbol {
    match symbol {
        Symbol::In | Symbol::NotIn => Symbol::Word,
        other => other,
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            tokens: lexer::tokens(text),
            next: 0,
        }
    }

    fn peek(&self) -> (Symbol, &'a str) {
        // The last token is `End`, which is never consumed.
        let token = &self.tokens[self.next.min(self.tokens.len() - 1)];
        (as_value(token.symbol), token.text)
    }

    fn take(&mut self) -> (Symbol, &'a str) {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn take_operator(&mut self) -> (Symbol, &'a str) {
        let token = &self.tokens[self.next.min(self.tokens.len() - 1)];
        self.next += 1;
        (token.symbol, token.text)
    }

    fn selector(&mut self) -> Result<Selector, String> {
        let mut requirements = Vec::new();
        loop {
            match self.peek() {
                (Symbol::Word | Symbol::Not, _) => {
                    let requirement = self.requirement();
                    requirements.push(
                        requirement
                            .map_err(|error| format!("unable to parse requirement: {error}"))?,
                    );
                    match self.take() {
                        (Symbol::End, _) => break,
                        (Symbol::Comma, _) => {
                            let (symbol, text) = self.peek();
                            if !matches!(symbol, Symbol::Word | Symbol::Not) {
                                return Err(format!(
                                    "found '{text}', expected: identifier after ','"
                                ));
                            }
                        }
                        (_, text) => {
                            return Err(format!(
                                "found '{text}', expected: ',' or 'end of string'"
                            ));
                        }
                    }
                }
                (Symbol::End, _) => break,
                (_, text) => {
                    return Err(format!(
                        "found '{text}', expected: !, identifier, or 'end of string'"
                    ));
                }
            }
        }
        Ok(Selector { requirements })
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let (mut symbol, mut key) = self.take();
        let absent = symbol == Symbol::Not;
        if absent {
            (symbol, key) = self.take();
        }
        if symbol != Symbol::Word {
            return Err(format!("found '{key}', expected: identifier"));
        }
        validation::key(key)?;
        let last = matches!(self.peek().0, Symbol::End | Symbol::Comma);
        let condition = if absent {
            Condition::Absent
        } else if last {
            Condition::Exists
        } else {
            self.condition(key)?
        };
        Ok(Requirement {
            key: key.to_owned(),
            condition,
        })
    }

    fn condition(&mut self, key: &str) -> Result<Condition, String> {
        let operator = match self.take_operator() {
            (Symbol::In, _) => Operator::In,
            (Symbol::NotIn, _) => Operator::NotIn,
            (Symbol::Equal, _) => Operator::Equal,
            (Symbol::NotEqual, _) => Operator::NotEqual,
            (Symbol::Above, _) => Operator::Above,
            (Symbol::Below, _) => Operator::Below,
            (_, text) => {
                return Err(format!(
                    "found '{text}', expected: '=', '!=', '==', 'in', notin'"
                ));
            }
        };
        let values = match operator {
            Operator::In | Operator::NotIn => self.values()?,
            _ => BTreeSet::from([self.value()?]),
        };
        let limit = match operator {
            Operator::Above | Operator::Below => {
                let only = values.first().expect("the operator takes one value");
                Some(
                    parse_int(only, 10)
                        .ok_or("for 'Gt', 'Lt' operators, the value must be an integer")?,
                )
            }
            _ => None,
        };
        for value in &values {
            validation::value(key, value)?;
        }
        Ok(match (operator, limit) {
            (Operator::Above, Some(limit)) => Condition::Above(limit),
            (Operator::Below, Some(limit)) => Condition::Below(limit),
            (Operator::In | Operator::Equal, _) => Condition::In(values),
            _ => Condition::NotIn(values),
        })
    }

    /// Parses one value, which may be empty at the end.
    fn value(&mut self) -> Result<String, String> {
        if matches!(self.peek().0, Symbol::End | Symbol::Comma) {
            return Ok(String::new());
        }
        match self.take() {
            (Symbol::Word, text) => Ok(text.to_owned()),
            (_, text) => Err(format!("found '{text}', expected: identifier")),
        }
    }

    /// Parses values in parentheses, each of which may be empty.
    fn values(&mut self) -> Result<BTreeSet<String>, String> {
        match self.take() {
            (Symbol::Open, _) => {}
            (_, text) => return Err(format!("found '{text}' expected: '('")),
        }
        let (symbol, text) = self.peek();
        match symbol {
            Symbol::Word | Symbol::Comma => {
                let values = self.list()?;
                match self.take() {
                    (Symbol::Close, _) => Ok(values),
                    _ => Err(format!("found '{text}', expected: ')'")),
                }
            }
            Symbol::Close => {
                self.take();
                Ok(BTreeSet::from([String::new()]))
            }
            _ => Err(format!("found '{text}', expected: ',', ')' or identifier")),
        }
    }

    fn list(&mut self) -> Result<BTreeSet<String>, String> {
        let mut values = BTreeSet::new();
        loop {
            match self.take() {
                (Symbol::Word, text) => {
                    values.insert(text.to_owned());
                    match self.peek() {
                        (Symbol::Comma, _) => {}
                        (Symbol::Close, _) => return Ok(values),
                        (_, text) => {
                            return Err(format!("found '{text}', expected: ',' or ')'"));
                        }
                    }
                }
                (Symbol::Comma, _) => {
                    if values.is_empty() {
                        values.insert(String::new());
                    }
                    match self.peek().0 {
                        Symbol::Close => {
                            values.insert(String::new());
                            return Ok(values);
                        }
                        Symbol::Comma => {
                            self.take();
                            values.insert(String::new());
                        }
                        _ => {}
                    }
                }
                (_, text) => return Err(format!("found '{text}', expected: ',', or identifier")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Selector;
    use crate::Value;

    #[track_caller]
    fn selects(selector: &str, labels: &[(&str, &str)]) -> bool {
        let selector = Selector::parse(selector).expect("a selector");
        selector.matches(|key| {
            let found = labels.iter().find(|(name, _)| *name == key);
            found.map(|(_, value)| *value)
        })
    }

    #[test]
    fn each_operator_selects() {
        let labels = [
            ("app", "web"),
            ("tier", "front"),
            ("size", "12"),
            ("none", ""),
        ];
        for (selector, selected) in [
            ("", true),
            ("app", true),
            ("!app", false),
            ("!gone", true),
            ("app=web", true),
            ("app==web", true),
            ("app = web , tier=front", true),
            ("app=web,tier=back", false),
            ("app!=web", false),
            ("gone!=web", true),
            ("app in (web,api)", true),
            ("app in (api)", false),
            ("gone in (web)", false),
            ("app notin (api)", true),
            ("gone notin (api)", true),
            ("none in ()", true),
            ("none in (a,,b)", true),
            ("none=", true),
            ("none=,app", true),
            ("size>11", true),
            ("size>12", false),
            ("size<13", true),
            ("app>1", false),
            ("gone<1", false),
        ] {
            assert_eq!(selects(selector, &labels), selected, "{selector}");
        }
    }

    #[test]
    fn operators_are_plain_words_in_value_position() {
        assert!(selects("app in (in,notin)", &[("app", "in")]));
        assert!(selects("in in (x)", &[("in", "x")]));
        assert!(selects("app=notin", &[("app", "notin")]));
    }

    /// Replays recorded answers of kyaml.
    #[test]
    fn selectors_parse_and_match_as_recorded() {
        let vectors = include_str!("../tests/vectors/selector.jsonl");
        let mut differences = Vec::new();
        for line in vectors.lines() {
            let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
            let text = |field: &str| vector[field].as_str().unwrap_or_default();
            let labels = sluice_yaml::v3::from_str(text("document")).expect("labels");
            let found = Selector::parse(text("selector"))
                .map(|selector| selector.matches(|key| labels[key].as_str()).to_string());
            let found = match found {
                Ok(result) => (result, String::new()),
                Err(error) => (String::new(), error.to_string()),
            };
            if found != (text("result").to_owned(), text("error").to_owned()) {
                differences.push(format!("{line}\n  found {found:?}"));
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}
