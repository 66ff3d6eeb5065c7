//! Groups tokens into blocks.

use super::block::{BlockWriter, Token};

const MAX_BLOCK_TOKENS: usize = 1 << 14;

pub(super) struct BlockStream {
    writer: BlockWriter,
    /// The tokens of the current block.
    tokens: Vec<Token>,
    /// Where the content of the current block starts and ends in the stream.
    start: u64,
    end: u64,
}

impl BlockStream {
    pub(super) fn new() -> Self {
        Self {
            writer: BlockWriter::new(),
            tokens: Vec::with_capacity(MAX_BLOCK_TOKENS),
            start: 0,
            end: 0,
        }
    }

    /// Adds tokens. `content` is the window, which starts at `base` in the stream. A block that
    /// starts before `base` cannot be stored uncompressed.
    pub(super) fn add(&mut self, mut tokens: &[Token], base: u64, content: &[u8]) {
        while !tokens.is_empty() {
            let room = MAX_BLOCK_TOKENS - self.tokens.len();
            let (now, later) = tokens.split_at(tokens.len().min(room));
            self.tokens.extend_from_slice(now);
            self.end += now.iter().map(|token| token.content_length()).sum::<u64>();
            tokens = later;
            if self.tokens.len() == MAX_BLOCK_TOKENS {
                self.end_block(base, content);
            }
        }
    }

    /// Writes the current block, if it has tokens.
    pub(super) fn end_block(&mut self, base: u64, content: &[u8]) {
        if self.tokens.is_empty() {
            return;
        }
        let in_window = |position: u64| position.checked_sub(base)?.try_into().ok();
        let content = in_window(self.start)
            .zip(in_window(self.end))
            .and_then(|(start, end): (usize, usize)| content.get(start..end));
        self.writer.write(&self.tokens, content);
        self.tokens.clear();
        self.start = self.end;
    }

    pub(super) fn finish(&mut self) {
        self.writer.finish();
    }

    /// Complete bytes, which the caller writes and clears.
    pub(super) fn ready(&mut self) -> &mut Vec<u8> {
        &mut self.writer.ready
    }
}
