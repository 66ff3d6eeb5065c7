//! Sorts the resources: not at all, or in the legacy order in which upstream meant them to
//! be applied.
//!
//! The command sorts by default; Flux does not.
//!
//! Parity: kustomize: `api/internal/builtins/SortOrderTransformer.go`.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::error::{Code, Error};
use crate::id::{FIRST_KINDS, Id, LAST_KINDS};
use crate::kustomization::fields::{LegacySortOptions, SortOptions};
use crate::resource_map::ResourceMap;

/// Sorts as the kustomization asks.
pub(crate) fn apply(resources: &mut ResourceMap, options: &SortOptions) -> Result<(), Error> {
    let invalid = |message: &str| Err(Error::new(Code::KustomizationInvalid, message));
    match (options.order.as_str(), &options.legacy_sort_options) {
        ("fifo", None) => {}
        ("fifo", Some(_)) => {
            return invalid(
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
            );
        }
        ("legacy", None) => legacy(resources),
        ("legacy", Some(options)) => sort(resources, &Ranks::from_options(options)),
        _ => {
            return invalid("the field 'sortOptions.order' must be one of [fifo, legacy]");
        }
    }
    Ok(())
}

/// Sorts by upstream's order of kinds.
pub(crate) fn legacy(resources: &mut ResourceMap) {
    let ranks = Ranks::new(FIRST_KINDS.iter().copied(), LAST_KINDS.iter().copied());
    sort(resources, &ranks);
}

/// The rank of each listed kind; negative ranks come first.
struct Ranks<'a> {
    ranks: HashMap<&'a str, isize>,
}

impl<'a> Ranks<'a> {
    fn new(
        first: impl ExactSizeIterator<Item = &'a str>,
        last: impl Iterator<Item = &'a str>,
    ) -> Self {
        let count = first.len().cast_signed();
        let first = first.zip(-count..);
        let ranks = first.chain(last.zip(1..)).collect();
        Self { ranks }
    }

    fn from_options(options: &'a LegacySortOptions) -> Self {
        let first = options.order_first.iter().map(String::as_str);
        Self::new(first, options.order_last.iter().map(String::as_str))
    }

    fn of_kind(&self, kind: &str) -> isize {
        self.ranks.get(kind).copied().unwrap_or_default()
    }
}

/// The texts that upstream compares, computed once per resource.
struct Key {
    rank: isize,
    id: Id,
    of_type: String,
    of_name: String,
}

fn sort(resources: &mut ResourceMap, ranks: &Ranks<'_>) {
    resources.sort_by_cached_key(
        |resource| {
            let id = resource.cur_id();
            Key {
                rank: ranks.of_kind(id.gvk.kind()),
                of_type: format!(
                    "{}_{}_{}",
                    or(id.gvk.group(), "~G"),
                    or(id.gvk.version(), "~V"),
                    or(id.gvk.kind(), "~K")
                ),
                of_name: format!("{}|{}", or(&id.namespace, "~X"), or(&id.name, "~N")),
                id,
            }
        },
        compare,
    );
}

fn compare(left: &Key, right: &Key) -> Ordering {
    let by_type = left.rank.cmp(&right.rank).then_with(|| {
        let by_type = left.of_type.cmp(&right.of_type);
        // Namespaces of the core group come before namespaces of other groups.
        let namespaces = left.id.gvk.kind() == "Namespace" && right.id.gvk.kind() == "Namespace";
        if namespaces && (left.id.gvk.group().is_empty() || right.id.gvk.group().is_empty()) {
            by_type.reverse()
        } else {
            by_type
        }
    });
    by_type.then_with(|| left.of_name.cmp(&right.of_name))
}

fn or<'a>(text: &'a str, absent: &'a str) -> &'a str {
    if text.is_empty() { absent } else { text }
}
