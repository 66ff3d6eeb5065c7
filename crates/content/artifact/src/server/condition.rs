//! Decides which part of a file a request gets, by conditions and ranges (RFC 9110, sections 13 and
//! 14).

use http::{HeaderMap, HeaderName, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822::{DateTimeParser, DateTimePrinter};

/// The properties of a file that conditions refer to.
#[derive(Debug, Clone)]
pub(super) struct FileFacts {
    pub(super) size: u64,
    /// In whole seconds, like dates in headers.
    pub(super) modified: Timestamp,
    /// Quoted. `None` if the digest is unknown.
    pub(super) etag: Option<String>,
}

/// The part of the file to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selection {
    Whole,
    /// Both ends are inclusive.
    Part {
        start: u64,
        end: u64,
    },
    NotModified,
    Unsatisfiable,
}

impl FileFacts {
    pub(super) fn select(&self, headers: &HeaderMap) -> Selection {
        if self.unmodified(headers) {
            return Selection::NotModified;
        }
        match text(headers, &header::RANGE) {
            Some(range) if self.range_applies(headers) => self.part(range),
            _ => Selection::Whole,
        }
    }

    /// `If-None-Match` takes precedence over `If-Modified-Since`.
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

    /// Serves a single range. RFC 9110 permits to ignore several or invalid ones.
    fn part(&self, range: &str) -> Selection {
        let Some((first, last)) = range
            .strip_prefix("bytes=")
            .filter(|ranges| !ranges.contains(','))
            .and_then(|range| range.trim().split_once('-'))
        else {
            return Selection::Whole;
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
            None => Selection::Whole,
            Some((start, _)) if start >= self.size => Selection::Unsatisfiable,
            Some((start, end)) => Selection::Part { start, end },
        }
    }
}

/// Formats a date for a header.
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

    fn select(fields: &[(HeaderName, &str)]) -> Selection {
        let facts = FileFacts {
            size: 100,
            modified: Timestamp::from_second(1_000_000_000).unwrap(),
            etag: Some("\"sha256:aa\"".to_owned()),
        };
        let headers = fields
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect();
        facts.select(&headers)
    }

    #[test]
    fn single_range_returns_part() {
        let part = |start, end| Selection::Part { start, end };
        for (range, expected) in [
            ("bytes=0-9", part(0, 9)),
            ("bytes=90-", part(90, 99)),
            ("bytes=90-1000", part(90, 99)),
            ("bytes=-10", part(90, 99)),
            ("bytes=-1000", part(0, 99)),
            ("bytes=100-", Selection::Unsatisfiable),
            ("bytes=0-1,5-6", Selection::Whole),
            ("bytes=9-1", Selection::Whole),
            ("bytes=-", Selection::Whole),
            ("bytes=-0", Selection::Whole),
            ("bytes=+1-2", Selection::Whole),
            ("bytes=99999999999999999999-", Selection::Whole),
            ("lines=1-2", Selection::Whole),
        ] {
            assert_eq!(select(&[(header::RANGE, range)]), expected, "{range}");
        }
    }

    #[test]
    fn known_tag_or_date_is_not_modified() {
        for (name, value) in [
            (header::IF_NONE_MATCH, "\"sha256:aa\""),
            (header::IF_NONE_MATCH, "\"x\", W/\"sha256:aa\""),
            (header::IF_NONE_MATCH, "*"),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:40 GMT"),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:41 GMT"),
        ] {
            assert_eq!(select(&[(name, value)]), Selection::NotModified, "{value}");
        }
    }

    #[test]
    fn mismatching_tag_overrides_date() {
        let fields = [
            (header::IF_NONE_MATCH, "\"sha256:bb\""),
            (header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:41 GMT"),
        ];
        assert_eq!(select(&fields), Selection::Whole);
        assert_eq!(
            select(&[(header::IF_MODIFIED_SINCE, "Sun, 09 Sep 2001 01:46:39 GMT")]),
            Selection::Whole
        );
    }

    #[test]
    fn range_of_other_version_returns_whole_file() {
        let ranged = |value| select(&[(header::RANGE, "bytes=1-2"), (header::IF_RANGE, value)]);
        let part = Selection::Part { start: 1, end: 2 };
        assert_eq!(ranged("\"sha256:aa\""), part);
        assert_eq!(ranged("\"sha256:bb\""), Selection::Whole);
        assert_eq!(ranged("Sun, 09 Sep 2001 01:46:40 GMT"), part);
        assert_eq!(ranged("Sun, 09 Sep 2001 01:46:41 GMT"), Selection::Whole);
    }

    #[test]
    fn date_has_header_format() {
        let timestamp = Timestamp::from_second(1_000_000_000).unwrap();
        assert_eq!(date(timestamp), "Sun, 09 Sep 2001 01:46:40 GMT");
    }
}
