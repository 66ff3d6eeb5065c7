//! Reading an expression, character by character, as client-go does.

use serde_json::Value;

use super::{End, Filter, Operator, Slice, Step};

/// The steps of the text between two braces.
///
/// # Errors
/// In words, where it makes no sense.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, String> {
    let mut reader = Reader {
        rest: text,
        steps: Vec::new(),
    };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    Ok(reader.steps)
}

struct Reader<'t> {
    rest: &'t str,
    steps: Vec<Step>,
}

impl<'t> Reader<'t> {
    fn step(&mut self) -> Result<(), String> {
        if self.skip("[?(") {
            return self.filter();
        }
        if self.skip("..") {
            if self.steps.last() == Some(&Step::Below) {
                return Err("invalid multiple recursive descent".to_owned());
            }
            self.steps.push(Step::Below);
            if self.rest.starts_with(is_word) {
                self.field();
            }
            return Ok(());
        }
        let Some(first) = self.rest.chars().next() else {
            return Ok(());
        };
        match first {
            // The object that is looked at is where every path begins.
            ' ' | '@' | '$' => self.rest = &self.rest[1..],
            '[' => {
                self.rest = &self.rest[1..];
                self.items()?;
            }
            '\'' | '"' => {
                let text = self.quoted(first)?;
                self.steps.push(Step::Constant(Value::String(text)));
            }
            '.' => {
                self.rest = &self.rest[1..];
                self.field();
            }
            '+' | '-' | '0'..='9' => self.number()?,
            word if is_word(word) => self.word()?,
            '\r' | '\n' => return Err("unclosed action".to_owned()),
            other => return Err(format!("unrecognized character in action: {other:?}")),
        }
        Ok(())
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(prefix) else {
            return false;
        };
        self.rest = rest;
        true
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// A key, to where the next step begins; behind a backslash every character is the key's.
    fn field(&mut self) {
        let (mut key, mut escaped, mut length) = (String::new(), false, self.rest.len());
        for (at, character) in self.rest.char_indices() {
            if !escaped && character == '\\' {
                escaped = true;
                continue;
            }
            if !escaped && ends_word(character) {
                length = at;
                break;
            }
            escaped = false;
            key.push(character);
        }
        let is_every = self.take(length) == "*";
        self.steps.push(if is_every {
            Step::Every
        } else {
            Step::Field(key)
        });
    }

    fn word(&mut self) -> Result<(), String> {
        let length = self.rest.find(ends_word).unwrap_or(self.rest.len());
        match self.take(length) {
            "true" => self.steps.push(Step::Constant(true.into())),
            "false" => self.steps.push(Step::Constant(false.into())),
            other => return Err(format!("unrecognized identifier {other}")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), String> {
        let digits = |character: char| character == '.' || character.is_ascii_digit();
        let length = self.rest[1..]
            .find(|character| !digits(character))
            .map_or(self.rest.len(), |end| end + 1);
        let text = self.take(length);
        let number = match text.parse::<i64>() {
            Ok(integer) => Some(integer.into()),
            Err(_) => text
                .parse::<f64>()
                .ok()
                .and_then(serde_json::Number::from_f64),
        };
        let number = number.ok_or_else(|| format!("cannot parse number {text}"))?;
        self.steps.push(Step::Constant(Value::Number(number)));
        Ok(())
    }

    /// A text in quotes, which are not taken yet.
    fn quoted(&mut self, quote: char) -> Result<String, String> {
        let (mut text, mut escaped) = (String::new(), false);
        for (at, character) in self.rest.char_indices().skip(1) {
            match character {
                '\n' => break,
                escape if escaped => {
                    text.push(match escape {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        '\\' | '\'' | '"' => escape,
                        other => return Err(format!("unknown escape '\\{other}' in a text")),
                    });
                    escaped = false;
                }
                '\\' => escaped = true,
                end if end == quote => {
                    self.take(at + 1);
                    return Ok(text);
                }
                other => text.push(other),
            }
        }
        Err("unterminated quoted string".to_owned())
    }

    /// Parses the items between brackets, of which the first is consumed.
    fn items(&mut self) -> Result<(), String> {
        let end = self.rest.find([']', '\n']);
        let end = end.filter(|end| self.rest[*end..].starts_with(']'));
        let text = self.take(end.ok_or("unterminated array")?);
        self.rest = &self.rest[1..];
        let parts: Vec<&str> = text.split(',').collect();
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| one(part.trim_matches(' ')));
            self.steps
                .push(Step::Union(parts.collect::<Result<_, _>>()?));
        } else {
            self.steps.extend(one(text)?);
        }
        Ok(())
    }

    /// A filter, of which the beginning is taken.
    fn filter(&mut self) -> Result<(), String> {
        let (mut quote, mut escaped, mut end) = (None, false, None);
        for (at, character) in self.rest.char_indices() {
            match (character, quote) {
                ('\n', _) => break,
                (')', None) => {
                    end = Some(at);
                    break;
                }
                ('\'' | '"', None) => quote = Some(character),
                (close, Some(open)) if close == open && !escaped => quote = None,
                _ => {}
            }
            escaped = character == '\\' && !escaped;
        }
        let text = self.take(end.ok_or("unterminated filter")?);
        if !self.skip(")]") {
            return Err("unclosed array expect ]".to_owned());
        }
        let is_operator = |character: char| matches!(character, '!' | '<' | '>' | '=');
        let Some(at) = text.find(is_operator).filter(|at| *at > 0) else {
            let left = steps(text)?;
            self.steps.push(Step::Where(Filter { left, right: None }));
            return Ok(());
        };
        let (left, behind) = text.split_at(at);
        let right = behind.trim_start_matches(is_operator);
        let operator = match &behind[..behind.len() - right.len()] {
            "<" => Operator::Less,
            ">" => Operator::Greater,
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<=" => Operator::LessOrEqual,
            ">=" => Operator::GreaterOrEqual,
            other => return Err(format!("unrecognized filter operator {other}")),
        };
        self.steps.push(Step::Where(Filter {
            left: steps(left)?,
            right: Some((operator, steps(right)?)),
        }));
        Ok(())
    }
}

/// One entry of brackets: a key in quotes, or a slice.
fn one(text: &str) -> Result<Vec<Step>, String> {
    let quoted = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    if let Some(key) = quoted.filter(|key| !key.contains('\'')) {
        return steps(&format!(".{key}"));
    }
    if text == "*" {
        return one(":");
    }
    let invalid = || format!("invalid array index {text}");
    let number = |part: &str| -> Result<Option<i64>, String> {
        if part.is_empty() {
            return Ok(None);
        }
        let digits = part.strip_prefix('-').unwrap_or(part);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(invalid());
        }
        let parsed = part.parse().map(Some);
        parsed.map_err(|_| format!("array index {part} is not a number"))
    };
    let mut parts = text.splitn(3, ':');
    let from = number(parts.next().unwrap_or_default())?;
    let to = match parts.next() {
        None => End::One,
        Some(part) => number(part)?.map_or(End::Last, End::Before),
    };
    let by = match number(parts.next().unwrap_or_default())? {
        None => 1,
        Some(step) => usize::try_from(step)
            .ok()
            .filter(|step| *step > 0)
            .ok_or("step must be > 0")?,
    };
    Ok(vec![Step::Slice(Slice { from, to, by })])
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn ends_word(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}'
    )
}
