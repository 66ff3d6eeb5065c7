//! Reads DER. Pure.

use super::Pkcs12Error;

const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const EXPLICIT: u8 = 0xa0;
const IMPLICIT: u8 = 0x80;

/// Elements that are not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// Reads bytes that are one element.
    pub(super) fn whole(bytes: &'a [u8]) -> Result<Self, Pkcs12Error> {
        let mut rest = Self(bytes);
        rest.element()?;
        rest.is_empty()
            .then_some(Self(bytes))
            .ok_or(Pkcs12Error::Structure)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes that are not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }

    pub(super) fn sequence(&mut self) -> Result<Self, Pkcs12Error> {
        self.of(SEQUENCE).map(Self)
    }

    /// Reads an element within the tag 0.
    pub(super) fn explicit(&mut self) -> Result<Self, Pkcs12Error> {
        self.of(EXPLICIT).map(Self)
    }

    pub(super) fn octets(&mut self) -> Result<&'a [u8], Pkcs12Error> {
        self.of(OCTETS)
    }

    /// Reads octets with the tag 0.
    pub(super) fn implicit_octets(&mut self) -> Result<&'a [u8], Pkcs12Error> {
        self.of(IMPLICIT)
    }

    pub(super) fn oid(&mut self) -> Result<&'a [u8], Pkcs12Error> {
        self.of(OID)
    }

    /// Reads a number that is not negative.
    pub(super) fn integer(&mut self) -> Result<u64, Pkcs12Error> {
        let bytes = self.of(INTEGER)?;
        let is_positive = bytes.first().is_some_and(|first| first & 0x80 == 0);
        if !is_positive || bytes.len() > 8 {
            return Err(Pkcs12Error::Structure);
        }
        let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
        Ok(bytes.iter().fold(0, add))
    }

    /// Returns the next element if it has a tag.
    pub(super) fn skip_if(&mut self, tag: u8) -> bool {
        let mut rest = *self;
        let is_there = rest.element().is_ok_and(|(found, _)| found == tag);
        if is_there {
            *self = rest;
        }
        is_there
    }

    fn of(&mut self, tag: u8) -> Result<&'a [u8], Pkcs12Error> {
        match self.element()? {
            (found, content) if found == tag => Ok(content),
            _ => Err(Pkcs12Error::Structure),
        }
    }

    fn element(&mut self) -> Result<(u8, &'a [u8]), Pkcs12Error> {
        let read = || {
            let (tag, rest) = self.0.split_first()?;
            let (first, rest) = rest.split_first()?;
            let (length, rest) = match first {
                0..=0x7f => (usize::from(*first), rest),
                // The file is small, so four bytes suffice. Indefinite lengths are not DER.
                0x81..=0x84 => {
                    let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                    let add = |sum: usize, byte: &u8| (sum << 8) | usize::from(*byte);
                    (length.iter().fold(0, add), rest)
                }
                _ => return None,
            };
            let (content, rest) = rest.split_at_checked(length)?;
            Some((*tag, content, rest))
        };
        let (tag, content, rest) = read().ok_or(Pkcs12Error::Structure)?;
        self.0 = rest;
        Ok((tag, content))
    }
}
