//! Types of scalars: YAML 1.1 as go-yaml implements it. Version 3 has fewer words for booleans and
//! adds the octal numbers of YAML 1.2.

use sluice_golang::number::{parse_float, parse_int, parse_uint};

use super::timestamp::is_timestamp;
use crate::{Dialect, Error, ErrorKind};

/// The scalar types that a tag can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Str,
    Bool,
    Int,
    Float,
    Null,
    Timestamp,
}

/// The prefix of YAML's own tags.
const PREFIX: &str = "tag:yaml.org,2002:";

impl Tag {
    fn named(tag: &str) -> Option<Self> {
        Some(match tag.strip_prefix(PREFIX)? {
            "str" => Self::Str,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "null" => Self::Null,
            "timestamp" => Self::Timestamp,
            _ => return None,
        })
    }

    fn short(self) -> &'static str {
        match self {
            Self::Str => "!!str",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Null => "!!null",
            Self::Timestamp => "!!timestamp",
        }
    }
}

/// A scalar with its type. A string borrows no text: it is the scalar's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ResolvedScalar {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond 63 bits.
    Uint(u64),
    Float(f64),
    Str,
    /// Text that is not a plain string, so the writer has to quote it.
    Timestamp,
    /// Base64 text.
    Binary,
}

impl ResolvedScalar {
    fn tag(self) -> Tag {
        match self {
            Self::Null => Tag::Null,
            Self::Bool(_) => Tag::Bool,
            Self::Int(_) | Self::Uint(_) => Tag::Int,
            Self::Float(_) => Tag::Float,
            Self::Timestamp => Tag::Timestamp,
            Self::Str | Self::Binary => Tag::Str,
        }
    }
}

/// Resolves a plain scalar without a tag.
pub(crate) fn resolve_plain(dialect: Dialect, text: &str) -> ResolvedScalar {
    untyped(dialect, text, true)
}

/// Resolves a scalar with a tag. Go ignores a tag that is not one of YAML's scalar types: the
/// scalar is a string.
pub(super) fn resolve_tagged(
    dialect: Dialect,
    tag: &str,
    text: &str,
) -> Result<ResolvedScalar, Error> {
    let Some(wanted) = Tag::named(tag) else {
        let binary = tag.strip_prefix(PREFIX) == Some("binary");
        return Ok(if binary {
            ResolvedScalar::Binary
        } else {
            ResolvedScalar::Str
        });
    };
    if wanted == Tag::Str {
        return Ok(ResolvedScalar::Str);
    }
    let found = untyped(dialect, text, wanted == Tag::Timestamp);
    #[expect(
        clippy::cast_precision_loss,
        reason = "an integer tagged as a float becomes the nearest float"
    )]
    match found {
        _ if found.tag() == wanted => Ok(found),
        ResolvedScalar::Int(integer) if wanted == Tag::Float => {
            Ok(ResolvedScalar::Float(integer as f64))
        }
        _ => {
            let (found, wanted) = (found.tag().short(), wanted.short());
            let problem = format!("cannot decode {found} `{text}` as a {wanted}");
            Err(Error::yaml(ErrorKind::Value, 0, problem))
        }
    }
}

fn untyped(dialect: Dialect, text: &str, timestamps: bool) -> ResolvedScalar {
    match text.as_bytes().first() {
        None => ResolvedScalar::Null,
        Some(b'+' | b'-' | b'0'..=b'9') => word(dialect, text).unwrap_or_else(|| {
            if timestamps && is_timestamp(text) {
                return ResolvedScalar::Timestamp;
            }
            numeral(dialect, text).unwrap_or(ResolvedScalar::Str)
        }),
        Some(b'.') => word(dialect, text)
            .or_else(|| parse_float(text).map(ResolvedScalar::Float))
            .unwrap_or(ResolvedScalar::Str),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            word(dialect, text).unwrap_or(ResolvedScalar::Str)
        }
        Some(_) => ResolvedScalar::Str,
    }
}

fn word(dialect: Dialect, text: &str) -> Option<ResolvedScalar> {
    Some(match text {
        "true" | "True" | "TRUE" => ResolvedScalar::Bool(true),
        "false" | "False" | "FALSE" => ResolvedScalar::Bool(false),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if dialect.is_v2() => {
            ResolvedScalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" if dialect.is_v2() => {
            ResolvedScalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => ResolvedScalar::Null,
        ".nan" | ".NaN" | ".NAN" => ResolvedScalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            ResolvedScalar::Float(f64::INFINITY)
        }
        "-.inf" | "-.Inf" | "-.INF" => ResolvedScalar::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// Parses a number. Separators are dropped anywhere; then Go's integer syntax with prefixes
/// applies, then float syntax.
fn numeral(dialect: Dialect, text: &str) -> Option<ResolvedScalar> {
    let plain = if text.contains('_') {
        &text.replace('_', "")
    } else {
        text
    };
    if let Some(integer) = parse_int(plain, 0) {
        return Some(ResolvedScalar::Int(integer));
    }
    if let Some(integer) = parse_uint(plain, 0) {
        return Some(ResolvedScalar::Uint(integer));
    }
    if is_float(plain) {
        return parse_float(plain).map(ResolvedScalar::Float);
    }
    // go-yaml parses the digits after a prefix on their own, which allows a sign there: `0b-1`.
    let prefixed = |prefix: &str, base| {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let integer = parse_int(digits, base).map(ResolvedScalar::Int);
            return integer.or_else(|| parse_uint(digits, base).map(ResolvedScalar::Uint));
        }
        let digits = plain.strip_prefix('-')?.strip_prefix(prefix)?;
        parse_int(&format!("-{digits}"), base).map(ResolvedScalar::Int)
    };
    prefixed("0b", 2).or_else(|| {
        let octal = !dialect.is_v2();
        octal.then(|| prefixed("0o", 8)).flatten()
    })
}

/// Reports whether a text matches `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
fn is_float(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let whole = digits(text);
    let mut rest = &text[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        fraction = digits(after);
        rest = &after[fraction..];
    }
    if whole == 0 && fraction == 0 {
        return false;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

/// Reports whether a text is a number in base 60:
/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`. go-yaml reads it as text, but quotes it because
/// other readers do not.
pub(crate) fn is_base_60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|b| b == b'_' || b.is_ascii_digit()) {
        return false;
    }
    let mut groups = text.split(':');
    let whole = groups.next().unwrap_or_default();
    let mut count = 0;
    for group in groups {
        count += 1;
        if !matches!(group.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']) {
            return false;
        }
    }
    count > 0 && whole.bytes().all(|b| b == b'_' || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{ResolvedScalar, is_base_60};
    use crate::Dialect;

    fn resolve_plain(text: &str) -> ResolvedScalar {
        super::resolve_plain(Dialect::V2, text)
    }

    fn resolve_tagged(tag: &str, text: &str) -> Result<ResolvedScalar, crate::Error> {
        super::resolve_tagged(Dialect::V2, tag, text)
    }

    #[test]
    fn plain_scalars_follow_yaml_1_1_as_in_go() {
        use ResolvedScalar::{Bool, Float, Int, Null, Str, Timestamp, Uint};
        for (text, resolved) in [
            ("", Null),
            ("~", Null),
            ("Null", Null),
            ("nULL", Str),
            ("y", Bool(true)),
            ("ON", Bool(true)),
            ("No", Bool(false)),
            ("oN", Str),
            ("yess", Str),
            ("0", Int(0)),
            ("-0", Int(0)),
            ("+12", Int(12)),
            ("017", Int(15)),
            ("0o17", Int(15)),
            ("0x1F", Int(31)),
            ("-0b11", Int(-3)),
            ("0b-1", Int(-1)),
            ("-0b-1", Str),
            ("1_000", Int(1000)),
            ("_1", Str),
            ("1__", Int(1)),
            ("08", Float(8.0)),
            ("0xg", Str),
            ("9223372036854775808", Uint(1 << 63)),
            ("18446744073709551616", Float(18_446_744_073_709_551_616.0)),
            ("1.", Float(1.0)),
            (".5", Float(0.5)),
            ("-.5e-3", Float(-0.0005)),
            ("1e3", Float(1000.0)),
            ("1e999", Str),
            ("1e", Str),
            (".", Str),
            ("..5", Str),
            ("-.inf", Float(f64::NEG_INFINITY)),
            ("+.Inf", Float(f64::INFINITY)),
            (".iNF", Str),
            ("12:30", Str),
            ("190:20:30", Str),
            ("2001-01-01", Timestamp),
            ("2001-01-01x", Str),
            ("<<", Str),
            ("=", Str),
            ("infinity", Str),
            ("+inf", Str),
            ("0x1p4", Str),
            ("1.5.2", Str),
            ("é", Str),
        ] {
            assert_eq!(resolve_plain(text), resolved, "{text:?}");
        }
        assert!(matches!(resolve_plain(".NaN"), Float(nan) if nan.is_nan()));
    }

    #[test]
    fn v3_has_fewer_booleans_and_more_octal_numbers() {
        for (text, resolved) in [
            ("yes", ResolvedScalar::Str),
            ("y", ResolvedScalar::Str),
            ("ON", ResolvedScalar::Str),
            ("off", ResolvedScalar::Str),
            ("True", ResolvedScalar::Bool(true)),
            ("FALSE", ResolvedScalar::Bool(false)),
            ("~", ResolvedScalar::Null),
            ("017", ResolvedScalar::Int(15)),
            ("0o17", ResolvedScalar::Int(15)),
            ("0o-7", ResolvedScalar::Int(-7)),
            ("0b-1", ResolvedScalar::Int(-1)),
            ("2001-01-01", ResolvedScalar::Timestamp),
        ] {
            assert_eq!(super::resolve_plain(Dialect::V3, text), resolved, "{text}");
        }
        assert_eq!(resolve_plain("0o-7"), ResolvedScalar::Str);
    }

    #[test]
    fn tag_selects_or_contradicts_the_type() {
        let tagged = |tag: &str, text| resolve_tagged(&format!("tag:yaml.org,2002:{tag}"), text);
        assert_eq!(tagged("str", "12"), Ok(ResolvedScalar::Str));
        assert_eq!(tagged("float", "12"), Ok(ResolvedScalar::Float(12.0)));
        assert_eq!(tagged("int", "12"), Ok(ResolvedScalar::Int(12)));
        assert_eq!(tagged("binary", "YQ=="), Ok(ResolvedScalar::Binary));
        assert_eq!(tagged("map", "12"), Ok(ResolvedScalar::Str));
        assert_eq!(resolve_tagged("!mine", "12"), Ok(ResolvedScalar::Str));
        assert_eq!(
            tagged("int", "abc").unwrap_err().to_string(),
            "yaml: cannot decode !!str `abc` as a !!int"
        );
        assert_eq!(
            tagged("bool", "1.5").unwrap_err().to_string(),
            "yaml: cannot decode !!float `1.5` as a !!bool"
        );
    }

    #[test]
    fn base_60_numbers_are_recognized() {
        for text in ["12:30", "1:2:3", "+1:59", "-190:20:30.15", "1_0:0", "1:0."] {
            assert!(is_base_60(text), "{text}");
        }
        for text in [
            "12", "12:60", "12:300", "a:1", ":1", "1:", "1:2x", "1.5:2", "", "_1:2",
        ] {
            assert!(!is_base_60(text), "{text}");
        }
    }
}
