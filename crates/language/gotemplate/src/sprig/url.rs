//! URLs, as the package `net/url` reads and prints them.

use std::net::Ipv6Addr;

use sluice_golang::quote::quote_bytes;

use super::strings::find;
use super::{Entry, nil_dereference};
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Kind, Map, Type, Value};

pub(super) const TABLE: &[Entry] = &[
    ("urlJoin", Func::fixed(&[Type::Map], url_join)),
    ("urlParse", Func::fixed(&[Type::String], url_parse)),
];

/// The parts of a URL, unescaped.
#[derive(Default)]
struct Url {
    scheme: Vec<u8>,
    opaque: Vec<u8>,
    user: Option<(Vec<u8>, Option<Vec<u8>>)>,
    host: Vec<u8>,
    path: Vec<u8>,
    /// The path as written, if the usual escapes do not give it.
    raw_path: Vec<u8>,
    query: Vec<u8>,
    fragment: Vec<u8>,
}

/// The parts of a URL that checks of its form need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlParts {
    /// The scheme; empty if the URL is relative.
    pub scheme: Vec<u8>,
    /// The host with brackets and port.
    pub host: Vec<u8>,
    /// The host without brackets and port.
    pub host_name: Vec<u8>,
    /// The path as written, if it has escapes that Go would not write. Otherwise empty.
    pub raw_path: Vec<u8>,
}

/// Reads a URL as the function `Parse` of Go does. The error has its words.
pub fn parse_url(text: &[u8]) -> Result<UrlParts, String> {
    let url = parse(text).map_err(|cause| cause.to_string())?;
    Ok(UrlParts {
        host_name: host_name(&url.host).to_vec(),
        scheme: url.scheme,
        host: url.host,
        raw_path: url.raw_path,
    })
}

/// Replaces the escapes in a part of a path. The error has the words of Go.
pub fn unescape_path(text: &[u8]) -> Result<Vec<u8>, String> {
    unescape(text, Part::Path).map_err(|cause| cause.to_string())
}

/// The part of a URL that a text is in; it decides which signs are escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    User,
    Host,
    Zone,
    Path,
    Fragment,
}

fn is_plain(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        return true;
    }
    let signs: &[u8] = match part {
        Part::User => b"$&+,;=",
        Part::Host | Part::Zone => b"!\"$&'()*+,;=:[]<>",
        Part::Path => b"$&+,/:;=@",
        Part::Fragment => b"!()*$&+,/:;=?@",
    };
    signs.contains(&byte)
}

fn escape(text: &[u8], part: Part) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        if is_plain(*byte, part) {
            out.push(*byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    out
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    Some(digit(*digits.first()?)? << 4 | digit(*digits.get(1)?)?)
}

fn unescape(text: &[u8], part: Part) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if *byte != b'%' {
            let is_host = matches!(part, Part::Host | Part::Zone);
            if is_host && byte.is_ascii() && !is_plain(*byte, part) {
                let sign = quote_bytes(&[*byte]);
                return Err(format!("invalid character {sign} in host name").into());
            }
            out.push(*byte);
            at += 1;
            continue;
        }
        let shown = &text[at..text.len().min(at + 3)];
        let invalid = || -> Failure { format!("invalid URL escape {}", quote_bytes(shown)).into() };
        let code = shown.get(1..).and_then(hexadecimal).ok_or_else(invalid)?;
        let is_refused = match part {
            Part::Host => code < 0x80 && shown != b"%25",
            Part::Zone => shown != b"%25" && code != b' ' && !is_plain(code, Part::Host),
            _ => false,
        };
        if is_refused {
            return Err(invalid());
        }
        out.push(code);
        at += 3;
    }
    Ok(out)
}

fn cut(text: &[u8], sign: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == sign) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

fn parse(text: &[u8]) -> Result<Url, Failure> {
    let (main, fragment) = cut(text, b'#');
    let wrap = |shown: &[u8], cause: Failure| -> Failure {
        format!("parse {}: {cause}", quote_bytes(shown)).into()
    };
    let mut url = parse_main(main).map_err(|cause| wrap(main, cause))?;
    let fragment = unescape(fragment.unwrap_or_default(), Part::Fragment);
    url.fragment = fragment.map_err(|cause| wrap(text, cause))?;
    Ok(url)
}

fn parse_main(text: &[u8]) -> Result<Url, Failure> {
    if text.iter().any(|byte| *byte < b' ' || *byte == 0x7f) {
        return Err("net/url: invalid control character in URL".into());
    }
    let mut url = Url::default();
    if text == b"*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (rest, query) = cut(rest, b'?');
    url.query = query.unwrap_or_default().to_vec();
    let has_scheme = !scheme.is_empty();
    if !rest.starts_with(b"/") {
        if has_scheme {
            url.opaque = rest.to_vec();
            return Ok(url);
        }
        if cut(rest, b'/').0.contains(&b':') {
            return Err("first path segment in URL cannot contain colon".into());
        }
    }
    let mut path = rest;
    if (has_scheme || !rest.starts_with(b"///"))
        && let Some(authority) = rest.strip_prefix(b"//")
    {
        let end = authority.iter().position(|byte| *byte == b'/');
        let (authority, after) = authority.split_at(end.unwrap_or(authority.len()));
        path = after;
        parse_authority(&mut url, authority)?;
    }
    url.path = unescape(path, Part::Path)?;
    if escape(&url.path, Part::Path) != path {
        url.raw_path = path.to_vec();
    }
    Ok(url)
}

fn split_scheme(text: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".into()),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok((b"", text))
}

fn parse_authority(url: &mut Url, authority: &[u8]) -> Result<(), Failure> {
    let at = authority.iter().rposition(|byte| *byte == b'@');
    let Some(at) = at else {
        url.host = parse_host(&url.scheme, authority)?;
        return Ok(());
    };
    url.host = parse_host(&url.scheme, &authority[at + 1..])?;
    let user = &authority[..at];
    let is_valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
    if !user.iter().all(is_valid) {
        return Err("net/url: invalid userinfo".into());
    }
    let (name, password) = cut(user, b':');
    let name = unescape(name, Part::User)?;
    let password = password
        .map(|password| unescape(password, Part::User))
        .transpose()?;
    url.user = Some((name, password));
    Ok(())
}

fn is_port(text: &[u8]) -> bool {
    match text.split_first() {
        None => true,
        Some((b':', digits)) => digits.iter().all(u8::is_ascii_digit),
        Some(_) => false,
    }
}

fn check_port(text: &[u8]) -> Result<(), Failure> {
    if is_port(text) {
        return Ok(());
    }
    Err(format!("invalid port {} after host", quote_bytes(text)).into())
}

fn parse_host(scheme: &[u8], host: &[u8]) -> Result<Vec<u8>, Failure> {
    match host.iter().rposition(|byte| *byte == b'[') {
        Some(0) => return parse_literal(host),
        Some(_) => return Err("invalid IP-literal".into()),
        None => {}
    }
    let first = host.iter().position(|byte| *byte == b':');
    let last = host.iter().rposition(|byte| *byte == b':');
    if let (Some(first), Some(last)) = (first, last) {
        // Only web addresses may not have several colons.
        let is_strict = matches!(scheme, b"http" | b"https");
        check_port(&host[if is_strict { first } else { last }..])?;
    }
    unescape(host, Part::Host)
}

/// An IPv6 address in brackets.
fn parse_literal(host: &[u8]) -> Result<Vec<u8>, Failure> {
    let end = host
        .iter()
        .rposition(|byte| *byte == b']')
        .ok_or("missing ']' in host")?;
    let (inside, port) = (&host[1..end], &host[end + 1..]);
    check_port(port)?;
    let port = unescape(port, Part::Host)?;
    let name = match find(inside, b"%25") {
        Some(zone) => {
            let mut name = unescape(&inside[..zone], Part::Host)?;
            name.extend(unescape(&inside[zone..], Part::Zone)?);
            name
        }
        None => unescape(inside, Part::Host)?,
    };
    let text = String::from_utf8_lossy(&name);
    let address = text.split('%').next().unwrap_or_default();
    if !address.contains(':') && address.parse::<std::net::Ipv4Addr>().is_ok() {
        return Err("invalid IP-literal".into());
    }
    if address.parse::<Ipv6Addr>().is_err() {
        let shown = quote_bytes(&name);
        return Err(format!("invalid host: ParseAddr({shown}): unable to parse IP").into());
    }
    Ok([b"[", name.as_slice(), b"]", port.as_slice()].concat())
}

fn user_text(user: &(Vec<u8>, Option<Vec<u8>>)) -> Vec<u8> {
    let mut out = escape(&user.0, Part::User);
    if let Some(password) = &user.1 {
        out.push(b':');
        out.extend(escape(password, Part::User));
    }
    out
}

/// The host without its port and brackets.
fn host_name(host: &[u8]) -> &[u8] {
    let mut name = host;
    if let Some(colon) = host.iter().rposition(|byte| *byte == b':')
        && is_port(&host[colon..])
    {
        name = &host[..colon];
    }
    let inside = name
        .strip_prefix(b"[")
        .and_then(|name| name.strip_suffix(b"]"));
    inside.unwrap_or(name)
}

fn url_parse(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let url = parse(args.text(0)).map_err(|cause| format!("unable to parse url: {cause}"))?;
    let user = url.user.as_ref().map(user_text).unwrap_or_default();
    let map = Map::new();
    map.set("scheme", Value::string(url.scheme));
    map.set("hostname", Value::string(host_name(&url.host)));
    map.set("host", Value::string(url.host));
    map.set("path", Value::string(url.path));
    map.set("query", Value::string(url.query));
    map.set("opaque", Value::string(url.opaque));
    map.set("fragment", Value::string(url.fragment));
    map.set("userinfo", Value::string(user));
    Ok(map.into())
}

/// A string of the map; an empty one where the key is missing.
fn member(map: &Map, key: &str) -> Result<Vec<u8>, Failure> {
    match map.get(key.as_bytes()) {
        None => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(text.to_vec()),
        Some(Value::Nil) => Err(nil_dereference()),
        Some(other) => {
            let kind: Kind = other.kind();
            let kind = kind.name();
            let message =
                format!("unable to parse {key} key, must be of type string, but {kind} found");
            Err(message.into())
        }
    }
}

fn url_join(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let map = args.map(0);
    let url = Url {
        scheme: member(&map, "scheme")?,
        host: member(&map, "host")?,
        path: member(&map, "path")?,
        query: member(&map, "query")?,
        opaque: member(&map, "opaque")?,
        fragment: member(&map, "fragment")?,
        ..Url::default()
    };
    let info = member(&map, "userinfo")?;
    let mut user = None;
    if !info.is_empty() {
        let text = [b"proto://", info.as_slice(), b"@host"].concat();
        let parsed =
            parse(&text).map_err(|cause| format!("unable to parse userinfo in dict: {cause}"))?;
        user = parsed.user;
    }
    Ok(Value::string(printed(&Url { user, ..url })))
}

fn printed(url: &Url) -> Vec<u8> {
    let mut out = Vec::new();
    if !url.scheme.is_empty() {
        out.extend_from_slice(&url.scheme);
        out.push(b':');
    }
    if url.opaque.is_empty() {
        let has_host = !url.host.is_empty() || url.user.is_some();
        if has_host || (!url.scheme.is_empty() && !url.path.is_empty()) {
            out.extend_from_slice(b"//");
        }
        if let Some(user) = &url.user {
            out.extend(user_text(user));
            out.push(b'@');
        }
        out.extend(escape(&url.host, Part::Host));
        let path = if url.path == b"*" {
            url.path.clone()
        } else {
            escape(&url.path, Part::Path)
        };
        if path.first().is_some_and(|first| *first != b'/') && !url.host.is_empty() {
            out.push(b'/');
        }
        // A colon in the first part would look like the end of a scheme.
        if out.is_empty() && cut(&path, b'/').0.contains(&b':') {
            out.extend_from_slice(b"./");
        }
        out.extend(path);
    } else {
        out.extend_from_slice(&url.opaque);
    }
    if !url.query.is_empty() {
        out.push(b'?');
        out.extend_from_slice(&url.query);
    }
    if !url.fragment.is_empty() {
        out.push(b'#');
        out.extend(escape(&url.fragment, Part::Fragment));
    }
    out
}
