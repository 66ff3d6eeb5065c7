//! Assignment of comments to tokens, by the rules of go-yaml v3.
//!
//! The scanner finds comments between tokens and stores each with the position of its token. The
//! parser takes a comment when it reaches that position. Empty lines and the column decide whether
//! a comment belongs to the next token or to the last one. As in go-yaml, some positions here count
//! columns from one. After the first line of a comment, the line is one too low.
//!
//! Parity: go-yaml: the comment functions of scannerc.go.

use super::{Scanner, TokenKind};
use crate::event::Mark;

/// Maximum distance of go-yaml's search for the next comment.
const DISTANCE: usize = 512;

/// A comment that the parser has not taken.
#[derive(Debug, Default)]
pub(crate) struct Comment {
    /// Start of the search that found the comment.
    scan: Mark,
    /// Position of the token to which the comment belongs.
    pub(crate) token: Mark,
    start: Mark,
    end: Mark,
    pub(crate) head: String,
    pub(crate) line: String,
    pub(crate) foot: String,
}

/// A comment whose lines are being read.
struct OpenComment {
    scan: Mark,
    /// Position of the token that has it as a foot comment.
    token: Mark,
    start: Mark,
    text: Vec<u8>,
}

fn signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}

impl Scanner<'_> {
    pub(crate) fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    /// Takes the next comment that belongs to a token at or before this position.
    pub(crate) fn take_comment(&mut self, token: Mark, is_end: bool) -> Option<Comment> {
        let comment = self.comments.front()?;
        // An end token has no head comment, which waits for the next token.
        if token.index < comment.token.index || (is_end && !comment.head.is_empty()) {
            return None;
        }
        self.comments.pop_front()
    }

    /// Reads the comment at the end of the line, if any.
    pub(super) fn scan_line_comment(&mut self, token: Mark) {
        if self.newlines > 0 {
            return;
        }
        let blanks = (0..DISTANCE).take_while(|ahead| self.is_blank(*ahead));
        let ahead = blanks.count();
        if ahead == DISTANCE || self.byte(ahead) != b'#' {
            return;
        }
        for _ in 0..ahead {
            self.skip();
        }
        let start = self.mark;
        let mut text = Vec::new();
        while !self.is_break_or_end(0) {
            self.read(&mut text);
        }
        self.comments.push_back(Comment {
            token,
            start,
            line: super::scalar::text(text),
            ..Comment::default()
        });
    }

    /// Turns the line comment after the first `-` of a sequence into the head comment of the
    /// first item.
    pub(super) fn turn_line_comment_into_head(&mut self) {
        let count = self.tokens.len();
        let Some(comment) = self.comments.back_mut() else {
            return;
        };
        if comment.line.is_empty()
            || count < 2
            || self.tokens[count - 2].kind != TokenKind::BlockSequenceStart
            || self.tokens[count - 1].kind != TokenKind::BlockEntry
        {
            return;
        }
        comment.head = std::mem::take(&mut comment.line);
        if comment.start.line + 1 == self.mark.line {
            comment.token = self.mark;
        }
    }

    /// Reads the comments on the lines from here on, with empty lines.
    pub(super) fn scan_comments(&mut self, scan: Mark) {
        let last = self.token_before_comments();
        let after_colon = self.tokens[last].kind == TokenKind::Value;
        let mut open = OpenComment {
            scan,
            token: self.tokens[last].start,
            start: Mark::default(),
            text: Vec::new(),
        };
        let indent = self.indent.max(0);
        let in_flow = self.flow_level() > 0;

        let foot_line = self.foot_line(scan);
        let mut first_empty = self.newlines <= 1;
        let mut recent_empty = false;
        let mut line = self.mark.line;
        let mut column = self.mark.column;
        let mut ahead = 0;
        while ahead < DISTANCE {
            column += 1;
            if self.is_blank(ahead) {
                ahead += 1;
                continue;
            }
            let byte = self.byte(ahead);
            let here = self.mark_ahead(ahead, line, column);
            let closes = in_flow && matches!(byte, b']' | b'}');
            if closes || self.is_break_or_end(ahead) {
                if closes || !recent_empty {
                    let dedented = signed(open.start.column) - 1 < indent;
                    let at_foot = foot_line == Some(signed(open.start.line)) && !after_colon;
                    if closes || (first_empty && (at_foot || dedented)) {
                        if dedented && !open.text.is_empty() {
                            // The comment does not belong to the token before it.
                            open.token = open.start;
                        }
                        self.file_foot(&mut open, here);
                    } else if !open.text.is_empty() && byte != 0 {
                        open.text.push(b'\n');
                    }
                }
                if !self.is_break(ahead) {
                    break;
                }
                first_empty = false;
                recent_empty = true;
                column = 0;
                line += 1;
                ahead += 1;
                continue;
            }
            if signed(column) - 1 < indent && column != open.start.column {
                // At another column the comment belongs to the token before it.
                self.file_foot(&mut open, here);
            }
            if byte != b'#' {
                break;
            }
            if open.text.is_empty() {
                open.start = here;
            } else {
                open.text.push(b'\n');
            }
            recent_empty = false;
            self.skip_to(here.index);
            while !self.is_break_or_end(0) {
                self.read(&mut open.text);
            }
            // The search continues after the line break.
            ahead = 1;
            column = 0;
            line = self.mark.line;
        }
        let end = self.mark_ahead(ahead, line, column);
        self.file_head(open, end);
    }

    /// Returns the index of the token that the comments from here on follow.
    fn token_before_comments(&self) -> usize {
        let last = self.tokens.len().saturating_sub(1);
        if self.tokens[last].kind == TokenKind::FlowEntry && last > 0 {
            return last - 1;
        }
        last
    }

    /// Returns the line on which a foot comment must start.
    fn foot_line(&self, scan: Mark) -> Option<isize> {
        if scan.line == 0 {
            return None;
        }
        let behind_text = self.newlines == 0 && self.mark.column > 1;
        let line = signed(self.mark.line) - signed(self.newlines) + 1;
        Some(line + isize::from(behind_text))
    }

    /// Returns a place at a distance from here.
    fn mark_ahead(&self, ahead: usize, line: usize, column: usize) -> Mark {
        Mark {
            index: self.mark.index + ahead,
            line,
            column,
            offset: self.mark.offset + ahead,
        }
    }

    /// Files the comment as the foot of its token, and begins the next comment behind it.
    fn file_foot(&mut self, open: &mut OpenComment, end: Mark) {
        if open.text.is_empty() {
            return;
        }
        self.comments.push_back(Comment {
            scan: open.scan,
            token: open.token,
            start: open.start,
            end,
            foot: super::scalar::text(std::mem::take(&mut open.text)),
            ..Comment::default()
        });
        (open.scan, open.token) = (end, end);
    }

    /// Files the comment as the head of the next token. `end` is behind its last character.
    fn file_head(&mut self, open: OpenComment, end: Mark) {
        if open.text.is_empty() {
            return;
        }
        self.comments.push_back(Comment {
            scan: open.scan,
            token: open.start,
            start: open.start,
            end: Mark {
                index: end.index.saturating_sub(1),
                offset: end.offset.saturating_sub(1),
                ..end
            },
            head: super::scalar::text(open.text),
            ..Comment::default()
        });
    }

    /// Skips blanks and line breaks up to a character index.
    fn skip_to(&mut self, index: usize) {
        while self.mark.index < index {
            if self.is_break_or_end(0) {
                self.skip_line();
            } else {
                self.skip();
            }
        }
    }

    /// Returns the end position of a block that closes now: before the comments at its own
    /// indentation, which become its foot comment.
    pub(super) fn end_of_block(&self, before: Mark) -> Mark {
        let mut end = before;
        let mut stop = before.index;
        for comment in self.comments.iter().rev() {
            if comment.end.index < stop {
                break;
            }
            if signed(comment.start.column) == self.indent + 1 {
                end = comment.start;
            }
            stop = comment.scan.index;
        }
        end
    }

    /// Skips the rest of a comment without storing it.
    pub(super) fn skip_comment(&mut self) {
        if self.byte(0) == b'#' {
            while !self.is_break_or_end(0) {
                self.skip();
                self.take_run(|byte| !matches!(byte, b'\n' | b'\r'));
            }
        }
    }
}
