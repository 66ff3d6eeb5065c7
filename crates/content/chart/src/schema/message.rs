//! Problems of values, printed as a tree.

use crate::values::Json;

/// A value that does not fit, and the problems that this comes from.
#[derive(Debug)]
pub(super) struct Problem {
    /// The path of the value.
    pub(super) path: Vec<String>,
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) causes: Vec<Self>,
}

/// The place of a problem in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword failed.
    Keyword,
    /// Several keywords of one schema failed.
    Group,
    /// The target of a reference failed.
    Reference,
}

/// The lines of a report on the problems of a root.
pub(super) fn report(problem: &Problem) -> String {
    let mut out = String::new();
    match problem.kind {
        Kind::Group => {
            for cause in &problem.causes {
                print(cause, 0, &mut out);
            }
        }
        _ => print(problem, 0, &mut out),
    }
    out
}

fn print(problem: &Problem, indent: usize, out: &mut String) {
    let is_hidden = problem.kind == Kind::Reference && problem.causes.len() == 1;
    let below = if is_hidden { indent } else { indent + 1 };
    if !is_hidden {
        out.extend(std::iter::repeat_n("  ", indent));
        let path: String = problem.path.iter().map(|part| escaped(part)).collect();
        out.push_str("- at ");
        out.push_str(&quote(&path));
        out.push_str(": ");
        out.push_str(&problem.text);
        out.push('\n');
    }
    for cause in &problem.causes {
        print(cause, below, out);
    }
}

/// A part of a JSON pointer.
fn escaped(part: &str) -> String {
    format!("/{}", part.replace('~', "~0").replace('/', "~1"))
}

/// A text in single quotes.
pub(super) fn quote(text: &str) -> String {
    // Go's validator replaces before it removes the outer quotes, so that a last backslash is
    // single.
    let quoted = sluice_golang::quote::quote(text).replace("\\\"", "\"");
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    format!("'{}'", inner.unwrap_or(&quoted).replace('\'', "\\'"))
}

/// Texts in single quotes, with commas between.
pub(super) fn quoted_list(texts: &[&str]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    quoted.join(", ")
}

/// A value of the schema as messages show it.
pub(super) fn display(value: &Json) -> String {
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::String(text) => quote(text),
        Json::Array(_) | Json::Object(_) => "value".to_owned(),
        other => other.to_string(),
    }
}

/// A whole number with English groups of digits.
pub(super) fn count(number: usize) -> String {
    grouped(&number.to_string())
}

/// A number with English groups of digits, or with a power of ten from a million on.
pub(super) fn number(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { "⁻" } else { "" };
        let power = format!("{:02}", exponent.unsigned_abs());
        let power: String = power.chars().map(superscript).collect();
        return format!("{digits}×10{sign}{power}");
    }
    let text = number.to_string();
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", grouped(whole)),
        None => grouped(&text),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let mut out = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
