//! Regular expressions of Go's `regexp` package, run by the `regex` crate.
//!
//! Both engines follow RE2 and are linear, but differ in details. Go's `\d`, `\w`, `\s` and `\b`
//! match ASCII only. A brace without a repetition is literal and `\Q…\E` quotes. An escaped
//! punctuation character is itself, and `[` in a class is literal. [`compile`] rewrites a pattern
//! to the same meaning and rejects the patterns that Go rejects, with Go's error.
//!
//! One difference stays: `\B` follows Unicode, because a match cannot split a character.
//!
//! The file is long because one pass rewrites a pattern: each step moves the same position.

use std::fmt::Write as _;

use regex::RegexBuilder;
pub use regex::{Captures, Regex};

use crate::unicode::{is_digit, is_letter};

/// The largest repetition count, as in Go.
const MAX_REPEAT: u32 = 1000;

/// The pattern is invalid. The message is Go's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {0}")]
pub struct PatternError(String);

type Result<T> = std::result::Result<T, PatternError>;

fn invalid<T>(reason: &str, part: &str) -> Result<T> {
    Err(PatternError(format!("{reason}: `{part}`")))
}

/// Compiles a pattern. `size_limit` bounds the compiled program in bytes.
pub fn compile(pattern: &str, size_limit: usize) -> Result<Regex> {
    build(pattern, &rewrite(pattern)?.out, size_limit)
}

fn build(pattern: &str, rewritten: &str, size_limit: usize) -> Result<Regex> {
    let built = RegexBuilder::new(rewritten)
        .size_limit(size_limit)
        .nest_limit(MAX_REPEAT)
        .build();
    built.or_else(|error| match error {
        regex::Error::CompiledTooBig(_) => invalid("expression too large", pattern),
        // The rewriter accepts any class name; only unknown ones fail here.
        _ => invalid("invalid character class range", pattern),
    })
}

/// Translates Go's pattern syntax to that of the `regex` crate.
fn rewrite(pattern: &str) -> Result<Rewriter<'_>> {
    let mut rewriter = Rewriter {
        pattern,
        at: 0,
        out: String::with_capacity(pattern.len() + 8),
        depth: 0,
        names: vec![None],
    };
    rewriter.run()?;
    Ok(rewriter)
}

/// A compiled pattern that knows the names of its groups.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// The name of each group; that of the whole match is `None`.
    names: Vec<Option<String>>,
}

impl Pattern {
    /// Compiles a pattern into at most this many bytes.
    pub fn compile(pattern: &str, size_limit: usize) -> Result<Self> {
        let Rewriter { out, names, .. } = rewrite(pattern)?;
        let regex = build(pattern, &out, size_limit)?;
        Ok(Self { regex, names })
    }

    /// The engine, whose groups have numbers only.
    pub const fn regex(&self) -> &Regex {
        &self.regex
    }

    /// Appends a template with `$1` and `${name}` filled in, as `Regexp.Expand` does.
    pub fn expand(&self, template: &[u8], captures: &Captures<'_>, out: &mut Vec<u8>) {
        let mut rest = template;
        while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(b"$") {
                out.push(b'$');
                rest = after;
                continue;
            }
            let Some((name, after)) = reference(rest) else {
                // Malformed: the sign stands for itself.
                out.push(b'$');
                continue;
            };
            rest = after;
            let group = match group_number(name) {
                Some(number) => captures.get(number),
                None => {
                    let named = |known: &Option<String>| known.as_deref() == Some(name);
                    let groups = self.names.iter().enumerate();
                    let mut groups = groups.filter(|(_, known)| named(known));
                    groups.find_map(|(number, _)| captures.get(number))
                }
            };
            if let Some(group) = group {
                out.extend_from_slice(group.as_str().as_bytes());
            }
        }
        out.extend_from_slice(rest);
    }
}

/// The name behind a `$`, with or without braces, and what follows.
fn reference(text: &[u8]) -> Option<(&str, &[u8])> {
    let inside = text.strip_prefix(b"{");
    let text = inside.unwrap_or(text);
    let valid = text.utf8_chunks().next()?.valid();
    let is_name = |next: char| next == '_' || is_letter(next) || is_digit(next);
    let end = valid.find(|next| !is_name(next)).unwrap_or(valid.len());
    let (name, rest) = (&valid[..end], &text[end..]);
    if name.is_empty() {
        return None;
    }
    match inside {
        None => Some((name, rest)),
        Some(_) => rest.strip_prefix(b"}").map(|rest| (name, rest)),
    }
}

/// A name of digits only; one with zeros before it is a name like any other.
fn group_number(name: &str) -> Option<usize> {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = name == "0" || !name.starts_with('0');
    name.parse().ok().filter(|_| is_number && is_plain)
}

/// Escapes all signs that mean something in a pattern, as `regexp.QuoteMeta` does.
pub fn quote_meta(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        if br"\.+*?()|[]{}^$".contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}

struct Rewriter<'p> {
    pattern: &'p str,
    at: usize,
    out: String,
    depth: usize,
    /// The name of each group, from that of the whole match on.
    names: Vec<Option<String>>,
}

/// The element before a position, which decides whether a repetition may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrecedingElement {
    /// Nothing that can be repeated.
    Nothing,
    Something,
    /// A repetition that starts at this offset.
    Repetition(usize),
}

impl<'p> Rewriter<'p> {
    fn rest(&self) -> &'p str {
        &self.pattern[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn run(&mut self) -> Result<()> {
        let mut before = PrecedingElement::Nothing;
        while let Some(next) = self.peek() {
            let start = self.at;
            before = match next {
                '(' => {
                    self.group()?;
                    PrecedingElement::Nothing
                }
                ')' => {
                    if self.depth == 0 {
                        return invalid("unexpected )", self.pattern);
                    }
                    self.depth -= 1;
                    self.copy();
                    PrecedingElement::Something
                }
                '|' => {
                    self.copy();
                    PrecedingElement::Nothing
                }
                '*' | '+' | '?' => {
                    self.copy();
                    self.repeated(before, start)?
                }
                '{' => match repetition(self.rest()) {
                    Some((length, bounds)) => {
                        let text = &self.rest()[..length];
                        if !bounds.are_sound() {
                            return invalid("invalid repeat count", text);
                        }
                        self.out.push_str(text);
                        self.at += length;
                        self.repeated(before, start)?
                    }
                    None => self.literal(),
                },
                '[' => {
                    self.class()?;
                    PrecedingElement::Something
                }
                '\\' => {
                    self.escape()?;
                    PrecedingElement::Something
                }
                '.' | '^' | '$' => {
                    self.copy();
                    PrecedingElement::Something
                }
                _ => self.literal(),
            };
        }
        if self.depth > 0 {
            return invalid("missing closing )", self.pattern);
        }
        Ok(())
    }

    fn copy(&mut self) {
        if let Some(next) = self.next() {
            self.out.push(next);
        }
    }

    fn literal(&mut self) -> PrecedingElement {
        if let Some(next) = self.next() {
            push_literal(&mut self.out, next);
        }
        PrecedingElement::Something
    }

    /// Ends a repetition, which may be lazy.
    fn repeated(&mut self, before: PrecedingElement, start: usize) -> Result<PrecedingElement> {
        if self.peek() == Some('?') {
            self.copy();
        }
        match before {
            PrecedingElement::Nothing => invalid(
                "missing argument to repetition operator",
                &self.pattern[start..self.at],
            ),
            PrecedingElement::Repetition(first) => invalid(
                "invalid nested repetition operator",
                &self.pattern[first..self.at],
            ),
            PrecedingElement::Something => Ok(PrecedingElement::Repetition(start)),
        }
    }

    fn group(&mut self) -> Result<()> {
        let start = self.at;
        self.copy();
        self.depth += 1;
        if self.peek() != Some('?') {
            self.names.push(None);
            return Ok(());
        }
        let rest = self.rest();
        let named = ["?P<", "?<"]
            .into_iter()
            .find(|lead| rest.starts_with(lead) && rest.len() > lead.len());
        if let Some(lead) = named {
            let Some(end) = rest.find('>') else {
                return invalid("invalid named capture", &self.pattern[start..]);
            };
            let name = &rest[lead.len()..end];
            let is_name = |next: char| next == '_' || next.is_ascii_alphanumeric();
            if name.is_empty() || !name.chars().all(is_name) {
                return invalid(
                    "invalid named capture",
                    &self.pattern[start..=self.at + end],
                );
            }
            // Go allows a digit first, unlike the engine. Expansion finds the group by its number.
            self.names.push(Some(name.to_owned()));
            self.at += end + 1;
            return Ok(());
        }
        self.copy();
        let mut is_negative = false;
        let mut has_flag = false;
        while let Some(next) = self.peek() {
            match next {
                'i' | 'm' | 's' | 'U' => has_flag = true,
                '-' if !is_negative => {
                    is_negative = true;
                    has_flag = false;
                }
                ':' | ')' if !is_negative || has_flag => {
                    self.copy();
                    if next == ')' {
                        self.depth -= 1;
                    }
                    return Ok(());
                }
                _ => break,
            }
            self.copy();
        }
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        invalid(
            "invalid or unsupported Perl syntax",
            &self.pattern[start..end],
        )
    }

    fn escape(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 1;
        let Some(next) = self.next() else {
            return invalid("trailing backslash at end of expression", "");
        };
        match next {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => {
                let (is_negative, set) = perl_class(next);
                let sign = if is_negative { "^" } else { "" };
                write!(self.out, "[{sign}{set}]").expect("a String accepts all writes");
            }
            'b' => self.out.push_str("(?-u:\\b)"),
            'B' | 'A' | 'z' => {
                self.out.push('\\');
                self.out.push(next);
            }
            'Q' => {
                let rest = self.rest();
                let (quoted, length) = match rest.find("\\E") {
                    Some(end) => (&rest[..end], end + 2),
                    None => (rest, rest.len()),
                };
                for next in quoted.chars() {
                    push_literal(&mut self.out, next);
                }
                self.at += length;
            }
            'p' | 'P' => self.property(start, next)?,
            _ => {
                let literal = self.escaped(start, next)?;
                push_literal(&mut self.out, literal);
            }
        }
        Ok(())
    }

    /// Returns the character of an escape sequence.
    fn escaped(&mut self, start: usize, next: char) -> Result<char> {
        let rest = self.rest();
        let code = match next {
            'a' => 7,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' => self.hexadecimal().unwrap_or(u32::MAX),
            // A single digit is a back reference, which Go rejects.
            '1'..='7' if !rest.starts_with(|next: char| ('0'..='7').contains(&next)) => u32::MAX,
            '0'..='7' => {
                let mut code = next.to_digit(8).unwrap_or_default();
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|next| next.to_digit(8)) else {
                        break;
                    };
                    code = code * 8 + digit;
                    self.at += 1;
                }
                code
            }
            _ if next.is_ascii() && !next.is_ascii_alphanumeric() => u32::from(next),
            _ => u32::MAX,
        };
        match char::from_u32(code) {
            Some(found) => Ok(found),
            None => invalid("invalid escape sequence", &self.pattern[start..self.at]),
        }
    }

    /// Parses `41` or `{1F600}`. On failure the position is after the offending part.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next()?;
        if first != '{' {
            let second = self.next();
            return Some(first.to_digit(16)? << 4 | second?.to_digit(16)?);
        }
        let mut code = None;
        loop {
            match self.next()? {
                '}' => return code,
                digit => {
                    let found = code.unwrap_or(0) * 16 + digit.to_digit(16)?;
                    code = Some(found).filter(|found| *found <= u32::from(char::MAX));
                    code?;
                }
            }
        }
    }

    /// Translates `\pL`, `\p{Greek}` or `\p{^Greek}`.
    fn property(&mut self, start: usize, letter: char) -> Result<()> {
        let mut is_negative = letter == 'P';
        let invalid = |rewriter: &Self| {
            let part = &rewriter.pattern[start..rewriter.at];
            invalid("invalid character class range", part)
        };
        let name = match self.next() {
            Some('{') => {
                let Some((name, _)) = self.rest().split_once('}') else {
                    self.at = self.pattern.len();
                    return invalid(self);
                };
                self.at += name.len() + 1;
                match name.strip_prefix('^') {
                    Some(name) => {
                        is_negative = !is_negative;
                        name.to_owned()
                    }
                    None => name.to_owned(),
                }
            }
            Some(letter) => letter.to_string(),
            None => return invalid(self),
        };
        let is_name = |next: char| next == '_' || next.is_ascii_alphanumeric();
        let is_known = !name.is_empty()
            && name.chars().all(is_name)
            && Regex::new(&format!("\\p{{{name}}}")).is_ok();
        if !is_known {
            return invalid(self);
        }
        let letter = if is_negative { 'P' } else { 'p' };
        write!(self.out, "\\{letter}{{{name}}}").expect("a String accepts all writes");
        Ok(())
    }

    fn class(&mut self) -> Result<()> {
        let start = self.at;
        self.copy();
        if self.peek() == Some('^') {
            self.copy();
        }
        let mut is_first = true;
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return invalid("missing closing ]", &self.pattern[start..]);
            }
            if rest.starts_with(']') && !is_first {
                self.copy();
                return Ok(());
            }
            is_first = false;
            if let Some(inner) = rest.strip_prefix("[:")
                && let Some(end) = inner.find(":]")
            {
                let name = &rest[..end + 4];
                if !is_posix(name) {
                    return invalid("invalid character class range", name);
                }
                self.out.push_str(name);
                self.at += name.len();
                continue;
            }
            if let Some(letter) = rest.strip_prefix('\\').and_then(|rest| rest.chars().next()) {
                let begun = self.at;
                if "dDwWsS".contains(letter) {
                    self.at += 2;
                    let (is_negative, set) = perl_class(letter);
                    let sign = if is_negative { "^" } else { "" };
                    write!(self.out, "[{sign}{set}]").expect("a String accepts all writes");
                    continue;
                }
                if "pP".contains(letter) {
                    self.at += 2;
                    self.property(begun, letter)?;
                    continue;
                }
            }
            let begun = self.at;
            let low = self.class_char(start)?;
            let mut high = low;
            let rest = self.rest();
            if rest.starts_with('-') && rest.len() > 1 && !rest.starts_with("-]") {
                self.at += 1;
                high = self.class_char(start)?;
                if high < low {
                    let part = &self.pattern[begun..self.at];
                    return invalid("invalid character class range", part);
                }
            }
            let (low, high) = (u32::from(low), u32::from(high));
            write!(self.out, "\\x{{{low:x}}}-\\x{{{high:x}}}")
                .expect("a String accepts all writes");
        }
    }

    fn class_char(&mut self, start: usize) -> Result<char> {
        let begun = self.at;
        match self.next() {
            None => invalid("missing closing ]", &self.pattern[start..]),
            Some('\\') => match self.next() {
                Some(next) => self.escaped(begun, next),
                None => invalid("trailing backslash at end of expression", ""),
            },
            Some(next) => Ok(next),
        }
    }
}

fn push_literal(out: &mut String, next: char) {
    if next.is_alphanumeric() {
        out.push(next);
    } else {
        write!(out, "\\x{{{:x}}}", u32::from(next)).expect("a String accepts all writes");
    }
}

/// Returns the negation and the content of a Perl class.
fn perl_class(letter: char) -> (bool, &'static str) {
    let set = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        _ => "\\t\\n\\f\\r\\x20",
    };
    (letter.is_ascii_uppercase(), set)
}

fn is_posix(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    let inside = &name[2..name.len() - 2];
    NAMES.contains(&inside.strip_prefix('^').unwrap_or(inside))
}

/// The minimum and maximum of a repetition.
struct Bounds {
    least: u32,
    most: Option<u32>,
}

impl Bounds {
    fn are_sound(&self) -> bool {
        let most = self.most.unwrap_or(self.least);
        self.least <= MAX_REPEAT && most <= MAX_REPEAT && self.least <= most
    }
}

/// Parses `{n}`, `{n,}` or `{n,m}` at the start of a text. Returns its length and bounds.
fn repetition(text: &str) -> Option<(usize, Bounds)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|next| next.is_ascii_digit());
        // Go does not accept leading zeros. A number that overflows is out of bounds.
        let is_plain = digits.len() == 1 || !digits.starts_with('0');
        (is_number && is_plain).then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let bounds = match inside.split_once(',') {
        None => {
            let least = number(inside)?;
            Bounds {
                least,
                most: Some(least),
            }
        }
        Some((least, "")) => Bounds {
            least: number(least)?,
            most: None,
        },
        Some((least, most)) => Bounds {
            least: number(least)?,
            most: Some(number(most)?),
        },
    };
    Some((inside.len() + 2, bounds))
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn patterns_match_as_in_go() {
        for (pattern, text, found) in [
            (r"^\d+$", "12", true),
            (r"^\d+$", "٣", false),
            (r"^\w+$", "é", false),
            (r"[\w-]+$", "a-", true),
            (r"\bé", "é", false),
            (r"a{,2}", "a{,2}", true),
            (r"a{2}", "aa", true),
            (r"\Qa.b\E+", "a.bbb", true),
            (r"[[a]]", "[]", true),
            (r"[a&&b]", "&", true),
            (r"\_\<\/", "_</", true),
            (r"\061", "1", true),
            (r"(?P<1>a)", "a", true),
            (r"\p{^Greek}", "α", false),
            (r"[[:^alpha:]]", "1", true),
            (r"[[:]", ":", true),
            (r"[[:]]", ":]", true),
            (r"[[:]]", "[", false),
        ] {
            let compiled = compile(pattern, 1 << 20).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(compiled.is_match(text), found, "{pattern} {text}");
        }
    }

    #[test]
    fn rejected_patterns_report_the_error_of_go() {
        for (pattern, message) in [
            ("[a", "missing closing ]: `[a`"),
            ("(a", "missing closing ): `(a`"),
            ("a)", "unexpected ): `a)`"),
            ("*", "missing argument to repetition operator: `*`"),
            ("a**", "invalid nested repetition operator: `**`"),
            ("a{1001}", "invalid repeat count: `{1001}`"),
            ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
            (r"\1", r"invalid escape sequence: `\1`"),
            (r"a\", "trailing backslash at end of expression: ``"),
            ("[z-a]", "invalid character class range: `z-a`"),
            (r"\pQ", r"invalid character class range: `\pQ`"),
            (r"[[:]:]", r"invalid character class range: `[:]:]`"),
        ] {
            let error = compile(pattern, 1 << 20).unwrap_err().to_string();
            assert_eq!(error, format!("error parsing regexp: {message}"));
        }
    }
}
