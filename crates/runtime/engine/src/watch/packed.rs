//! Texts that are alike, kept as what each of them does not share with a sample.
//!
//! The objects of one kind say nearly the same in nearly the same words: a fifth of a text is its
//! own. LZ4 it is, as whatever is kept is read often, and parsing takes several times as long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lz4_flex::block::{
    DecompressError, compress_prepend_size_with_dict, decompress_size_prepended_with_dict,
};

/// As long is a sample at most. It says by then what all say; beyond that are lists of what only
/// this one has, and whoever is packed pays for each byte.
const LONGEST: usize = 4 << 10;

/// What texts are compared with.
#[derive(Default)]
pub(crate) struct Packer {
    sample: Mutex<Sample>,
}

/// In a box, so that a text refers to it by one pointer.
type Sample = Arc<Box<[u8]>>;

/// One text. Not printed: it may be anything.
pub(crate) struct Packed {
    bytes: Box<[u8]>,
    sample: Sample,
}

impl Packer {
    pub(crate) fn pack(&self, text: &[u8]) -> Packed {
        let sample = Arc::clone(&self.lock());
        let bytes = compress_prepend_size_with_dict(text, &sample).into();
        Packed { bytes, sample }
    }

    /// Makes a text the sample for those to come if it is much longer: the first are of objects of
    /// which nothing is known yet. Each sample costs room of its own for as long as a text rests on
    /// it. Of one that is too long its start will do, where there is nothing better.
    pub(crate) fn learn(&self, text: &[u8]) {
        let mut sample = self.lock();
        let is_better = if text.len() > LONGEST {
            sample.is_empty()
        } else {
            text.len() > sample.len() + sample.len() / 2
        };
        if is_better {
            *sample = Arc::new(text.get(..LONGEST).unwrap_or(text).into());
        }
    }

    #[cfg(test)]
    pub(super) fn sample(&self) -> Vec<u8> {
        self.lock().to_vec()
    }

    fn lock(&self) -> MutexGuard<'_, Sample> {
        self.sample.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Packed {
    pub(crate) fn unpack(&self) -> Result<Vec<u8>, DecompressError> {
        decompress_size_prepended_with_dict(&self.bytes, &self.sample)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn text(name: &str, status: &str) -> String {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"{name}","namespace":"apps","finalizers":["example.com/finalizer"]}},"spec":{{"interval":"1m0s","prune":true,"timeout":"30s"}},"status":{{{status}}}}}"#
        )
    }

    const STATUS: &str = r#""conditions":[{"type":"Ready","status":"True","reason":"Succeeded","message":"all is well","lastTransitionTime":"2026-01-01T00:00:00Z"}],"observedGeneration":1"#;

    fn learned(packer: &Packer, text: &str) -> Packed {
        packer.learn(text.as_bytes());
        packer.pack(text.as_bytes())
    }

    fn list(entries: usize) -> String {
        (0..entries).fold(String::new(), |mut list, entry| {
            write!(
                list,
                r#"{{"id":"apps_thing-{entry}_{}_Thing","v":"v1"}},"#,
                entry * 7919
            )
            .unwrap();
            list
        })
    }

    #[test]
    fn the_second_of_two_that_are_alike_takes_a_fifth_of_its_text() {
        let packer = Packer::default();
        learned(&packer, &text("one", STATUS));
        let two = text("another", STATUS);
        let packed = packer.pack(two.as_bytes());
        assert!(packed.bytes.len() * 5 < two.len(), "{}", packed.bytes.len());
        assert_eq!(packed.unpack().unwrap(), two.as_bytes());
    }

    #[test]
    fn a_text_that_is_much_longer_is_the_next_sample_and_what_rests_on_another_stays_readable() {
        let packer = Packer::default();
        let texts = [
            text("new", ""),
            text("known", STATUS),
            text("known-longer", STATUS),
        ];
        let packed = texts.each_ref().map(|text| learned(&packer, text));
        let samples = [&texts[0], &texts[1], &texts[1]];
        for ((packed, text), sample) in packed.iter().zip(&texts).zip(samples) {
            assert_eq!(**packed.sample, *sample.as_bytes());
            assert_eq!(packed.unpack().unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn one_that_is_out_of_the_ordinary_is_no_sample_for_the_others() {
        let packer = Packer::default();
        let known = text("known", STATUS);
        learned(&packer, &known);
        let outlier = learned(&packer, &text("large", &list(300)));
        assert_eq!(**outlier.sample, *known.as_bytes());
        let first = learned(&Packer::default(), &text("large", &list(300)));
        assert_eq!(first.sample.len(), LONGEST);
        assert!(first.sample.starts_with(br#"{"apiVersion""#));
    }

    #[test]
    fn what_is_packed_only_is_no_sample() {
        let packer = Packer::default();
        let new = text("new", "");
        learned(&packer, &new);
        let status = packer.pack(list(50).as_bytes());
        assert_eq!(**status.sample, *new.as_bytes());
    }

    proptest! {
        #[test]
        fn every_text_comes_back(texts in prop::collection::vec(
            prop_oneof![
                any::<String>(),
                "[ab]{0,400}",
                (0..40_usize).prop_map(list),
                // Beyond 64 KiB, with the sample, lies another way to look for what is alike.
                (65_520 - LONGEST..65_560).prop_map(|length| list(2_500)[..length].to_owned()),
                Just(list(6_000)),
            ],
            0..4,
        )) {
            let packer = Packer::default();
            let packed: Vec<_> = texts.iter().map(|text| learned(&packer, text)).collect();
            for (packed, text) in packed.iter().zip(&texts) {
                prop_assert!(packed.unpack().unwrap() == text.as_bytes());
                prop_assert!(packed.sample.len() <= LONGEST);
            }
        }
    }
}
