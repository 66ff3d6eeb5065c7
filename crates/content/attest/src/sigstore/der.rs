//! Reads and writes DER: definite, shortest lengths and tags of one byte.
//!
//! The parts of a timestamp and of a certificate are read here that `x509-parser` does not offer.

/// Tags of the universal types.
pub(super) mod tag {
    pub(in crate::sigstore) const INTEGER: u8 = 0x02;
    pub(in crate::sigstore) const OCTET_STRING: u8 = 0x04;
    pub(in crate::sigstore) const OBJECT_IDENTIFIER: u8 = 0x06;
    pub(in crate::sigstore) const UTF8_STRING: u8 = 0x0c;
    pub(in crate::sigstore) const GENERALIZED_TIME: u8 = 0x18;
    pub(in crate::sigstore) const SEQUENCE: u8 = 0x30;
    pub(in crate::sigstore) const SET: u8 = 0x31;

    /// A constructed, context-specific tag.
    pub(in crate::sigstore) const fn context(number: u8) -> u8 {
        0xa0 | number
    }
}

/// The bytes are not DER, or not of the expected type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotDer;

type Result<T> = std::result::Result<T, NotDer>;

/// One element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
    /// The element with its tag and length.
    pub(super) raw: &'a [u8],
}

/// The elements of a constructed value, in order.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads the next element of any type.
    pub(super) fn any(&mut self) -> Result<Element<'a>> {
        let bytes = self.rest;
        let (&tag, after_tag) = bytes.split_first().ok_or(NotDer)?;
        // A tag number above 30 takes more bytes. No type here has one.
        if tag & 0x1f == 0x1f {
            return Err(NotDer);
        }
        let (length, after_length) = length(after_tag)?;
        let content = after_length.get(..length).ok_or(NotDer)?;
        let rest = after_length.get(length..).ok_or(NotDer)?;
        let raw = bytes.get(..bytes.len() - rest.len()).ok_or(NotDer)?;
        self.rest = rest;
        Ok(Element { tag, content, raw })
    }

    /// Reads the next element, which has this tag.
    pub(super) fn expect(&mut self, tag: u8) -> Result<Element<'a>> {
        let element = self.any()?;
        if element.tag == tag {
            Ok(element)
        } else {
            Err(NotDer)
        }
    }

    /// Reads the next element if it has this tag.
    pub(super) fn optional(&mut self, tag: u8) -> Result<Option<Element<'a>>> {
        if self.rest.first() == Some(&tag) {
            self.any().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Requires that nothing is left.
    pub(super) fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(NotDer)
        }
    }
}

impl<'a> Element<'a> {
    /// The elements inside.
    pub(super) const fn reader(&self) -> Reader<'a> {
        Reader::new(self.content)
    }
}

/// Reads bytes that are exactly one element of this tag.
pub(super) fn single(bytes: &[u8], tag: u8) -> Result<Element<'_>> {
    let mut reader = Reader::new(bytes);
    let element = reader.expect(tag)?;
    reader.finish()?;
    Ok(element)
}

/// Reads a length, and returns it with the bytes after it.
fn length(bytes: &[u8]) -> Result<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first().ok_or(NotDer)?;
    if first < 0x80 {
        return Ok((usize::from(first), rest));
    }
    let count = usize::from(first & 0x7f);
    let (digits, rest) = rest.split_at_checked(count).ok_or(NotDer)?;
    // Zero is an indefinite length. A leading zero or a short length is not the shortest form.
    if !(1..=4).contains(&count) || digits.first() == Some(&0) {
        return Err(NotDer);
    }
    let length = digits
        .iter()
        .fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
    if length < 0x80 {
        return Err(NotDer);
    }
    Ok((length, rest))
}

/// Writes an element.
pub(super) fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut written = vec![tag];
    match u8::try_from(content.len()) {
        Ok(length) if length < 0x80 => written.push(length),
        _ => {
            let length = content.len().to_be_bytes();
            let digits: Vec<u8> = length.into_iter().skip_while(|digit| *digit == 0).collect();
            // A length has at most eight digits.
            written.push(0x80 | u8::try_from(digits.len()).unwrap_or(8));
            written.extend_from_slice(&digits);
        }
    }
    written.extend_from_slice(content);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_elements_are_read_again() {
        for length in [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x1_0000] {
            let content = vec![7; length];
            let written = element(tag::OCTET_STRING, &content);
            let read = single(&written, tag::OCTET_STRING).unwrap();
            assert_eq!(read.content, content);
            assert_eq!(read.raw, written);
        }
    }

    #[test]
    fn other_encodings_are_refused() {
        for bytes in [
            &[0x04, 0x80, 0x01, 0x00, 0x00][..],
            &[0x04, 0x81, 0x01, 0x00],
            &[0x04, 0x82, 0x00, 0x81],
            &[0x04, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00],
            &[0x04, 0x02, 0x00],
            &[0x04],
            &[0x1f, 0x20, 0x00],
            &[0x04, 0x00, 0x00],
            &[0x05, 0x00],
            &[],
        ] {
            assert_eq!(
                single(bytes, tag::OCTET_STRING).err(),
                Some(NotDer),
                "{bytes:?}"
            );
        }
    }
}
