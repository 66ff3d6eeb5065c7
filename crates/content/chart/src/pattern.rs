//! Patterns of file names: Go's `filepath.Match` and the globs of `.Files.Glob`.

use regex::bytes::Regex;

/// A malformed pattern, in Go's words.
pub(crate) const BAD_PATTERN: &str = "syntax error in pattern";

/// A pattern of Go's `filepath.Match` as a regular expression.
pub(crate) fn compile_match(pattern: &str) -> Result<Regex, &'static str> {
    let mut out = String::from("(?s-u)^");
    let mut chars = pattern.chars().peekable();
    while let Some(next) = chars.next() {
        match next {
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("(?u:[^/])"),
            '\\' => push_literal(&mut out, chars.next().ok_or(BAD_PATTERN)?),
            '[' => {
                out.push_str("(?u:[");
                if chars.next_if_eq(&'^').is_some() {
                    // A negated class of Go matches no separator.
                    out.push_str("^/");
                }
                let mut is_empty = true;
                while is_empty || chars.peek() != Some(&']') {
                    let low = class_char(&mut chars)?;
                    let high = match chars.next_if_eq(&'-') {
                        Some(_) => class_char(&mut chars)?,
                        None => low,
                    };
                    is_empty = false;
                    // Nothing is within a range that runs backwards.
                    if low <= high {
                        push_class(&mut out, low);
                        out.push('-');
                        push_class(&mut out, high);
                    }
                }
                chars.next();
                out.push_str("])");
            }
            other => push_literal(&mut out, other),
        }
    }
    out.push('$');
    Regex::new(&out).map_err(|_| BAD_PATTERN)
}

fn class_char(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<char, &'static str> {
    match chars.next() {
        None | Some('-' | ']') => Err(BAD_PATTERN),
        Some('\\') => chars.next().ok_or(BAD_PATTERN),
        Some(other) => Ok(other),
    }
}

fn push_literal(out: &mut String, next: char) {
    out.push_str(&regex::escape(next.encode_utf8(&mut [0; 4])));
}

fn push_class(out: &mut String, next: char) {
    // A character of a class by its number, which has no other meaning there.
    let escaped = format!("\\x{{{:x}}}", u32::from(next));
    out.push_str(&escaped);
}

/// A pattern of `.Files.Glob`, where only `**` goes beyond a `/`. A malformed one is `**`.
pub(crate) fn compile_glob(pattern: &str) -> Option<Regex> {
    let mut out = String::from("(?s-u)^");
    let mut chars = pattern.chars().peekable();
    let mut groups = 0_usize;
    while let Some(next) = chars.next() {
        match next {
            '*' if chars.next_if_eq(&'*').is_some() => {
                while chars.next_if_eq(&'*').is_some() {}
                out.push_str(".*");
            }
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("(?u:[^/])"),
            '\\' => push_literal(&mut out, chars.next()?),
            '{' => {
                groups += 1;
                out.push_str("(?:");
            }
            '}' if groups > 0 => {
                groups -= 1;
                out.push(')');
            }
            ',' if groups > 0 => out.push('|'),
            '[' => {
                out.push_str("(?u:[");
                if chars.next_if(|next| matches!(next, '!' | '^')).is_some() {
                    out.push('^');
                }
                loop {
                    let next = match chars.next()? {
                        ']' => break,
                        '\\' => chars.next()?,
                        '-' => {
                            out.push('-');
                            continue;
                        }
                        other => other,
                    };
                    push_class(&mut out, next);
                }
                out.push_str("])");
            }
            other => push_literal(&mut out, other),
        }
    }
    if groups > 0 {
        return None;
    }
    out.push('$');
    Regex::new(&out).ok()
}

#[cfg(test)]
mod tests {
    use super::{compile_glob, compile_match};

    #[test]
    fn match_follows_go() {
        // From the table of Go's path/filepath tests.
        for (pattern, name, expected) in [
            ("abc", "abc", Ok(true)),
            ("*c", "abc", Ok(true)),
            ("a*", "ab/c", Ok(false)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("ab[c]", "abc", Ok(true)),
            ("ab[^c]", "abc", Ok(false)),
            ("ab[^b-d]", "abc", Ok(false)),
            ("a\\*b", "a*b", Ok(true)),
            ("a???b", "a☺☺☺b", Ok(true)),
            ("[a-ζ]*", "α", Ok(true)),
            ("a?b", "a/b", Ok(false)),
            ("[\\]a]", "]", Ok(true)),
            ("[]a]", "]", Err("syntax error in pattern")),
            ("[-]", "-", Err("syntax error in pattern")),
            ("a[", "a", Err("syntax error in pattern")),
        ] {
            let found = compile_match(pattern).map(|compiled| compiled.is_match(name.as_bytes()));
            assert_eq!(found, expected, "{pattern} {name}");
        }
    }

    #[test]
    fn glob_crosses_folders_by_two_stars_only() {
        let is_match = |pattern: &str, name: &str| {
            compile_glob(pattern).is_none_or(|pattern| pattern.is_match(name.as_bytes()))
        };
        assert!(is_match("files/*.txt", "files/a.txt"));
        assert!(!is_match("files/*", "files/sub/a.txt"));
        assert!(is_match("files/**", "files/sub/a.txt"));
        assert!(is_match("{a,b}/[!x]?.y", "b/cd.y"));
        assert!(is_match("[", "anything"));
    }
}
