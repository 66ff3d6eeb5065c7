//! Paths with slashes; those of the system are the same on Unix.

use super::Entry;
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{Type, Value};

const TEXT: &[Type] = &[Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("base", Func::fixed(TEXT, base)),
    ("clean", Func::fixed(TEXT, clean)),
    ("dir", Func::fixed(TEXT, dir)),
    ("ext", Func::fixed(TEXT, ext)),
    ("isAbs", Func::fixed(TEXT, is_abs)),
    ("osBase", Func::fixed(TEXT, base)),
    ("osClean", Func::fixed(TEXT, clean)),
    ("osDir", Func::fixed(TEXT, dir)),
    ("osExt", Func::fixed(TEXT, ext)),
    ("osIsAbs", Func::fixed(TEXT, is_abs)),
];

/// The shortest path that means the same.
fn cleaned(path: &[u8]) -> Vec<u8> {
    let is_rooted = path.first() == Some(&b'/');
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => match parts.last() {
                Some(last) if *last != b".." => {
                    parts.pop();
                }
                _ if is_rooted => {}
                _ => parts.push(part),
            },
            _ => parts.push(part),
        }
    }
    let mut out = if is_rooted { vec![b'/'] } else { Vec::new() };
    out.extend_from_slice(&parts.join(&b'/'));
    if out.is_empty() {
        out.push(b'.');
    }
    out
}

fn clean(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::string(cleaned(args.text(0))))
}

fn after_slash(path: &[u8]) -> usize {
    path.iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1)
}

fn base(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let path = args.text(0);
    if path.is_empty() {
        return Ok(".".into());
    }
    let end = path
        .iter()
        .rposition(|byte| *byte != b'/')
        .map_or(0, |at| at + 1);
    let path = &path[..end];
    let last = &path[after_slash(path)..];
    Ok(Value::string(if last.is_empty() { b"/" } else { last }))
}

fn dir(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let path = args.text(0);
    Ok(Value::string(cleaned(&path[..after_slash(path)])))
}

fn ext(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let path = args.text(0);
    let last = &path[after_slash(path)..];
    let dot = last.iter().rposition(|byte| *byte == b'.');
    Ok(Value::string(dot.map_or(&[][..], |at| &last[at..])))
}

fn is_abs(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok((args.text(0).first() == Some(&b'/')).into())
}
