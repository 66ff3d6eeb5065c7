//! Sections of `key = value`, in the dialect of upstream's Go library: three kinds of quotes,
//! continued lines, and comments at the end of a line.
//!
//! Parity: go-ini: parser.go and `writeToBuffer` in file.go; sops: stores/ini/store.go.

use crate::codec::scalar_text;
use crate::error::{EmitError, LoadError};
use crate::tree::{Branch, Comment, Item, Value};

/// The section of the entries before the first section.
const DEFAULT: &str = "DEFAULT";

/// The delimiters between a key and its value.
const DELIMITERS: [char; 2] = ['=', ':'];

/// The characters that begin a comment.
const MARKS: [char; 2] = ['#', ';'];

pub(super) fn load(bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
    let text = str::from_utf8(bytes).map_err(|_| refused(0, "it is not UTF-8"))?;
    let mut reader = Reader {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 0,
        comment: String::new(),
    };
    let mut sections = vec![Section::new(DEFAULT)];
    let mut count = 1;
    while let Some(line) = reader.next() {
        let line = line.trim_start();
        if line.is_empty() {
            continue;
        }
        if line.starts_with(MARKS) {
            reader.comment.push_str(line);
            continue;
        }
        if let Some(header) = line.strip_prefix('[') {
            let (name, after) = header
                .rsplit_once(']')
                .ok_or_else(|| refused(reader.line, "its section is not closed"))?;
            if name.is_empty() {
                return Err(refused(reader.line, "its section has no name"));
            }
            if let Some(at) = after.find(MARKS) {
                reader.comment.push_str(&after[at..]);
            }
            let mut section = Section::new(name);
            section.comment = reader.take_comment();
            sections.push(section);
            count = 1;
            continue;
        }
        let (name, value) = key(line).map_err(|problem| refused(reader.line, problem))?;
        let mut name = name.to_owned();
        if name == "-" {
            name = format!("#{count}");
            count += 1;
        }
        let value = reader.value(value)?;
        let comment = reader.take_comment();
        let section = sections
            .last_mut()
            .expect("the first section always exists");
        section.set(name, value, comment);
    }
    let sections = sections.into_iter().map(Section::into_item);
    Ok(vec![Branch(sections.collect())])
}

fn refused(line: usize, problem: &str) -> LoadError {
    LoadError::Syntax(format!("ini line {line}: {problem}"))
}

/// A section that is being parsed.
struct Section {
    name: String,
    comment: String,
    keys: Vec<(String, String, String)>,
}

impl Section {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            comment: String::new(),
            keys: Vec::new(),
        }
    }

    /// Sets a key. A repeated key keeps its position and gets the last value.
    fn set(&mut self, name: String, value: String, comment: String) {
        match self.keys.iter_mut().find(|(known, ..)| *known == name) {
            Some(known) => *known = (name, value, comment),
            None => self.keys.push((name, value, comment)),
        }
    }

    fn into_item(self) -> Item {
        let mut branch = Branch::default();
        let note = |branch: &mut Branch, text: &str| {
            if !text.is_empty() {
                let comment = Comment::new(unmarked(text), false);
                branch.0.push(Item::Comment(comment));
            }
        };
        note(&mut branch, &self.comment);
        for (name, value, comment) in self.keys {
            branch.push(name, Value::text(value));
            note(&mut branch, &comment);
        }
        Item::Entry(self.name, Value::Branch(branch))
    }
}

/// Removes the first character of a comment.
fn unmarked(comment: &str) -> &str {
    let strip = |mark: char| comment.trim_start_matches([mark, ' ']);
    match comment.chars().next() {
        Some(mark @ (';' | '#')) => strip(mark),
        _ => comment,
    }
}

/// Splits a line into its key and the text after the delimiter.
fn key(line: &str) -> Result<(&str, &str), &'static str> {
    let quote = match line.as_bytes()[0] {
        b'"' if line.len() > 6 && line.starts_with("\"\"\"") => "\"\"\"",
        b'"' => "\"",
        b'`' => "`",
        _ => {
            let at = line
                .find(DELIMITERS)
                .ok_or("it is neither key = value nor a comment")?;
            if at == 0 {
                return Err("its key has no name");
            }
            return Ok((line[..at].trim(), &line[at + 1..]));
        }
    };
    let (name, after) = line[quote.len()..]
        .split_once(quote)
        .ok_or("the quote of its key is not closed")?;
    let at = after
        .find(DELIMITERS)
        .ok_or("it is neither key = value nor a comment")?;
    Ok((name.trim(), &after[at + 1..]))
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    /// The comments since the last key.
    comment: String,
}

impl<'a> Reader<'a> {
    /// Returns the next line with its line break.
    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.line += 1;
        Some(line)
    }

    fn take_comment(&mut self) -> String {
        std::mem::take(&mut self.comment).trim().to_owned()
    }

    fn value(&mut self, text: &str) -> Result<String, LoadError> {
        let text = text.trim_start();
        for quote in ["\"\"\"", "`"] {
            let is_quoted = text.starts_with(quote) && (quote == "`" || text.len() > 3);
            if is_quoted {
                let inner = &text[quote.len()..];
                return match inner.rsplit_once(quote) {
                    Some((value, _)) => Ok(value.to_owned()),
                    None => self.lines_until(inner, quote),
                };
            }
        }
        let mut line = text.trim();
        if let Some(begun) = line.strip_suffix('\\') {
            return Ok(self.continued(begun));
        }
        if let Some(at) = line.find(MARKS) {
            self.comment.push_str(&line[at..]);
            line = line[..at].trim();
        }
        for quote in ['\'', '"'] {
            let inner = line
                .strip_prefix(quote)
                .and_then(|line| line.strip_suffix(quote));
            if let Some(inner) = inner
                && !inner.contains(quote)
            {
                return Ok(inner.to_owned());
            }
        }
        Ok(line.to_owned())
    }

    fn lines_until(&mut self, begun: &str, quote: &str) -> Result<String, LoadError> {
        let mut value = begun.to_owned();
        let start = self.line;
        while let Some(line) = self.next() {
            if let Some((before, after)) = line.rsplit_once(quote) {
                if after.trim().ends_with('\\') {
                    value.push_str(line);
                    continue;
                }
                value.push_str(before);
                if let Some(at) = after.find(MARKS) {
                    self.comment.push_str(after[at..].trim());
                }
                return Ok(value);
            }
            value.push_str(line);
        }
        Err(refused(start, "the quote of its value is not closed"))
    }

    fn continued(&mut self, begun: &str) -> String {
        let mut value = begun.to_owned();
        while let Some(line) = self.next() {
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            value.push_str(line);
            if !value.ends_with('\\') {
                break;
            }
            value.pop();
        }
        value
    }
}

pub(super) fn emit(branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
    let mut sections = Vec::new();
    for branch in branches {
        for (name, value) in branch.entries() {
            let Value::Branch(section) = value else {
                return Err(EmitError::Section(name.to_owned()));
            };
            sections.push((name, printed(section)?));
        }
    }
    let mut out = Vec::new();
    let last = sections.len().saturating_sub(1);
    for (index, (name, section)) in sections.iter().enumerate() {
        for line in section.comment.iter().flat_map(|text| lines(text)) {
            mark(&mut out, line, false);
        }
        if index > 0 || !name.eq_ignore_ascii_case(DEFAULT) {
            out.extend_from_slice(format!("[{name}]\n").as_bytes());
        } else if section.keys.is_empty() {
            continue;
        }
        let names = section.keys.iter().map(|key| name_width(&key.name));
        let width = names.max().unwrap_or(0);
        for key in &section.keys {
            write_key(&mut out, key, width);
        }
        if index != last {
            out.push(b'\n');
        }
    }
    Ok(out)
}

/// A section that is being rendered.
#[derive(Default)]
struct SectionText {
    comment: Option<Vec<u8>>,
    keys: Vec<KeyText>,
}

struct KeyText {
    name: String,
    value: Vec<u8>,
    comment: Option<Vec<u8>>,
}

fn printed(section: &Branch) -> Result<SectionText, EmitError> {
    let mut made = SectionText::default();
    for (index, item) in section.0.iter().enumerate() {
        match item {
            Item::Comment(comment) => {
                let text = Some(comment.text.expose().clone()).filter(|text| !text.is_empty());
                if index == 0 {
                    made.comment = text;
                } else if let Some(key) = made.keys.last_mut() {
                    key.comment = text;
                }
            }
            Item::Entry(key, Value::List(_) | Value::Branch(_)) => {
                return Err(EmitError::Complex {
                    format: crate::format::Format::Ini,
                    key: key.clone(),
                });
            }
            Item::Entry(name, value) => {
                let value = scalar_text(value);
                match made.keys.iter_mut().find(|key| key.name == *name) {
                    Some(known) => known.value = value,
                    None => made.keys.push(KeyText {
                        name: name.clone(),
                        value,
                        comment: None,
                    }),
                }
            }
        }
    }
    Ok(made)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
}

/// Writes a line of a comment, with a comment character if it has none.
fn mark(out: &mut Vec<u8>, line: &[u8], trimmed: bool) {
    match line.split_first() {
        Some((mark @ (b'#' | b';'), rest)) => {
            out.extend_from_slice(&[*mark, b' ']);
            out.extend_from_slice(rest.trim_ascii());
        }
        _ => {
            out.extend_from_slice(b"; ");
            out.extend_from_slice(if trimmed { line.trim_ascii() } else { line });
        }
    }
    out.push(b'\n');
}

fn needs_backquotes(name: &str) -> bool {
    name.contains('"') || name.contains(DELIMITERS)
}

fn name_width(name: &str) -> usize {
    name.len()
        + match name {
            name if needs_backquotes(name) => 2,
            name if name.contains('`') => 6,
            _ => 0,
        }
}

fn write_key(out: &mut Vec<u8>, key: &KeyText, width: usize) {
    for line in key.comment.iter().flat_map(|text| lines(text)) {
        mark(out, line, true);
    }
    let name = match key.name.as_str() {
        name if needs_backquotes(name) => format!("`{name}`"),
        name if name.contains('`') => format!("\"\"\"{name}\"\"\""),
        name => name.to_owned(),
    };
    out.extend_from_slice(name.as_bytes());
    out.extend(std::iter::repeat_n(b' ', width.saturating_sub(name.len())));
    out.extend_from_slice(b" = ");
    let value = key.value.as_slice();
    let has = |any: &[u8]| value.iter().any(|byte| any.contains(byte));
    let quote: &[u8] = if has(b"\n`") {
        b"\"\"\""
    } else if has(b"#;") {
        b"`"
    } else if value.trim_ascii().len() != value.len() {
        b"\""
    } else {
        b""
    };
    for part in [quote, value, quote] {
        out.extend_from_slice(part);
    }
    out.push(b'\n');
}
