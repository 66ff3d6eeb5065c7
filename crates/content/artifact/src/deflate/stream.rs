//! Tokens in the order of the content, grouped into blocks.

use super::block::{BlockWriter, Token};

/// Tokens of one block.
const BLOCK_TOKENS: usize = 1 << 14;

pub(super) struct Stream {
    writer: BlockWriter,
    /// The block that is being collected.
    tokens: Vec<Token>,
    /// The content that it stands for, from where to where.
    start: u64,
    end: u64,
}

impl Stream {
    pub(super) fn new() -> Self {
        Self {
            writer: BlockWriter::new(),
            tokens: Vec::with_capacity(BLOCK_TOKENS),
            start: 0,
            end: 0,
        }
    }

    /// Takes tokens that were all made while the window began at `base`. `content` is what is
    /// there from `base` on: the content of a block that began before is no longer known.
    pub(super) fn add(&mut self, mut tokens: &[Token], base: u64, content: &[u8]) {
        while !tokens.is_empty() {
            let room = BLOCK_TOKENS - self.tokens.len();
            let (now, later) = tokens.split_at(tokens.len().min(room));
            self.tokens.extend_from_slice(now);
            self.end += now.iter().map(|token| token.covers()).sum::<u64>();
            tokens = later;
            if self.tokens.len() == BLOCK_TOKENS {
                self.end_block(base, content);
            }
        }
    }

    /// Writes what was collected, if there is any.
    pub(super) fn end_block(&mut self, base: u64, content: &[u8]) {
        if self.tokens.is_empty() {
            return;
        }
        let within = |position: u64| position.checked_sub(base)?.try_into().ok();
        let content = within(self.start)
            .zip(within(self.end))
            .and_then(|(start, end): (usize, usize)| content.get(start..end));
        self.writer.write(&self.tokens, content);
        self.tokens.clear();
        self.start = self.end;
    }

    pub(super) fn finish(&mut self) {
        self.writer.finish();
    }

    /// Whole bytes, for whoever takes them.
    pub(super) fn ready(&mut self) -> &mut Vec<u8> {
        &mut self.writer.ready
    }
}
