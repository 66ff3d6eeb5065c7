//! Anchors, aliases, tags and directives.

use super::{Scanner, TokenKind};
use crate::Error;
use crate::event::Mark;
use crate::json::decode_lossy;

/// Maximum number of digits of a number in `%YAML`.
const MAX_VERSION_DIGITS: usize = 2;

impl Scanner<'_> {
    pub(super) fn fetch_anchor(&mut self, alias: bool) -> Result<(), Error> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark;
        self.skip();
        let name = self.read_word();
        let ends = matches!(
            self.byte(0),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
        if name.is_empty() || !(ends || self.is_blank_or_end(0)) {
            return Err(self.error_here("did not find expected alphabetic or numeric character"));
        }
        let kind = if alias {
            TokenKind::Alias(name)
        } else {
            TokenKind::Anchor(name)
        };
        self.push(kind, start);
        Ok(())
    }

    fn read_word(&mut self) -> String {
        let mut word = Vec::new();
        while self.is_word() {
            self.read(&mut word);
        }
        decode_lossy(word)
    }

    pub(super) fn fetch_tag(&mut self) -> Result<(), Error> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark;
        let (handle, suffix) = self.scan_tag()?;
        if !self.is_blank_or_end(0) {
            return Err(self.error_here("did not find expected whitespace or line break"));
        }
        self.push(TokenKind::Tag { handle, suffix }, start);
        Ok(())
    }

    fn scan_tag(&mut self) -> Result<(String, String), Error> {
        // `!<verbatim>`
        if self.byte(1) == b'<' {
            self.skip();
            self.skip();
            let suffix = self.scan_uri("")?;
            if self.byte(0) != b'>' {
                return Err(self.error_here("did not find the expected '>'"));
            }
            self.skip();
            return Ok((String::new(), suffix));
        }
        let handle = self.scan_tag_handle(false)?;
        if handle.len() > 1 && handle.ends_with('!') {
            // `!handle!suffix`
            let suffix = self.scan_uri("")?;
            return Ok((handle, suffix));
        }
        // `!suffix`, or a lone `!`, which counts as a suffix without a handle.
        let suffix = self.scan_uri(&handle)?;
        Ok(if suffix.is_empty() {
            (suffix, "!".to_owned())
        } else {
            ("!".to_owned(), suffix)
        })
    }

    fn scan_tag_handle(&mut self, directive: bool) -> Result<String, Error> {
        if self.byte(0) != b'!' {
            return Err(self.error_here("did not find expected '!'"));
        }
        self.skip();
        let mut handle = format!("!{}", self.read_word());
        if self.byte(0) == b'!' {
            self.skip();
            handle.push('!');
        } else if directive && handle != "!" {
            return Err(self.error_here("did not find expected '!'"));
        }
        Ok(handle)
    }

    /// Reads the characters of a URI. A text that turned out not to be a handle is its start,
    /// without the `!`.
    fn scan_uri(&mut self, head: &str) -> Result<String, Error> {
        let mut uri: Vec<u8> = head.bytes().skip(1).collect();
        let mut found = !head.is_empty();
        loop {
            match self.byte(0) {
                b'%' => self.scan_uri_escape(&mut uri)?,
                b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b',' | b'.'
                | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' | b'[' | b']' => self.read(&mut uri),
                _ if self.is_word() => self.read(&mut uri),
                _ => break,
            }
            found = true;
        }
        if !found {
            return Err(self.error_here("did not find expected tag URI"));
        }
        Ok(decode_lossy(uri))
    }

    /// Reads the `%xx` escapes of one character.
    fn scan_uri_escape(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut remaining = None;
        while remaining != Some(0) {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let octet = match (self.byte(0), digit(self.byte(1)), digit(self.byte(2))) {
                (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low),
                _ => return Err(self.error_here("did not find URI escaped octet")),
            };
            let octet = octet.expect("two hexadecimal digits form a byte");
            remaining = Some(match remaining {
                None => match octet {
                    ..0x80 => 0,
                    0xc0..0xe0 => 1,
                    0xe0..0xf0 => 2,
                    0xf0..0xf8 => 3,
                    _ => return Err(self.error_here("found an incorrect leading UTF-8 octet")),
                },
                Some(_) if octet & 0xc0 != 0x80 => {
                    return Err(self.error_here("found an incorrect trailing UTF-8 octet"));
                }
                Some(count) => count - 1,
            });
            out.push(octet);
            for _ in 0..3 {
                self.skip();
            }
        }
        Ok(())
    }

    pub(super) fn fetch_directive(&mut self) -> Result<(), Error> {
        self.unroll_indent(-1, self.mark);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark;
        self.skip();
        let name = self.read_word();
        if name.is_empty() {
            return Err(self.error_here("could not find expected directive name"));
        }
        if !self.is_blank_or_end(0) {
            return Err(self.error_here("found unexpected non-alphabetical character"));
        }
        let kind = match name.as_str() {
            "YAML" => self.scan_version()?,
            "TAG" => self.scan_tag_directive()?,
            _ => return Err(self.error_here("found unknown directive name")),
        };
        let end = self.mark;
        self.end_line()?;
        self.push_ended(kind, start, end);
        Ok(())
    }

    fn push_ended(&mut self, kind: TokenKind, start: Mark, end: Mark) {
        self.tokens.push_back(super::Token { kind, start, end });
    }

    /// Skips blanks, a comment and the line break. Anything else is an error.
    pub(super) fn end_line(&mut self) -> Result<(), Error> {
        self.skip_blanks();
        self.skip_comment();
        if !self.is_break_or_end(0) {
            return Err(self.error_here("did not find expected comment or line break"));
        }
        self.skip_line();
        Ok(())
    }

    fn scan_version(&mut self) -> Result<TokenKind, Error> {
        self.skip_blanks();
        let major = self.scan_version_number()?;
        if self.byte(0) != b'.' {
            return Err(self.error_here("did not find expected digit or '.' character"));
        }
        self.skip();
        let minor = self.scan_version_number()?;
        Ok(TokenKind::VersionDirective { major, minor })
    }

    fn scan_version_number(&mut self) -> Result<u8, Error> {
        let mut value = 0;
        let mut length = 0;
        while self.byte(0).is_ascii_digit() {
            length += 1;
            if length > MAX_VERSION_DIGITS {
                return Err(self.error_here("found extremely long version number"));
            }
            value = value * 10 + (self.byte(0) - b'0');
            self.skip();
        }
        if length == 0 {
            return Err(self.error_here("did not find expected version number"));
        }
        Ok(value)
    }

    fn scan_tag_directive(&mut self) -> Result<TokenKind, Error> {
        self.skip_blanks();
        let handle = self.scan_tag_handle(true)?;
        if !self.is_blank(0) {
            return Err(self.error_here("did not find expected whitespace"));
        }
        self.skip_blanks();
        let prefix = self.scan_uri("")?;
        if !self.is_blank_or_end(0) {
            return Err(self.error_here("did not find expected whitespace or line break"));
        }
        Ok(TokenKind::TagDirective { handle, prefix })
    }
}
