//! Errors of templates in the form in which Helm prints them.

use std::error::Error;
use std::fmt::Write;

use sluice_gotemplate::ExecError;

use super::functions::MARKS;

/// A parse error, with its place and the last of its reasons.
pub(super) fn parse_error(text: &str) -> String {
    let mut tokens = text.split(": ").skip(1);
    let Some(location) = tokens.next() else {
        return text.to_owned();
    };
    let reason = text.rsplit(": ").next().unwrap_or(text);
    format!("parse error at ({location}): {reason}")
}

/// The bytes of a link that are looked at.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// The bytes of an error. A deep recursion of large texts would fill the memory with its error.
const MAX_BYTES: usize = 1 << 20;

/// The start of a text, which ends the writing when it is long enough.
struct Head {
    text: String,
    limit: usize,
}

impl Head {
    /// The start of an error, and whether that is all.
    fn of(error: &dyn Error, limit: usize) -> (String, bool) {
        let text = String::new();
        let mut head = Self { text, limit };
        let is_whole = write!(head, "{error}").is_ok();
        (head.text, is_whole)
    }
}

impl Write for Head {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let left = self.limit - self.text.len();
        let end = text.floor_char_boundary(left);
        self.text.push_str(&text[..end]);
        if end < text.len() {
            return Err(std::fmt::Error);
        }
        Ok(())
    }
}

/// One link of an error chain.
#[derive(PartialEq)]
struct Link {
    location: String,
    executed: String,
    message: String,
}

impl Link {
    fn write(&self, out: &mut String) {
        if !self.location.is_empty() {
            out.push_str(&self.location);
            out.push_str("\n  ");
        }
        if !self.executed.is_empty() {
            out.push_str(&self.executed);
            out.push_str("\n    ");
        }
        if !self.message.is_empty() {
            out.push_str(&self.message);
            out.push('\n');
        }
    }
}

/// An error of an execution: the text of `required` and `fail`, or a trace of the templates.
pub(super) fn exec_error(error: &ExecError) -> String {
    let text = whole(error);
    if error.template().is_none() {
        return text;
    }
    let mut tokens = text.splitn(3, ": ");
    let (Some(_), Some(location), Some(rest)) = (tokens.next(), tokens.next(), tokens.next())
    else {
        return text;
    };
    if let Some(start) = rest.find(MARKS.0)
        && let Some(end) = rest.rfind(MARKS.1)
        && let Some(said) = rest.get(start + MARKS.0.len()..end)
    {
        return format!("execution error at ({location}): {said}");
    }
    let mut links: Vec<Link> = Vec::new();
    let mut current: Option<&dyn Error> = Some(error);
    while let Some(error) = current {
        // Only the start of a link matters: its end is that of the next one.
        let (head, _) = Head::of(error, MAX_HEAD_BYTES);
        let Some(link) = link(&head) else {
            return text;
        };
        if links.last() != Some(&link) {
            links.push(link);
        }
        current = error.source();
    }
    let mut out = String::new();
    for link in &links {
        link.write(&mut out);
        if out.len() > MAX_BYTES {
            out.push_str("…\n");
            break;
        }
    }
    out.trim().to_owned()
}

/// The text of an error. One that is too long has its start and its reason.
fn whole(error: &ExecError) -> String {
    let (mut text, is_whole) = Head::of(error, MAX_BYTES);
    if !is_whole {
        let mut last: &dyn Error = error;
        while let Some(cause) = last.source() {
            last = cause;
        }
        text.push_str("… ");
        text.push_str(&Head::of(last, MAX_HEAD_BYTES).0);
    }
    text
}

/// Takes an error of `text/template` apart.
fn link(text: &str) -> Option<Link> {
    let rest = text.strip_prefix("template: ")?;
    if rest.starts_with("no template ") {
        return Some(Link {
            location: String::new(),
            executed: String::new(),
            message: text.to_owned(),
        });
    }
    let cut = |message: &str| {
        let end = message.find(" template:").unwrap_or(message.len());
        message[..end].to_owned()
    };
    let executing = || {
        let (location, after) = rest.split_once(": executing ")?;
        let (name, after) = after.strip_prefix('"')?.split_once('"')?;
        let (node, message) = after.strip_prefix(" at <")?.split_once(">: ")?;
        Some(Link {
            location: location.to_owned(),
            executed: format!("executing \"{name}\" at <{node}>:"),
            message: cut(message),
        })
    };
    let simple = || {
        let (location, message) = rest.rsplit_once(": ")?;
        Some(Link {
            location: location.to_owned(),
            executed: String::new(),
            message: cut(message),
        })
    };
    executing().or_else(simple)
}
