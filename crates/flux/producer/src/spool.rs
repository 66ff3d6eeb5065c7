//! Buffers bytes until they are complete. Large content moves from memory to an unnamed file.
//! It disappears with its last handle, even if the process is killed.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::os::unix::fs::FileExt as _;

use bytes::Bytes;

/// Maximum size in memory. Most layers are smaller, and many are pulled at once.
const MEMORY_LIMIT: usize = 1 << 20;

/// A write buffer with random reads.
#[derive(Debug, Default)]
pub struct Spool(Content);

#[derive(Debug)]
enum Content {
    Memory(Vec<u8>),
    File { file: File, size: u64 },
}

impl Default for Content {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl Spool {
    /// The number of bytes in the buffer.
    pub fn size(&self) -> u64 {
        match &self.0 {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::File { size, .. } => *size,
        }
    }

    /// Whether the next write goes to a disk and may block.
    fn is_file(&self) -> bool {
        matches!(self.0, Content::File { .. })
    }

    /// Appends a part, on the blocking pool if it goes to a disk.
    pub async fn append(mut self, part: Bytes) -> io::Result<Self> {
        if !self.is_file() {
            self.write_all(&part)?;
            return Ok(self);
        }
        let writing = tokio::task::spawn_blocking(move || {
            self.write_all(&part)?;
            Ok(self)
        });
        writing.await.expect("writing to the spool does not panic")
    }

    /// Reads a part of the buffer.
    pub fn reader(&self, from: u64, size: u64) -> Reader<'_> {
        Reader {
            spool: self,
            at: from,
            end: from.saturating_add(size).min(self.size()),
        }
    }

    /// Reads the whole buffer.
    pub fn whole(&self) -> Reader<'_> {
        self.reader(0, self.size())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Content::Memory(memory) = &mut self.0 {
            if memory.len() + bytes.len() <= MEMORY_LIMIT {
                memory.extend_from_slice(bytes);
                return Ok(bytes.len());
            }
            let mut file = tempfile::tempfile()?;
            file.write_all(memory)?;
            let size = memory.len() as u64;
            self.0 = Content::File { file, size };
        }
        let Content::File { file, size } = &mut self.0 else {
            unreachable!("what was in memory has just been moved")
        };
        file.seek(SeekFrom::Start(*size))?;
        file.write_all(bytes)?;
        *size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A part of a spool.
#[derive(Debug)]
pub struct Reader<'a> {
    spool: &'a Spool,
    at: u64,
    end: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let buffer = &mut buffer[..length];
        let read = match &self.spool.0 {
            Content::Memory(bytes) => {
                let start = usize::try_from(self.at).map_or(bytes.len(), |at| at.min(bytes.len()));
                (&bytes[start..]).read(buffer)?
            }
            Content::File { file, .. } => file.read_at(buffer, self.at)?,
        };
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spool_reads_back_from_memory_and_file() {
        let mut spool = Spool::default();
        let piece: Vec<u8> = (0..400_000_u32).map(|index| (index % 251) as u8).collect();
        for pieces in 1..=5_u64 {
            spool.write_all(&piece).unwrap();
            assert_eq!(spool.size(), pieces * 400_000);
            assert_eq!(spool.is_file(), pieces > 2, "{pieces}");
        }
        let mut whole = Vec::new();
        spool.whole().read_to_end(&mut whole).unwrap();
        assert_eq!(whole, piece.repeat(5));
        let mut part = Vec::new();
        spool.reader(399_999, 3).read_to_end(&mut part).unwrap();
        assert_eq!(part, &whole[399_999..400_002]);
    }
}
