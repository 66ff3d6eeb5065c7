//! The five scalar styles: plain, single quoted, double quoted, literal and folded.

use super::{Scanner, TokenKind};
use crate::Error;
use crate::event::{Mark, ScalarStyle};

/// The treatment of line breaks at the end of a block scalar.
#[derive(PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// White space between two words of a flow scalar. It is dropped if the scalar ends after it.
#[derive(Default)]
struct Gap {
    blanks: Vec<u8>,
    first_break: Vec<u8>,
    more_breaks: Vec<u8>,
    /// The gap has a line break. Blanks after it are indentation.
    broken: bool,
}

impl Gap {
    /// Appends the gap: its blanks, or a folded line break.
    fn close(&mut self, out: &mut Vec<u8>) {
        if !self.broken {
            out.append(&mut self.blanks);
            return;
        }
        if self.first_break.first() == Some(&b'\n') {
            if self.more_breaks.is_empty() {
                out.push(b' ');
            }
        } else {
            out.append(&mut self.first_break);
        }
        out.append(&mut self.more_breaks);
        self.first_break.clear();
        self.blanks.clear();
        self.broken = false;
    }
}

/// Whether a character neither ends a plain scalar nor stands for another one.
fn is_inside_plain(byte: u8) -> bool {
    !matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b':' | b',' | b'?' | b'[' | b']' | b'{' | b'}'
    )
}

/// Whether a character neither ends a quoted scalar nor stands for another one.
fn is_inside_quotes(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\'' | b'"' | b'\\')
}

pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("scalars consist of whole characters")
}

impl Scanner<'_> {
    pub(super) fn fetch_block_scalar(&mut self, literal: bool) -> Result<(), Error> {
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        let start = self.mark;
        let (value, end) = self.scan_block_scalar(literal)?;
        let style = if literal {
            ScalarStyle::Literal
        } else {
            ScalarStyle::Folded
        };
        let kind = TokenKind::Scalar { value, style };
        self.tokens.push_back(super::Token { kind, start, end });
        Ok(())
    }

    pub(super) fn fetch_quoted_scalar(&mut self, single: bool) -> Result<(), Error> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark;
        let value = self.scan_quoted_scalar(single)?;
        let style = if single {
            ScalarStyle::SingleQuoted
        } else {
            ScalarStyle::DoubleQuoted
        };
        self.push(TokenKind::Scalar { value, style }, start);
        Ok(())
    }

    pub(super) fn fetch_plain_scalar(&mut self) -> Result<(), Error> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark;
        let (value, end) = self.scan_plain_scalar()?;
        let style = ScalarStyle::Plain;
        let kind = TokenKind::Scalar { value, style };
        self.tokens.push_back(super::Token { kind, start, end });
        Ok(())
    }

    /// Reads the characters after `|` or `>`: chomping and indentation, in any order.
    fn scan_block_header(&mut self, start: Mark) -> Result<(Chomping, usize), Error> {
        let mut chomping = None;
        let mut increment = None;
        loop {
            match self.byte(0) {
                sign @ (b'+' | b'-') if chomping.is_none() => {
                    chomping = Some(if sign == b'+' {
                        Chomping::Keep
                    } else {
                        Chomping::Strip
                    });
                }
                b'0' if increment.is_none() => {
                    return Err(self.error_here("found an indentation indicator equal to 0"));
                }
                digit @ b'1'..=b'9' if increment.is_none() => {
                    increment = Some(usize::from(digit - b'0'));
                }
                _ => break,
            }
            self.skip();
        }
        self.skip_blanks();
        if self.byte(0) == b'#' && !self.dialect.is_v2() {
            self.scan_line_comment(start);
        }
        self.end_line()?;
        Ok((chomping.unwrap_or(Chomping::Clip), increment.unwrap_or(0)))
    }

    fn scan_block_scalar(&mut self, literal: bool) -> Result<(String, Mark), Error> {
        let start = self.mark;
        self.skip();
        let (chomping, increment) = self.scan_block_header(start)?;
        let mut indent = match increment {
            0 => 0,
            _ => usize::try_from(self.indent).unwrap_or(0) + increment,
        };

        let mut out = Vec::new();
        let mut first_break = Vec::new();
        let mut more_breaks = Vec::new();
        let mut end = self.scan_block_breaks(start, &mut indent, &mut more_breaks)?;
        let mut after_blank = false;
        while self.mark.column == indent && !self.is_end() {
            // Lines that start with a blank keep the line breaks around them.
            let blank = self.is_blank(0);
            if !literal && !after_blank && !blank && first_break.first() == Some(&b'\n') {
                if more_breaks.is_empty() {
                    out.push(b' ');
                }
                first_break.clear();
            } else {
                out.append(&mut first_break);
            }
            out.append(&mut more_breaks);
            after_blank = blank;

            while !self.is_break_or_end(0) {
                out.extend_from_slice(self.take_run(|byte| !matches!(byte, b'\n' | b'\r')));
                if !self.is_break_or_end(0) {
                    self.read(&mut out);
                }
            }
            if !self.is_end() {
                self.read_line(&mut first_break);
            }
            end = self.scan_block_breaks(start, &mut indent, &mut more_breaks)?;
        }
        if chomping != Chomping::Strip {
            out.append(&mut first_break);
        }
        if chomping == Chomping::Keep {
            out.append(&mut more_breaks);
        }
        Ok((text(out), end))
    }

    /// Skips indentation and empty lines. An indentation of zero means unknown: the first line
    /// with content sets it.
    fn scan_block_breaks(
        &mut self,
        start: Mark,
        indent: &mut usize,
        breaks: &mut Vec<u8>,
    ) -> Result<Mark, Error> {
        let mut end = self.mark;
        let mut deepest = 0;
        loop {
            while (*indent == 0 || self.mark.column < *indent) && self.byte(0) == b' ' {
                self.skip();
            }
            deepest = deepest.max(self.mark.column);
            if (*indent == 0 || self.mark.column < *indent) && self.byte(0) == b'\t' {
                let problem = "found a tab character where an indentation space is expected";
                return Err(self.error_in(start, problem));
            }
            if !self.is_break(0) {
                break;
            }
            self.read_line(breaks);
            end = self.mark;
        }
        if *indent == 0 {
            let least = usize::try_from(self.indent + 1).unwrap_or(0);
            *indent = deepest.max(least).max(1);
        }
        Ok(end)
    }

    fn scan_quoted_scalar(&mut self, single: bool) -> Result<String, Error> {
        let quote = if single { b'\'' } else { b'"' };
        let start = self.mark;
        self.skip();
        let mut out = Vec::new();
        let mut gap = Gap::default();
        loop {
            if self.is_document_indicator() {
                return Err(self.error_in(start, "found unexpected document indicator"));
            }
            if self.is_end() {
                return Err(self.error_in(start, "found unexpected end of stream"));
            }

            while !self.is_blank_or_end(0) {
                if single && self.byte(0) == b'\'' && self.byte(1) == b'\'' {
                    out.push(b'\'');
                    self.skip();
                    self.skip();
                } else if self.byte(0) == quote {
                    break;
                } else if !single && self.byte(0) == b'\\' {
                    if self.is_break(1) {
                        // An escaped line break joins the lines without a space.
                        self.skip();
                        self.skip_line();
                        gap.broken = true;
                        break;
                    }
                    self.scan_escape(start, &mut out)?;
                } else {
                    self.read(&mut out);
                    out.extend_from_slice(self.take_run(is_inside_quotes));
                }
            }
            if self.byte(0) == quote {
                break;
            }

            let escaped = gap.broken;
            while self.is_blank(0) || self.is_break(0) {
                if self.is_blank(0) {
                    if gap.broken {
                        self.skip();
                    } else {
                        self.read(&mut gap.blanks);
                    }
                } else if gap.broken {
                    self.read_line(&mut gap.more_breaks);
                } else {
                    gap.blanks.clear();
                    self.read_line(&mut gap.first_break);
                    gap.broken = true;
                }
            }
            if escaped {
                // After an escaped line break, only further breaks count.
                out.append(&mut gap.more_breaks);
                gap = Gap::default();
            } else {
                gap.close(&mut out);
            }
        }
        self.skip();
        Ok(text(out))
    }

    fn scan_escape(&mut self, start: Mark, out: &mut Vec<u8>) -> Result<(), Error> {
        let character = match self.byte(1) {
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b't' | b'\t' => '\t',
            b'n' => '\n',
            b'v' => '\u{b}',
            b'f' => '\u{c}',
            b'r' => '\r',
            b'e' => '\u{1b}',
            b' ' => ' ',
            b'"' => '"',
            b'\'' => '\'',
            b'\\' => '\\',
            b'N' => '\u{85}',
            b'_' => '\u{a0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            b'x' => return self.scan_code(start, 2, out),
            b'u' => return self.scan_code(start, 4, out),
            b'U' => return self.scan_code(start, 8, out),
            _ => return Err(self.error_in(start, "found unknown escape character")),
        };
        self.skip();
        self.skip();
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn scan_code(&mut self, start: Mark, length: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.skip();
        self.skip();
        let mut code: u32 = 0;
        for ahead in 0..length {
            let digit = char::from(self.byte(ahead)).to_digit(16);
            let Some(digit) = digit else {
                // libyaml misspells the word, and users search for it.
                return Err(self.error_in(start, "did not find expected hexdecimal number"));
            };
            code = code << 4 | digit;
        }
        let Some(character) = char::from_u32(code) else {
            return Err(self.error_in(start, "found invalid Unicode character escape code"));
        };
        for _ in 0..length {
            self.skip();
        }
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn scan_plain_scalar(&mut self) -> Result<(String, Mark), Error> {
        let indent = usize::try_from(self.indent + 1).unwrap_or(0);
        let in_flow = self.flow_level() > 0;
        let mut out = Vec::new();
        let mut gap = Gap::default();
        let start = self.mark;
        let mut end = start;
        while !self.is_document_indicator() && self.byte(0) != b'#' {
            while !self.is_blank_or_end(0) && !self.ends_plain(in_flow) {
                gap.close(&mut out);
                self.read(&mut out);
                out.extend_from_slice(self.take_run(is_inside_plain));
                end = self.mark;
            }
            if !(self.is_blank(0) || self.is_break(0)) {
                break;
            }
            while self.is_blank(0) || self.is_break(0) {
                if self.is_blank(0) {
                    if !gap.broken {
                        self.read(&mut gap.blanks);
                    } else if self.mark.column < indent && self.byte(0) == b'\t' {
                        return Err(
                            self.error_in(start, "found a tab character that violates indentation")
                        );
                    } else {
                        self.skip();
                    }
                } else if gap.broken {
                    self.read_line(&mut gap.more_breaks);
                } else {
                    gap.blanks.clear();
                    self.read_line(&mut gap.first_break);
                    gap.broken = true;
                }
            }
            if !in_flow && self.mark.column < indent {
                break;
            }
        }
        if gap.broken {
            self.simple_key_allowed = true;
        }
        Ok((text(out), end))
    }

    /// Reports whether the current character ends a plain scalar.
    fn ends_plain(&self, in_flow: bool) -> bool {
        match self.byte(0) {
            b':' => self.is_blank_or_end(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => in_flow,
            _ => false,
        }
    }
}
