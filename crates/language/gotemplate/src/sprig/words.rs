//! Words: cases, abbreviations and wrapping, as the packages goutils and xstrings do them.

use sluice_golang::unicode::{
    is_letter, is_lower, is_number, is_punct, is_title, is_upper, to_lower, to_title, to_upper,
};

use super::Entry;
use super::strings::{find, runes};
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{Type, Value};

const TEXT: &[Type] = &[Type::String];
const INT_TEXT: &[Type] = &[Type::Int, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("abbrev", Func::fixed(INT_TEXT, abbrev)),
    (
        "abbrevboth",
        Func::fixed(&[Type::Int, Type::Int, Type::String], abbrev_both),
    ),
    ("camelcase", Func::fixed(TEXT, camel_case)),
    ("initials", Func::fixed(TEXT, initials)),
    ("kebabcase", Func::fixed(TEXT, kebab_case)),
    ("nospace", Func::fixed(TEXT, no_space)),
    ("snakecase", Func::fixed(TEXT, snake_case)),
    ("swapcase", Func::fixed(TEXT, swap_case)),
    ("untitle", Func::fixed(TEXT, untitle)),
    ("wrap", Func::fixed(INT_TEXT, wrap)),
    (
        "wrapWith",
        Func::fixed(&[Type::Int, Type::String, Type::String], wrap_with),
    ),
];

/// Cuts a text to a width with dots at one or both ends.
fn abbreviate(text: &[u8], offset: i64, width: i64) -> Vec<u8> {
    const DOTS: &[u8] = b"...";
    let length = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let part = |start: i64, end: i64| {
        let start = usize::try_from(start).unwrap_or(0);
        let end = usize::try_from(end).unwrap_or(0);
        text.get(start..end).unwrap_or_default()
    };
    if text.is_empty() || width < 4 {
        return Vec::new();
    }
    if length <= width {
        return text.to_vec();
    }
    let mut offset = offset.min(length);
    if length - offset < width - 3 {
        offset = length - (width - 3);
    }
    if offset <= 4 {
        return [part(0, width - 3), DOTS].concat();
    }
    if width < 7 {
        return Vec::new();
    }
    if offset + width - 3 < length {
        let end = abbreviate(part(offset, length), 0, width - 3);
        return [DOTS, &end].concat();
    }
    [DOTS, part(length - (width - 3), length)].concat()
}

fn abbrev(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if args.int(0) < 4 {
        return Ok(args.value(1).clone());
    }
    Ok(Value::string(abbreviate(args.text(1), 0, args.int(0))))
}

fn abbrev_both(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (left, right) = (args.int(0), args.int(1));
    if right < 4 || (left > 0 && right < 7) {
        return Ok(args.value(2).clone());
    }
    Ok(Value::string(abbreviate(args.text(2), left, right)))
}

/// Every byte as a character of its own, as goutils reads texts.
fn latin(byte: u8) -> char {
    char::from(byte)
}

fn initials(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = String::new();
    let mut is_gap = true;
    for next in args.text(0).iter().map(|byte| latin(*byte)) {
        if next.is_whitespace() {
            is_gap = true;
        } else if is_gap {
            out.push(next);
            is_gap = false;
        }
    }
    Ok(out.into())
}

fn no_space(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(0);
    if !text.iter().any(|byte| latin(*byte).is_whitespace()) {
        return Ok(args.value(0).clone());
    }
    let left = text.iter().map(|byte| latin(*byte));
    Ok(left
        .filter(|next| !next.is_whitespace())
        .collect::<String>()
        .into())
}

fn untitle(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = String::with_capacity(args.text(0).len());
    let mut is_next = true;
    for next in runes(args.text(0)) {
        if next.is_whitespace() {
            is_next = true;
            out.push(next);
        } else if is_next {
            out.push(to_lower(next));
            is_next = false;
        } else {
            out.push(next);
        }
    }
    Ok(out.into())
}

fn swap_case(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = String::with_capacity(args.text(0).len());
    let mut after_space = true;
    for next in runes(args.text(0)) {
        if is_upper(next) || is_title(next) {
            out.push(to_lower(next));
            after_space = false;
        } else if is_lower(next) {
            out.push(if after_space {
                to_title(next)
            } else {
                to_upper(next)
            });
            after_space = false;
        } else {
            out.push(next);
            after_space = next.is_whitespace();
        }
    }
    Ok(out.into())
}

/// Breaks a text into lines at spaces; long words only if asked for.
fn wrapped(call: &Call<'_, '_>, text: &[u8], width: i64, newline: &[u8], breaks: bool) -> Outcome {
    let width = usize::try_from(width.max(1)).unwrap_or(usize::MAX);
    let newline = if newline.is_empty() { b"\n" } else { newline };
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while rest.len() > width {
        if rest[0] == b' ' {
            rest = &rest[1..];
            continue;
        }
        call.reserve(out.len())?;
        let space = rest[..=width].iter().rposition(|byte| *byte == b' ');
        if let Some(space) = space {
            out.extend_from_slice(&rest[..space]);
            out.extend_from_slice(newline);
            rest = &rest[space + 1..];
        } else if breaks {
            out.extend_from_slice(&rest[..width]);
            out.extend_from_slice(newline);
            rest = &rest[width..];
        } else if let Some(space) = find(&rest[width..], b" ") {
            out.extend_from_slice(&rest[..width + space]);
            out.extend_from_slice(newline);
            rest = &rest[width + space + 1..];
        } else {
            break;
        }
    }
    out.extend_from_slice(rest);
    Ok(Value::string(out))
}

fn wrap(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    wrapped(call, args.text(1), args.int(0), b"", false)
}

fn wrap_with(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    wrapped(call, args.text(2), args.int(0), args.text(1), true)
}

fn is_connector(next: char) -> bool {
    next == '-' || next == '_' || next.is_whitespace()
}

/// `camelcase` begins with a capital, as `ToPascalCase` does.
fn camel_case(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = runes(args.text(0));
    let mut out = String::with_capacity(text.len());
    let start = text.iter().position(|next| !is_connector(*next));
    let Some(start) = start else {
        // The last connector comes twice, as in xstrings.
        let last = text.last().copied();
        return Ok(text.into_iter().chain(last).collect::<String>().into());
    };
    out.extend(&text[..start]);
    let mut is_first_upper = is_upper(text[start]);
    let mut current = to_upper(text[start]);
    for next in &text[start + 1..] {
        let before = current;
        current = *next;
        if is_connector(current) && is_connector(before) {
            out.push(before);
            continue;
        }
        if is_connector(before) {
            is_first_upper = is_upper(current);
            current = to_upper(current);
        } else {
            if is_first_upper {
                if is_upper(current) {
                    current = to_lower(current);
                } else {
                    is_first_upper = false;
                }
            }
            out.push(before);
        }
    }
    out.push(current);
    Ok(out.into())
}

/// The classes of words that xstrings distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Invalid,
    Number,
    Upper,
    Alphabet,
    Connector,
    Punctuation,
    Other,
}

fn is_alphabet(next: char) -> bool {
    if !is_letter(next) {
        return false;
    }
    // Chinese characters do not form words of an alphabet.
    !matches!(next,
        '\u{3400}'..='\u{4d85}' | '\u{4e00}'..='\u{9fcc}' | '\u{20000}'..='\u{2b81d}')
}

/// The first word, its class, and the rest.
fn next_word(text: &[char]) -> (Class, &[char], &[char]) {
    let Some(first) = text.first().copied() else {
        return (Class::Invalid, &[], &[]);
    };
    let run = |from: usize, belongs: &dyn Fn(char) -> bool| {
        let more = text[from..].iter().take_while(|next| belongs(**next));
        from + more.count()
    };
    let is_small = |next: char| is_alphabet(next) && !is_upper(next);
    let (class, length) = if is_connector(first) {
        (Class::Connector, run(1, &is_connector))
    } else if is_punct(first) {
        (Class::Punctuation, run(1, &is_punct))
    } else if is_upper(first) {
        let capitals = run(1, &is_upper);
        let length = if capitals > 1 {
            // The last capital belongs to the word behind it.
            let follows = text.get(capitals).is_some_and(|next| is_alphabet(*next));
            if follows { capitals - 1 } else { capitals }
        } else {
            run(1, &is_small)
        };
        (Class::Upper, length)
    } else if is_alphabet(first) {
        (Class::Alphabet, run(1, &is_small))
    } else if is_number(first) {
        (Class::Number, run(1, &is_number))
    } else {
        let belongs = |next: char| {
            !is_connector(next) && !is_alphabet(next) && !is_number(next) && !is_punct(next)
        };
        (Class::Other, run(1, &belongs))
    };
    let (word, rest) = text.split_at(length);
    (class, word, rest)
}

fn push_lower(out: &mut String, class: Class, word: &[char], connector: char) {
    if class != Class::Upper && class != Class::Connector {
        out.extend(word);
        return;
    }
    for next in word {
        out.push(if is_connector(*next) {
            connector
        } else if is_upper(*next) {
            to_lower(*next)
        } else {
            *next
        });
    }
}

fn joined(text: &[u8], connector: char) -> Value {
    let text = runes(text);
    let mut out = String::with_capacity(text.len() + 8);
    let is_wordlike = |class: Class| matches!(class, Class::Alphabet | Class::Number);
    let is_bound = |class: Class| matches!(class, Class::Connector | Class::Punctuation);
    let (mut class, mut word, mut rest) = next_word(&text);
    while !rest.is_empty() {
        if class != Class::Connector {
            push_lower(&mut out, class, word, connector);
        }
        let (before, last) = (class, word);
        (class, word, rest) = next_word(rest);
        match before {
            Class::Number => {
                while is_wordlike(class) {
                    push_lower(&mut out, class, word, connector);
                    (class, word, rest) = next_word(rest);
                }
                if class != Class::Invalid && !is_bound(class) {
                    out.push(connector);
                }
            }
            Class::Connector => push_lower(&mut out, before, last, connector),
            Class::Punctuation => {}
            _ if class != Class::Number => {
                if !is_bound(class) {
                    out.push(connector);
                }
            }
            _ if rest.is_empty() => {}
            _ => {
                let number = word;
                (class, word, rest) = next_word(rest);
                if class != Class::Alphabet {
                    push_lower(&mut out, Class::Number, number, connector);
                    if !is_bound(class) {
                        out.push(connector);
                    }
                    continue;
                }
                out.push(connector);
                push_lower(&mut out, Class::Number, number, connector);
                while is_wordlike(class) {
                    push_lower(&mut out, class, word, connector);
                    (class, word, rest) = next_word(rest);
                }
                if class != Class::Invalid && !is_bound(class) {
                    out.push(connector);
                }
            }
        }
    }
    push_lower(&mut out, class, word, connector);
    out.into()
}

fn snake_case(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(joined(args.text(0), '_'))
}

fn kebab_case(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(joined(args.text(0), '-'))
}
