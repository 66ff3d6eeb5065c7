//! Scalars in the output.
//!
//! A line that is past the width breaks at a space. The reader folds the line break back into a
//! space, so the space must not be next to another one.

use std::fmt::Write as _;

use super::analysis::{is_break, is_printable};
use super::{Emitter, Rules};

impl Emitter<'_> {
    pub(super) fn write_plain(&mut self, value: &str, may_break: bool) {
        let silent = value.is_empty() && self.rules != Rules::V2;
        if !self.whitespace && !silent {
            self.put(' ');
        }
        self.write_flow_text(value, may_break, false);
        self.whitespace = self.whitespace && silent;
        self.indention = false;
    }

    pub(super) fn write_single_quoted(&mut self, value: &str, may_break: bool) {
        self.write_indicator("'", true, false, false);
        self.write_flow_text(value, may_break, true);
        self.write_indicator("'", false, false, false);
        self.whitespace = false;
        self.indention = false;
    }

    /// Writes the text of a plain or single-quoted scalar. Quotes allow a space at either end,
    /// where a line must not break.
    fn write_flow_text(&mut self, value: &str, may_break: bool, quoted: bool) {
        let mut characters = value.chars().peekable();
        let mut first = true;
        let mut after_space = false;
        let mut after_break = false;
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            if character == ' ' {
                let inside = !quoted || (!first && next.is_some());
                let lone = !after_space && next != Some(' ');
                if may_break && lone && inside && self.column > self.width {
                    self.write_indent();
                } else {
                    self.put(' ');
                }
                after_space = true;
            } else if is_break(character) {
                if !after_break && character == '\n' {
                    self.put_break();
                }
                self.write_break(character);
                self.indention = true;
                after_break = true;
            } else {
                if after_break {
                    self.write_indent();
                }
                if quoted && character == '\'' {
                    self.put('\'');
                }
                self.put(character);
                self.indention = false;
                after_space = false;
                after_break = false;
            }
            first = false;
        }
    }

    pub(super) fn write_double_quoted(&mut self, value: &str, may_break: bool) {
        self.write_indicator("\"", true, false, false);
        // Parity: go-yaml: is_bom always tests the start of the text, so a leading byte order
        // mark escapes the whole text.
        let escape_all = value.starts_with('\u{feff}');
        let mut characters = value.chars().peekable();
        let mut first = true;
        let mut after_space = false;
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let special =
                !is_printable(character) || is_break(character) || matches!(character, '"' | '\\');
            if special || escape_all {
                self.write_escape(character);
                after_space = false;
            } else if character == ' ' {
                let inside = !first && next.is_some();
                if may_break && !after_space && inside && self.column > self.width {
                    self.write_indent();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(' ');
                }
                after_space = true;
            } else {
                self.put(character);
                after_space = false;
            }
            first = false;
        }
        self.write_indicator("\"", false, false, false);
        self.whitespace = false;
        self.indention = false;
    }

    fn write_escape(&mut self, character: char) {
        let mut escape = String::with_capacity(10);
        escape.push('\\');
        let name = match character {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let code = u32::from(character);
                let written = match code {
                    0..0x100 => write!(escape, "x{code:02X}"),
                    0x100..0x1_0000 => write!(escape, "u{code:04X}"),
                    _ => write!(escape, "U{code:08X}"),
                };
                written.expect("a String accepts all writes");
                '\0'
            }
        };
        if name != '\0' {
            escape.push(name);
        }
        for character in escape.chars() {
            self.put(character);
        }
    }

    pub(super) fn write_literal(&mut self, value: &str) {
        self.write_block_header('|', value);
        let mut after_break = true;
        for character in value.chars() {
            if is_break(character) {
                self.write_break(character);
                self.indention = true;
                after_break = true;
            } else {
                if after_break {
                    self.write_indent();
                }
                self.put(character);
                self.indention = false;
                after_break = false;
            }
        }
    }

    pub(super) fn write_folded(&mut self, value: &str) {
        self.write_block_header('>', value);
        let starts_blank = value
            .trim_start_matches(is_break)
            .starts_with([' ', '\t', '\0']);
        let mut characters = value.chars().peekable();
        let mut after_break = true;
        let mut leading_space = true;
        while let Some(character) = characters.next() {
            if is_break(character) {
                if !after_break && !leading_space && character == '\n' {
                    // A single line break would fold into a space. Parity: go-yaml: the text
                    // after the break should decide, but the start of the text does.
                    if !starts_blank {
                        self.put_break();
                    }
                }
                self.write_break(character);
                self.indention = true;
                after_break = true;
            } else {
                if after_break {
                    self.write_indent();
                    leading_space = matches!(character, ' ' | '\t');
                }
                let lone = character == ' ' && characters.peek() != Some(&' ');
                if !after_break && lone && self.column > self.width {
                    self.write_indent();
                } else {
                    self.put(character);
                }
                self.indention = false;
                after_break = false;
            }
        }
    }

    /// Writes `|` or `>`, the indentation if the text starts with a blank, the chomping indicator
    /// and a line break.
    fn write_block_header(&mut self, indicator: char, value: &str) {
        let mut header = String::from(indicator);
        if value.starts_with(|c| c == ' ' || is_break(c)) {
            header.push_str(&self.rules.indent().to_string());
        }
        let mut from_end = value.chars().rev();
        match from_end.next() {
            Some(last) if is_break(last) => {
                if from_end.next().is_none_or(is_break) {
                    header.push('+');
                }
            }
            _ => header.push('-'),
        }
        self.write_indicator(&header, true, false, false);
        if self.pending.line.is_empty() {
            self.put_break();
        } else {
            self.write_line_comment();
        }
        self.whitespace = true;
    }

    /// Writes a line break of the text. Only the line feed is normalized.
    pub(super) fn write_break(&mut self, character: char) {
        if character == '\n' {
            self.put_break();
        } else {
            self.out.push(character);
            self.column = 0;
        }
    }
}
