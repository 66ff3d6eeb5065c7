//! Strings; positions count bytes, as in Go.

use sluice_golang::quote::quote_bytes;
use sluice_golang::unicode;

use super::{Entry, strval};
use crate::fmt;
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Type, Value};

const ANY: &[Type] = &[Type::Any];
const TEXT: &[Type] = &[Type::String];
const TEXT2: &[Type] = &[Type::String, Type::String];
const TEXT3: &[Type] = &[Type::String, Type::String, Type::String];
const INT_TEXT: &[Type] = &[Type::Int, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("cat", Func::variadic(ANY, cat)),
    ("contains", Func::fixed(TEXT2, contains)),
    ("hasPrefix", Func::fixed(TEXT2, has_prefix)),
    ("hasSuffix", Func::fixed(TEXT2, has_suffix)),
    ("hello", Func::fixed(&[], hello)),
    ("indent", Func::fixed(INT_TEXT, indent)),
    ("lower", Func::fixed(TEXT, lower)),
    ("nindent", Func::fixed(INT_TEXT, nindent)),
    (
        "plural",
        Func::fixed(&[Type::String, Type::String, Type::Int], plural),
    ),
    ("quote", Func::variadic(ANY, quote)),
    ("repeat", Func::fixed(INT_TEXT, repeat)),
    ("replace", Func::fixed(TEXT3, replace)),
    ("squote", Func::variadic(ANY, squote)),
    (
        "substr",
        Func::fixed(&[Type::Int, Type::Int, Type::String], substr),
    ),
    ("title", Func::fixed(TEXT, title)),
    ("toString", Func::fixed(ANY, to_string)),
    ("trim", Func::fixed(TEXT, trim)),
    ("trimAll", Func::fixed(TEXT2, trim_all)),
    ("trimPrefix", Func::fixed(TEXT2, trim_prefix)),
    ("trimSuffix", Func::fixed(TEXT2, trim_suffix)),
    ("trimall", Func::fixed(TEXT2, trim_all)),
    ("trunc", Func::fixed(INT_TEXT, trunc)),
    ("upper", Func::fixed(TEXT, upper)),
];

/// Finds a part in a text.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let Some((first, rest)) = part.split_first() else {
        return Some(0);
    };
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| byte == first) {
        let found = from + at;
        if text[found + 1..].starts_with(rest) {
            return Some(found);
        }
        from = found + 1;
    }
    None
}

/// The bytes of the first character; an invalid byte stands alone.
pub(super) fn rune_width(text: &[u8]) -> usize {
    let head = &text[..text.len().min(4)];
    let valid = head
        .utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().next());
    valid.map_or(1, char::len_utf8).min(text.len())
}

/// The characters of a text, U+FFFD for each invalid byte.
pub(super) fn runes(text: &[u8]) -> Vec<char> {
    let mut runes = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        runes.extend(chunk.valid().chars());
        runes.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    runes
}

fn map_runes(text: &[u8], map: impl Fn(char) -> char) -> Value {
    Value::string(runes(text).into_iter().map(map).collect::<String>())
}

fn hello(_: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
    Ok("Hello!".into())
}

fn lower(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(0);
    if text.is_ascii() {
        return Ok(Value::string(text.to_ascii_lowercase()));
    }
    Ok(map_runes(text, unicode::to_lower))
}

fn upper(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(0);
    if text.is_ascii() {
        return Ok(Value::string(text.to_ascii_uppercase()));
    }
    Ok(map_runes(text, unicode::to_upper))
}

fn title(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut before = ' ';
    let mut out = String::with_capacity(args.text(0).len());
    for next in runes(args.text(0)) {
        let is_separator = if before.is_ascii() {
            !before.is_ascii_alphanumeric() && before != '_'
        } else {
            !unicode::is_letter(before) && !unicode::is_digit(before) && before.is_whitespace()
        };
        out.push(if is_separator {
            unicode::to_title(next)
        } else {
            next
        });
        before = next;
    }
    Ok(out.into())
}

fn trim(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(0);
    Ok(match std::str::from_utf8(text) {
        Ok(text) => text.trim().into(),
        Err(_) => Value::string(text.trim_ascii()),
    })
}

fn trim_all(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (cut, text) = (runes(args.text(0)), args.text(1));
    let Ok(valid) = std::str::from_utf8(text) else {
        // Each byte for itself, which is right for a set of ASCII characters.
        let is_cut = |byte: &u8| byte.is_ascii() && cut.contains(&char::from(*byte));
        let start = text
            .iter()
            .position(|byte| !is_cut(byte))
            .unwrap_or(text.len());
        let end = text
            .iter()
            .rposition(|byte| !is_cut(byte))
            .map_or(start, |at| at + 1);
        return Ok(Value::string(&text[start..end]));
    };
    Ok(valid.trim_matches(|next| cut.contains(&next)).into())
}

fn trim_prefix(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(1);
    Ok(Value::string(
        text.strip_prefix(args.text(0)).unwrap_or(text),
    ))
}

fn trim_suffix(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(1);
    Ok(Value::string(
        text.strip_suffix(args.text(0)).unwrap_or(text),
    ))
}

fn contains(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(find(args.text(1), args.text(0)).is_some().into())
}

fn has_prefix(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.text(1).starts_with(args.text(0)).into())
}

fn has_suffix(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.text(1).ends_with(args.text(0)).into())
}

fn trunc(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (count, text) = (args.int(0), args.text(1));
    let length = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if length >= text.len() {
        return Ok(args.value(1).clone());
    }
    Ok(Value::string(if count < 0 {
        &text[text.len() - length..]
    } else {
        &text[..length]
    }))
}

fn substr(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (start, end, text) = (args.int(0), args.int(1), args.text(2));
    let length = text.len();
    let out_of_range = |bounds: String| -> Failure {
        format!("runtime error: slice bounds out of range {bounds}").into()
    };
    let last = usize::try_from(end).ok().filter(|end| *end <= length);
    let Ok(first) = usize::try_from(start) else {
        let bounds = if end < 0 {
            format!("[:{end}]")
        } else {
            format!("[:{end}] with length {length}")
        };
        let last = last.ok_or_else(|| out_of_range(bounds))?;
        return Ok(Value::string(&text[..last]));
    };
    let is_open = last.is_none();
    let last = last.unwrap_or(length);
    if first > last {
        let end = if is_open { length } else { last };
        return Err(out_of_range(format!("[{first}:{end}]")));
    }
    Ok(Value::string(&text[first..last]))
}

/// A text a number of times; a negative number is a panic in Go.
fn repeated(call: &Call<'_, '_>, text: &[u8], count: i64) -> Result<Vec<u8>, Failure> {
    let count = usize::try_from(count).map_err(|_| "strings: negative Repeat count")?;
    call.reserve(text.len().saturating_mul(count))?;
    Ok(text.repeat(count))
}

fn repeat(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::string(repeated(call, args.text(1), args.int(0))?))
}

/// Puts spaces before each line.
fn indented(call: &Call<'_, '_>, args: &Args<'_>, before: &[u8]) -> Outcome {
    let text = args.text(1);
    let padding = repeated(call, b" ", args.int(0))?;
    let lines = 1 + text
        .iter()
        .filter(|byte| **byte == b'\n')
        .map(|_| 1_usize)
        .sum::<usize>();
    let bytes = text
        .len()
        .saturating_add(padding.len().saturating_mul(lines));
    call.reserve(bytes)?;
    let mut out = Vec::with_capacity(bytes + before.len());
    out.extend_from_slice(before);
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(&padding);
        out.extend_from_slice(line);
    }
    Ok(Value::string(out))
}

fn indent(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    indented(call, args, b"")
}

fn nindent(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    indented(call, args, b"\n")
}

fn replace(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (old, new, text) = (args.text(0), args.text(1), args.text(2));
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    if old.is_empty() {
        // Before each character and at the end.
        call.reserve(
            new.len()
                .saturating_mul(text.len() + 1)
                .saturating_add(text.len()),
        )?;
        while !rest.is_empty() {
            let (rune, after) = rest.split_at(rune_width(rest));
            out.extend_from_slice(new);
            out.extend_from_slice(rune);
            rest = after;
        }
        out.extend_from_slice(new);
        return Ok(Value::string(out));
    }
    while let Some(at) = find(rest, old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        call.reserve(out.len())?;
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    Ok(Value::string(out))
}

fn plural(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let chosen = usize::from(args.int(2) != 1);
    Ok(args.value(chosen).clone())
}

fn to_string(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(strval(args.value(0)).into())
}

fn present<'a>(args: &Args<'a>) -> impl Iterator<Item = &'a Value> + use<'a> {
    let values = args.rest(0).iter();
    values.filter(|value| !matches!(value, Value::Nil))
}

fn quote(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let quoted: Vec<String> = present(args)
        .map(|value| quote_bytes(&strval(value)))
        .collect();
    Ok(quoted.join(" ").into())
}

fn squote(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = Vec::new();
    for value in present(args) {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.push(b'\'');
        fmt::print_into(std::slice::from_ref(value), &mut out, call.value_limit())?;
        out.push(b'\'');
    }
    Ok(Value::string(out))
}

fn cat(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = Vec::new();
    for (index, value) in present(args).enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        fmt::print_into(std::slice::from_ref(value), &mut out, call.value_limit())?;
    }
    Ok(Value::string(out))
}
