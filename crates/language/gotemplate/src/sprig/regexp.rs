//! Regular expressions.

use std::borrow::Cow;
use std::sync::Arc;

use sluice_golang::quote::{can_backquote, quote_bytes};
use sluice_golang::regexp::{Pattern, PatternError, quote_meta};

use super::Entry;
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{CompositeType, List, Type, Value};

const TEXT: &[Type] = &[Type::String];
const TEXT2: &[Type] = &[Type::String, Type::String];
const TEXT3: &[Type] = &[Type::String, Type::String, Type::String];
const TEXT2_INT: &[Type] = &[Type::String, Type::String, Type::Int];

pub(super) const TABLE: &[Entry] = &[
    ("mustRegexFind", Func::fixed(TEXT2, must_find)),
    ("mustRegexFindAll", Func::fixed(TEXT2_INT, must_find_all)),
    ("mustRegexMatch", Func::fixed(TEXT2, must_match)),
    ("mustRegexReplaceAll", Func::fixed(TEXT3, must_replace)),
    (
        "mustRegexReplaceAllLiteral",
        Func::fixed(TEXT3, must_replace_literal),
    ),
    ("mustRegexSplit", Func::fixed(TEXT2_INT, must_split)),
    ("regexFind", Func::fixed(TEXT2, find)),
    ("regexFindAll", Func::fixed(TEXT2_INT, find_all)),
    ("regexMatch", Func::fixed(TEXT2, matches)),
    ("regexQuoteMeta", Func::fixed(TEXT, quoted_meta)),
    ("regexReplaceAll", Func::fixed(TEXT3, replace)),
    (
        "regexReplaceAllLiteral",
        Func::fixed(TEXT3, replace_literal),
    ),
    ("regexSplit", Func::fixed(TEXT2_INT, split)),
];

/// The pattern and the text; bytes that are not UTF-8 are matched as U+FFFD.
fn read<'a>(
    call: &mut Call<'_, '_>,
    args: &Args<'a>,
) -> Result<(Arc<Pattern>, Cow<'a, str>), PatternError> {
    let pattern = call.pattern(&args.string(0))?;
    Ok((pattern, String::from_utf8_lossy(args.text(1))))
}

/// The panic text of `regexp.MustCompile`.
fn panicked(args: &Args<'_>, outcome: Outcome) -> Outcome {
    outcome.map_err(|cause| -> Failure {
        if !cause.is::<PatternError>() {
            return cause;
        }
        let pattern = args.text(0);
        let shown = if can_backquote(pattern) {
            format!("`{}`", String::from_utf8_lossy(pattern))
        } else {
            quote_bytes(pattern)
        };
        format!("regexp: Compile({shown}): {cause}").into()
    })
}

fn must_match(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (pattern, text) = read(call, args)?;
    Ok(pattern.regex().is_match(&text).into())
}

fn matches(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(must_match(call, args).unwrap_or(Value::Bool(false)))
}

fn must_find(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (pattern, text) = read(call, args)?;
    let found = pattern.regex().find(&text);
    Ok(found.map_or("", |found| found.as_str()).into())
}

fn find(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let outcome = must_find(call, args);
    panicked(args, outcome)
}

fn must_find_all(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (pattern, text) = read(call, args)?;
    let limit = usize::try_from(args.int(2)).unwrap_or(usize::MAX);
    let found: Vec<&str> = pattern
        .regex()
        .find_iter(&text)
        .take(limit)
        .map(|found| found.as_str())
        .collect();
    if found.is_empty() {
        return Ok(Value::List(List::nil(&CompositeType::STRING_LIST)));
    }
    call.reserve(40 * found.len())?;
    Ok(Value::strings(found))
}

fn find_all(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let outcome = must_find_all(call, args);
    panicked(args, outcome)
}

/// Replaces all matches by what `fill` appends.
fn replaced(
    call: &mut Call<'_, '_>,
    args: &Args<'_>,
    fill: impl Fn(&Pattern, &sluice_golang::regexp::Captures<'_>, &mut Vec<u8>),
) -> Outcome {
    let (pattern, text) = read(call, args)?;
    let mut out = Vec::with_capacity(text.len());
    let mut end = 0;
    for captures in pattern.regex().captures_iter(&text) {
        let Some(found) = captures.get(0) else {
            continue;
        };
        out.extend_from_slice(&text.as_bytes()[end..found.start()]);
        fill(&pattern, &captures, &mut out);
        call.reserve(out.len())?;
        end = found.end();
    }
    if end == 0 && out.is_empty() {
        return Ok(args.value(1).clone());
    }
    out.extend_from_slice(&text.as_bytes()[end..]);
    Ok(Value::string(out))
}

fn must_replace(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let template = args.text(2);
    replaced(call, args, |pattern, captures, out| {
        pattern.expand(template, captures, out);
    })
}

fn replace(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let outcome = must_replace(call, args);
    panicked(args, outcome)
}

fn must_replace_literal(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(2);
    replaced(call, args, |_, _, out| out.extend_from_slice(text))
}

fn replace_literal(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let outcome = must_replace_literal(call, args);
    panicked(args, outcome)
}

fn must_split(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (pattern, text) = read(call, args)?;
    let count = args.int(2);
    if count == 0 {
        return Ok(Value::List(List::nil(&CompositeType::STRING_LIST)));
    }
    if !args.text(0).is_empty() && text.is_empty() {
        return Ok(Value::strings([""]));
    }
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for found in pattern.regex().find_iter(&text).take(limit) {
        if parts.len() + 1 == limit {
            break;
        }
        end = found.start();
        if found.end() != 0 {
            parts.push(&text[start..end]);
        }
        start = found.end();
    }
    if end != text.len() {
        parts.push(&text[start..]);
    }
    call.reserve(40 * parts.len())?;
    Ok(Value::strings(parts))
}

fn split(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let outcome = must_split(call, args);
    panicked(args, outcome)
}

fn quoted_meta(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::string(quote_meta(args.text(0))))
}
