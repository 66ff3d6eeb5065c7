//! Doubts about a scan that lost tags.
//!
//! A registry in trouble can list nothing, or only a part. Policies would then select an older
//! tag, and an automation would commit the downgrade. Such a scan replaces the stored tags only
//! after a second scan.

use std::cmp::Ordering;

/// Number of stored tags from which on a loss of most of them is suspicious.
const MIN_TAGS: usize = 21;

/// The reason to scan again before the tags are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Suspicion {
    /// The scan found no tags, but there are stored ones.
    #[error("the registry lists no tags, {stored} are stored")]
    Empty {
        /// Number of stored tags.
        stored: usize,
    },
    /// More than half of the stored tags are gone.
    #[error("the registry lists {lost} of {stored} stored tags no longer")]
    Lost {
        /// Number of stored tags that the scan lacks.
        lost: usize,
        /// Number of stored tags.
        stored: usize,
    },
}

/// Compares a scan with the stored tags. Both are in descending byte order.
///
/// `None` means that the scan can be stored. Otherwise the result of a second scan counts. An
/// error of the stored tags ends the comparison without a suspicion, because they are lost anyway.
pub fn suspicion<T, E>(
    stored: impl IntoIterator<Item = Result<T, E>>,
    scanned: &[String],
) -> Option<Suspicion>
where
    T: AsRef<str>,
{
    let mut count = 0;
    let mut lost = 0;
    let mut scanned_tags = scanned.iter().peekable();
    for tag in stored {
        let tag = tag.ok()?;
        let tag = tag.as_ref();
        count += 1;
        while scanned_tags.next_if(|next| next.as_str() > tag).is_some() {}
        let is_listed = scanned_tags
            .peek()
            .is_some_and(|next| next.as_str().cmp(tag) == Ordering::Equal);
        lost += usize::from(!is_listed);
    }
    if count > 0 && scanned.is_empty() {
        return Some(Suspicion::Empty { stored: count });
    }
    let is_most = count >= MIN_TAGS && lost * 2 > count;
    is_most.then_some(Suspicion::Lost {
        lost,
        stored: count,
    })
}
