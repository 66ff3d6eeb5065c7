//! Parses `WWW-Authenticate` headers.

use http::{HeaderMap, header};

/// An authentication challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Challenge {
    /// User and password in each request.
    Basic,
    /// A token of a token service.
    Bearer {
        realm: String,
        service: Option<String>,
        scope: Option<String>,
    },
}

/// Returns the first supported challenge.
pub(crate) fn find(headers: &HeaderMap) -> Option<Challenge> {
    headers
        .get_all(header::WWW_AUTHENTICATE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(parse)
        .find_map(|(scheme, parameters)| {
            let parameter = |name: &str| {
                parameters
                    .iter()
                    .find(|(key, _)| key.eq_ignore_ascii_case(name))
                    .map(|(_, value)| value.clone())
            };
            if scheme.eq_ignore_ascii_case("bearer") {
                Some(Challenge::Bearer {
                    realm: parameter("realm")?,
                    service: parameter("service"),
                    scope: parameter("scope"),
                })
            } else if scheme.eq_ignore_ascii_case("basic") {
                Some(Challenge::Basic)
            } else {
                None
            }
        })
}

type Parameters = Vec<(String, String)>;

/// Splits a header into schemes and their parameters.
fn parse(value: &str) -> Vec<(String, Parameters)> {
    let mut found: Vec<(String, Parameters)> = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let (word, after) = token(rest);
        if word.is_empty() {
            return found;
        }
        let trimmed = after.trim_start();
        match (trimmed.strip_prefix('='), found.last_mut()) {
            (Some(text), Some((_, parameters))) => {
                let (text, after) = quoted_or_token(text.trim_start());
                parameters.push((word.to_owned(), text));
                rest = after;
            }
            // A parameter without a scheme.
            (Some(_), None) => return found,
            (None, _) => {
                found.push((word.to_owned(), Vec::new()));
                rest = after;
            }
        }
    }
}

fn token(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| character.is_whitespace() || matches!(character, ',' | '=' | '"'))
        .unwrap_or(text.len());
    text.split_at(end)
}

fn quoted_or_token(text: &str) -> (String, &str) {
    let Some(inner) = text.strip_prefix('"') else {
        let (word, rest) = token(text);
        return (word.to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = inner.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '"' => return (value, &inner[index + 1..]),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn found(values: &[&str]) -> Option<Challenge> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_str(value).unwrap(),
            );
        }
        find(&headers)
    }

    #[test]
    fn first_supported_challenge_is_used() {
        let bearer = |realm: &str, service: Option<&str>, scope: Option<&str>| {
            Some(Challenge::Bearer {
                realm: realm.to_owned(),
                service: service.map(str::to_owned),
                scope: scope.map(str::to_owned),
            })
        };
        for (values, expected) in [
            (&[r#"Basic realm="x""#][..], Some(Challenge::Basic)),
            (
                &[r#"Bearer realm="https://a/t",service="s",scope="repository:a:pull""#],
                bearer("https://a/t", Some("s"), Some("repository:a:pull")),
            ),
            (
                &[r#"bearer  realm = "https://a/t" , service=s"#],
                bearer("https://a/t", Some("s"), None),
            ),
            (&["Negotiate", r#"Basic realm="x""#], Some(Challenge::Basic)),
            (
                &[r#"Negotiate abc, Bearer realm="https://a/\"t""#],
                bearer("https://a/\"t", None, None),
            ),
            (&["Bearer"], None),
            (&[r#"Bearer service="s""#], None),
            (&[r#"realm="x""#], None),
            (&[""], None),
            (
                &[r#"Bearer realm="unterminated"#],
                bearer("unterminated", None, None),
            ),
        ] {
            assert_eq!(found(values), expected, "{values:?}");
        }
    }
}
