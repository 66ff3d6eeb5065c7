//! The limits of a listing, whatever the store answers. Pure.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use crate::error::Error;

/// Maximum number of objects.
const MAX_OBJECTS: usize = 1_000_000;
/// Maximum length of a key in bytes, of all providers.
const MAX_KEY_BYTES: usize = 1024;
/// Maximum length of an entity tag or a generation in bytes.
const MAX_TAG_BYTES: usize = 1024;
/// Maximum length of all keys, entity tags and generations in bytes.
const MAX_BYTES: usize = 128 << 20;

/// Maximum number of parts of all keys. Each part of a path takes memory, however short it is.
const MAX_PARTS: usize = 4_000_000;

/// An object as a listing shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedObject<'a> {
    /// The key.
    pub key: &'a str,
    /// The entity tag, as the revision of a source has it.
    pub etag: &'a str,
    /// The generation of the content, at Google.
    pub generation: Option<&'a str>,
}

/// A listing that visits each object.
pub(crate) struct Listing<V> {
    visit: V,
    objects: usize,
    bytes: usize,
    parts: usize,
    /// Hashes of the tokens of its pages.
    pages: HashSet<u64>,
    hasher: RandomState,
}

impl<V: FnMut(ListedObject<'_>)> Listing<V> {
    pub(crate) fn new(visit: V) -> Self {
        Self {
            visit,
            objects: 0,
            bytes: 0,
            parts: 0,
            pages: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// Visits an object.
    pub(crate) fn object(&mut self, object: ListedObject<'_>) -> Result<(), Error> {
        let ListedObject {
            key,
            etag,
            generation,
        } = object;
        let generation = generation.map_or(0, str::len);
        if key.len() > MAX_KEY_BYTES {
            return Err(refused(
                key,
                &format!("is longer than {MAX_KEY_BYTES} bytes"),
            ));
        }
        if etag.len() > MAX_TAG_BYTES || generation > MAX_TAG_BYTES {
            let limit = format!("has an entity tag of more than {MAX_TAG_BYTES} bytes");
            return Err(refused(key, &limit));
        }
        self.objects += 1;
        self.bytes += key.len() + etag.len() + generation;
        self.parts += 1 + key.bytes().filter(|byte| *byte == b'/').count();
        if self.objects > MAX_OBJECTS {
            let message = format!("the listing has more than {MAX_OBJECTS} objects");
            return Err(Error::local(message));
        }
        if self.bytes > MAX_BYTES {
            let message = format!("the keys of the listing are longer than {MAX_BYTES} bytes");
            return Err(Error::local(message));
        }
        if self.parts > MAX_PARTS {
            let message = format!("the keys of the listing have more than {MAX_PARTS} parts");
            return Err(Error::local(message));
        }
        (self.visit)(object);
        Ok(())
    }

    /// Goes on with the page of a token.
    pub(crate) fn page(&mut self, token: &str) -> Result<(), Error> {
        if self.pages.insert(self.hasher.hash_one(token)) {
            Ok(())
        } else {
            Err(Error::local("the listing repeats a page"))
        }
    }
}

fn refused(key: &str, reason: &str) -> Error {
    let begin: String = key.chars().take(80).collect();
    Error::local(format!("the key '{}…' {reason}", begin.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object<'a>(key: &'a str, etag: &'a str) -> ListedObject<'a> {
        ListedObject {
            key,
            etag,
            generation: None,
        }
    }

    #[test]
    fn long_keys_and_tags_are_refused() {
        let mut listing = Listing::new(|_| ());
        let key = "k".repeat(MAX_KEY_BYTES);
        listing.object(object(&key, "1")).unwrap();
        let error = listing.object(object(&format!("{key}k"), "1")).unwrap_err();
        assert!(
            error.to_string().ends_with("k…' is longer than 1024 bytes"),
            "{error}"
        );
        let tag = "t".repeat(MAX_TAG_BYTES + 1);
        let error = listing.object(object("a", &tag)).unwrap_err();
        let expected = "the key 'a…' has an entity tag of more than 1024 bytes";
        assert_eq!(error.to_string(), expected);
        let generation = Some(&*tag);
        let object = ListedObject {
            key: "a",
            etag: "1",
            generation,
        };
        assert!(listing.object(object).is_err());
    }

    #[test]
    fn sum_of_objects_and_bytes_is_limited() {
        let mut visited = 0;
        let mut listing = Listing::new(|_| visited += 1);
        let text = "k".repeat(MAX_KEY_BYTES);
        let objects = MAX_BYTES / (2 * MAX_KEY_BYTES);
        for _ in 0..objects {
            listing.object(object(&text, &text)).unwrap();
        }
        let error = listing.object(object("a", "")).unwrap_err();
        let expected = "the keys of the listing are longer than 134217728 bytes";
        assert_eq!(error.to_string(), expected);
        assert_eq!(visited, objects);
        let mut listing = Listing::new(|_| ());
        for _ in 0..MAX_OBJECTS {
            listing.object(object("a", "1")).unwrap();
        }
        assert!(listing.object(object("a", "1")).is_err());
    }

    /// Keys of 1,024 bytes with 512 directories would otherwise take gigabytes as paths.
    #[test]
    fn parts_of_all_keys_are_limited() {
        let mut listing = Listing::new(|_| ());
        let deep = "a/".repeat(MAX_KEY_BYTES / 2);
        for _ in 0..MAX_PARTS / 513 {
            listing.object(object(&deep, "1")).unwrap();
        }
        let error = listing.object(object(&deep, "1")).unwrap_err();
        let expected = "the keys of the listing have more than 4000000 parts";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn repeated_page_is_refused() {
        let mut listing = Listing::new(|_| ());
        listing.page("a").unwrap();
        listing.page("b").unwrap();
        let error = listing.page("a").unwrap_err();
        assert_eq!(error.to_string(), "the listing repeats a page");
    }
}
