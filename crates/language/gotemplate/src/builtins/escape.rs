//! `html`, `js` and `urlquery`.

use sluice_golang::unicode::is_print;

use crate::fmt;
use crate::value::func::{Args, Call, Failure, Outcome};
use crate::value::{GoString, Value};

/// The arguments as one text.
fn text(call: &mut Call<'_, '_>, args: &Args<'_>) -> Result<GoString, Failure> {
    if let [Value::String(text)] = args.rest(0) {
        return Ok(text.clone());
    }
    let limit = call.value_limit();
    let mut out = Vec::new();
    if let [value] = args.rest(0) {
        fmt::printable(value, &mut out, limit)?;
    } else {
        let printable = |value: &Value| match value {
            Value::Nil => Value::string("<no value>"),
            value => value.clone(),
        };
        let values: Vec<Value> = args.rest(0).iter().map(printable).collect();
        fmt::print_into(&values, &mut out, limit)?;
    }
    Ok(out.into())
}

pub(super) fn html(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = text(call, args)?;
    let mut out = Vec::with_capacity(text.len());
    for byte in text.iter() {
        match byte {
            0 => out.extend_from_slice("\u{fffd}".as_bytes()),
            b'"' => out.extend_from_slice(b"&#34;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            _ => out.push(*byte),
        }
    }
    Ok(Value::string(out))
}

pub(super) fn js(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = text(call, args)?;
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for next in chunk.valid().chars() {
            match next {
                '\\' => out.extend_from_slice(b"\\\\"),
                '\'' => out.extend_from_slice(b"\\'"),
                '"' => out.extend_from_slice(b"\\\""),
                '<' | '>' | '&' | '=' | '\0'..' ' => {
                    let code = format!("\\u{:04X}", u32::from(next));
                    out.extend_from_slice(code.as_bytes());
                }
                next if next.is_ascii() || is_print(next) => {
                    out.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
                }
                next => {
                    let code = format!("\\u{:04X}", u32::from(next));
                    out.extend_from_slice(code.as_bytes());
                }
            }
        }
        // U+FFFD is printable, so that Go writes an invalid byte as it is.
        out.extend_from_slice(chunk.invalid());
    }
    Ok(Value::string(out))
}

pub(super) fn url_query(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = text(call, args)?;
    let mut out = Vec::with_capacity(text.len());
    for byte in text.iter() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(*byte),
            b' ' => out.push(b'+'),
            _ => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    Ok(Value::string(out))
}
