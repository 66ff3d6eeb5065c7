//! Streams a blob from a pack.
//!
//! libgit2 reads a packed object into one buffer of its size. Its read streams support only loose
//! objects, which a fetch does not create. This module finds a blob in the index and inflates it in
//! pieces, if the pack holds it whole. A delta must be rebuilt in memory, but Git makes no deltas
//! above 512 MiB.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use aws_lc_rs::digest;
use flate2::read::ZlibDecoder;
use sluice_system::fs;

use crate::disk;
use crate::id::ObjectId;

/// Offset of the IDs in an index of version 2: magic, version, fan-out table.
const NAMES: u64 = 8 + 256 * 4;

/// A reader of a packed blob.
pub(crate) struct PackedBlob {
    data: ZlibDecoder<BufReader<File>>,
    id: ObjectId,
    left: u64,
    hash: Option<digest::Context>,
}

impl PackedBlob {
    /// Finds a blob that a pack of the directory holds whole. Returns `None` if it is stored in
    /// another form.
    pub(crate) fn find(objects: &Path, id: ObjectId) -> Option<Self> {
        let items = disk::list(&objects.join("pack")).ok()?;
        items
            .iter()
            .filter(|item| {
                item.path
                    .extension()
                    .is_some_and(|extension| extension == "idx")
            })
            .find_map(|item| Self::in_pack(&item.path, id).ok().flatten())
    }

    fn in_pack(index: &Path, id: ObjectId) -> io::Result<Option<Self>> {
        let open = |path: &Path| {
            fs::open(path)
                .map(fs::File::into_std)
                .map_err(io::Error::other)
        };
        let Some(offset) = offset(&open(index)?, id)? else {
            return Ok(None);
        };
        let mut pack = BufReader::with_capacity(64 << 10, open(&index.with_extension("pack"))?);
        pack.seek(SeekFrom::Start(offset))?;
        let mut head = Vec::new();
        loop {
            let mut byte = [0];
            pack.read_exact(&mut byte)?;
            head.push(byte[0]);
            if byte[0] & 0x80 == 0 || head.len() > 10 {
                break;
            }
        }
        // Type 3 is a whole blob.
        let Some((3, size)) = object_head(&head) else {
            return Ok(None);
        };
        let mut hash = digest::Context::new(&digest::SHA1_FOR_LEGACY_USE_ONLY);
        hash.update(format!("blob {size}\0").as_bytes());
        Ok(Some(Self {
            data: ZlibDecoder::new(pack),
            id,
            left: size,
            hash: Some(hash),
        }))
    }

    /// The number of unread bytes.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }
}

impl Read for PackedBlob {
    /// The last read fails if the content does not match the ID.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        if most > 0 {
            let read = self.data.read(&mut buffer[..most])?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.left -= read as u64;
            if let Some(hash) = &mut self.hash {
                hash.update(&buffer[..read]);
            }
            if self.left > 0 {
                return Ok(read);
            }
            self.verify()?;
            return Ok(read);
        }
        if self.left == 0 {
            self.verify()?;
        }
        Ok(0)
    }
}

impl PackedBlob {
    fn verify(&mut self) -> io::Result<()> {
        let name = self.hash.take().map(digest::Context::finish);
        match name {
            Some(name) if name.as_ref() != self.id.as_bytes() => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the content does not match the name",
            )),
            _ => Ok(()),
        }
    }
}

/// Finds the offset of an object in its pack, by a binary search in the index.
fn offset(index: &File, id: ObjectId) -> io::Result<Option<u64>> {
    let word = |at: u64| -> io::Result<u32> {
        let mut bytes = [0; 4];
        index.read_exact_at(&mut bytes, at)?;
        Ok(u32::from_be_bytes(bytes))
    };
    if word(0)? != 0xff74_4f63 || word(4)? != 2 {
        return Ok(None);
    }
    let first = u64::from(id.as_bytes()[0]);
    let mut low = if first == 0 {
        0
    } else {
        u64::from(word(8 + (first - 1) * 4)?)
    };
    let mut high = u64::from(word(8 + first * 4)?);
    let count = u64::from(word(8 + 255 * 4)?);
    while low < high {
        let middle = low + (high - low) / 2;
        let mut name = [0; 20];
        index.read_exact_at(&mut name, NAMES + middle * 20)?;
        match name.cmp(id.as_bytes()) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                // The IDs are followed by a checksum each, then by an offset each.
                let offsets = NAMES + count * 24;
                let offset = word(offsets + middle * 4)?;
                if offset & 0x8000_0000 == 0 {
                    return Ok(Some(u64::from(offset)));
                }
                let at = offsets + count * 4 + u64::from(offset & 0x7fff_ffff) * 8;
                let (upper, lower) = (word(at)?, word(at + 4)?);
                return Ok(Some(u64::from(upper) << 32 | u64::from(lower)));
            }
        }
    }
    Ok(None)
}

/// Decodes type and size of an object: three bits and four bits, then seven bits per byte.
pub(crate) fn object_head(head: &[u8]) -> Option<(u8, u64)> {
    let first = *head.first()?;
    let mut size = u64::from(first & 0x0f);
    let mut shift = 4;
    for byte in &head[1..] {
        let bits = u64::from(byte & 0x7f);
        if shift > 60 && bits != 0 {
            return None;
        }
        size |= bits.checked_shl(shift).unwrap_or(0);
        shift += 7;
    }
    Some((first >> 4 & 7, size))
}
