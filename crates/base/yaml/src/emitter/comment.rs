//! Comments in the output. They arrive with their event and wait for a line on which they can be
//! written.

use std::borrow::Cow;

use super::analysis::is_break;
use super::{Emitter, Rules};
use crate::event::{CollectionStyle, Comments, EventKind};

/// Comments to write.
#[derive(Default)]
pub(super) struct PendingComments<'a> {
    pub(super) head: Cow<'a, str>,
    pub(super) line: Cow<'a, str>,
    foot: Cow<'a, str>,
    tail: Cow<'a, str>,
    /// Line comment of a key, written after its `:`.
    of_key: Cow<'a, str>,
}

impl<'a> PendingComments<'a> {
    pub(super) fn take(&mut self, comments: Comments<'a>) {
        let Comments {
            head,
            line,
            foot,
            tail,
        } = comments;
        for (waiting, new) in [
            (&mut self.head, head),
            (&mut self.line, line),
            (&mut self.foot, foot),
            (&mut self.tail, tail),
        ] {
            if !new.is_empty() {
                *waiting = new;
            }
        }
    }

    /// Reports whether a comment comes after the node.
    pub(super) fn follows(&self) -> bool {
        !(self.line.is_empty() && self.foot.is_empty() && self.tail.is_empty())
    }

    /// Reports whether a comment has lines of its own.
    pub(super) fn surrounds(&self) -> bool {
        !(self.head.is_empty() && self.foot.is_empty() && self.tail.is_empty())
    }

    pub(super) fn set_aside_for_value(&mut self) {
        if !self.line.is_empty() {
            self.of_key = std::mem::take(&mut self.line);
        }
    }
}

impl Emitter<'_> {
    /// Writes the foot comment of the last node and the head comment of the next one.
    pub(super) fn write_head_comment(&mut self) {
        let tail = std::mem::take(&mut self.pending.tail);
        if !tail.is_empty() {
            self.write_indent();
            self.write_comment(&tail);
            self.foot_indent = Some(self.indent.unwrap_or(0));
        }
        let head = std::mem::take(&mut self.pending.head);
        if !head.is_empty() {
            self.write_indent();
            self.write_comment(&head);
        }
    }

    pub(super) fn write_line_comment(&mut self) {
        let line = std::mem::take(&mut self.pending.line);
        if !line.is_empty() {
            if !self.whitespace {
                self.put(' ');
            }
            self.write_comment(&line);
        }
    }

    pub(super) fn write_foot_comment(&mut self) {
        let foot = std::mem::take(&mut self.pending.foot);
        if !foot.is_empty() {
            self.write_indent();
            self.write_comment(&foot);
            self.foot_indent = Some(self.indent.unwrap_or(0));
        }
    }

    /// Writes the line comment of a key before a block, or passes it to the scalar after it. If
    /// that scalar has a line comment too, the key's is dropped. go-yaml keeps it for a later
    /// scalar.
    pub(super) fn write_comment_of_key(&mut self, value: &EventKind<'_>) {
        if self.rules == Rules::V2 || self.pending.of_key.is_empty() {
            return;
        }
        match value {
            EventKind::Scalar(_) if self.pending.line.is_empty() => {
                self.pending.line = std::mem::take(&mut self.pending.of_key);
            }
            EventKind::SequenceStart { style, .. } | EventKind::MappingStart { style, .. }
                if *style == CollectionStyle::Block =>
            {
                let own = std::mem::take(&mut self.pending.of_key);
                let line = std::mem::replace(&mut self.pending.line, own);
                self.write_line_comment();
                self.pending.of_key = Cow::Borrowed("");
                self.pending.line = line;
            }
            _ => {}
        }
    }

    fn write_comment(&mut self, comment: &str) {
        let mut after_break = false;
        let mut marked = false;
        for character in comment.chars() {
            if is_break(character) {
                self.write_break(character);
                self.indention = true;
                after_break = true;
                marked = false;
                continue;
            }
            if after_break {
                self.write_indent();
            }
            if !marked {
                if character != '#' {
                    self.put('#');
                    self.put(' ');
                }
                marked = true;
            }
            self.put(character);
            self.indention = false;
            after_break = false;
        }
        if !after_break {
            self.put_break();
        }
        self.whitespace = true;
    }
}
