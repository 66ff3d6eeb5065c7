//! Conditions and ranges of a request, weighed against the file: a pure decision (RFC 9110,
//! sections 13 and 14).

use http::{HeaderMap, HeaderName, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822::{DateTimeParser, DateTimePrinter};

/// What is known of a file.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) size: u64,
    /// In whole seconds, which is all that a header can say.
    pub(super) modified: Timestamp,
    /// Quoted; `None` while the digest is not known.
    pub(super) etag: Option<String>,
}

/// What to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Whole,
    /// Both ends belong to it.
    Part {
        start: u64,
        end: u64,
    },
    NotModified,
    Unsatisfiable,
}

impl Facts {
    pub(super) fn answer(&self, headers: &HeaderMap) -> Answer {
        if self.unmodified(headers) {
            return Answer::NotModified;
        }
        match text(headers, &header::RANGE) {
            Some(range) if self.range_applies(headers) => self.part(range),
            _ => Answer::Whole,
        }
    }

    /// `If-None-Match` silences `If-Modified-Since`.
    fn unmodified(&self, headers: &HeaderMap) -> bool {
        if let Some(tags) = text(headers, &header::IF_NONE_MATCH) {
            return tags.split(',').map(str::trim).any(|tag| {
                tag == "*" || self.etag.as_deref() == Some(tag.strip_prefix("W/").unwrap_or(tag))
            });
        }
        text(headers, &header::IF_MODIFIED_SINCE)
            .and_then(parse_date)
            .is_some_and(|since| self.modified <= since)
    }

    fn range_applies(&self, headers: &HeaderMap) -> bool {
        match text(headers, &header::IF_RANGE) {
            None => true,
            Some(tag) if tag.starts_with('"') => self.etag.as_deref() == Some(tag),
            Some(date) => parse_date(date) == Some(self.modified),
        }
    }

    /// One range is served. Several, or one that is not understood, may be ignored, and are.
    fn part(&self, range: &str) -> Answer {
        let Some((first, last)) = range
            .strip_prefix("bytes=")
            .filter(|ranges| !ranges.contains(','))
            .and_then(|range| range.trim().split_once('-'))
        else {
            return Answer::Whole;
        };
        let bounds = match (first, last) {
            ("", "") => None,
            ("", suffix) => number(suffix)
                .map(|suffix| {
                    (
                        self.size.saturating_sub(suffix),
                        self.size.saturating_sub(1),
                    )
                })
                .filter(|_| suffix != "0"),
            (first, "") => number(first).map(|first| (first, self.size.saturating_sub(1))),
            (first, last) => match (number(first), number(last)) {
                (Some(first), Some(last)) if first <= last => {
                    Some((first, last.min(self.size.saturating_sub(1))))
                }
                _ => None,
            },
        };
        match bounds {
            None => Answer::Whole,
            Some((start, _)) if start >= self.size => Answer::Unsatisfiable,
            Some((start, end)) => Answer::Part { start, end },
        }
    }
}

/// A date as headers carry it.
pub(super) fn date(timestamp: Timestamp) -> String {
    DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&timestamp)
        .unwrap_or_default()
}

fn parse_date(text: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(text).ok()
}

fn number(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(fields: &[(HeaderName, &str)]) -> Answer {
        let facts = Facts {
            size: 100,
            modified: Timestamp::from_second(1_000_000_000).unwrap(),
            etag: Some("\"sha256:aa\"".to_owned()),
        };
        let headers = fields
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect();
        facts.answer(&headers)
    }

    #[test]
    fn one_range_gives_its_part() {
        let part = |start, end| Answer::Part { start, end };
        for (range, expected) in [
            ("bytes=0-9", part(0, 9)),
            ("bytes=90-", part(90, 99)),
            ("bytes=90-1000", part(90, 99)),
            ("bytes=-10", part(90, 99)),
            ("bytes=-1000", part(0, 99)),
            ("bytes=100-", Answer::Unsatisfiable),
            ("bytes=0-1,5-6", Answer::Whole),
            ("bytes=9-1", Answer::Whole),
            ("bytes=-", Answer::Whole),
            ("bytes=-0", Answer::Whole),
            ("bytes=+1-2", Answer::Whole),
            ("bytes=99999999999999999999-", Answer::Whole),
            ("lines=1-2", Answer::Whole),
        ] {
            assert_eq!(answer(&[(header::RANGE, range)]), expected, "{range}");
        }
    }

    #[test]
    fn a_known_tag_or_date_is_not_modified() {
        for (name, value) in [
            (header::IF_NONE_MATCH, "\"sha256:aa\""),
            (header::IF_NONE_MATCH, "\"x\", W/\"sha256:aa\""),
            (header::IF_NONE_MATCH, "*"),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:40 GMT"),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:41 GMT"),
        ] {
            assert_eq!(answer(&[(name, value)]), Answer::NotModified, "{value}");
        }
    }

    #[test]
    fn another_tag_silences_the_date() {
        let fields = [
            (header::IF_NONE_MATCH, "\"sha256:bb\""),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:41 GMT"),
        ];
        assert_eq!(answer(&fields), Answer::Whole);
        assert_eq!(
            answer(&[(header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:39 GMT")]),
            Answer::Whole
        );
    }

    #[test]
    fn a_range_of_another_version_gives_the_whole() {
        let ranged = |value| answer(&[(header::RANGE, "bytes=1-2"), (header::IF_RANGE, value)]);
        let part = Answer::Part { start: 1, end: 2 };
        assert_eq!(ranged("\"sha256:aa\""), part);
        assert_eq!(ranged("\"sha256:bb\""), Answer::Whole);
        assert_eq!(ranged("Sun, 09 Sep 2001 01:46:40 GMT"), part);
        assert_eq!(ranged("Sun, 09 Sep 2001 01:46:41 GMT"), Answer::Whole);
    }

    #[test]
    fn a_date_is_written_as_headers_want_it() {
        let timestamp = Timestamp::from_second(1_000_000_000).unwrap();
        assert_eq!(date(timestamp), "Sun, 09 Sep 2001 01:46:40 GMT");
    }
}
