//! Compiles the regular expressions of kustomizations.
//!
//! Upstream uses Go's RE2. This engine is of the same family and also linear, and differing
//! syntax is rewritten. The compiled size is limited, so an expression cannot exhaust the
//! memory of the process.

use regex::Regex;
use sluice_golang::regexp;

use crate::id::{Gvk, Id};
use crate::kustomization::fields::Selector;

/// The maximum size of a compiled expression, in bytes. Go has a similar limit.
const SIZE_LIMIT: usize = 1 << 20;

/// Compiles an expression that may match anywhere in a text. Errors are in Go's words.
pub(crate) fn compile(pattern: &str) -> Result<Regex, String> {
    regexp::compile(pattern, SIZE_LIMIT).map_err(|error| error.to_string())
}

/// An expression that must match a whole text; an empty one matches anything.
#[derive(Debug, Clone)]
struct WholeMatch(Option<Regex>);

impl WholeMatch {
    fn new(pattern: &str) -> Result<Self, String> {
        if pattern.is_empty() {
            return Ok(Self(None));
        }
        compile(&format!("^(?:{pattern})$")).map(|pattern| Self(Some(pattern)))
    }

    fn is_match(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|pattern| pattern.is_match(text))
    }
}

/// The compiled id fields of a selector, without labels and annotations.
#[derive(Debug, Clone)]
pub(crate) struct IdPattern {
    group: WholeMatch,
    version: WholeMatch,
    kind: WholeMatch,
    name: WholeMatch,
    namespace: WholeMatch,
    /// Whether all fields are empty.
    pub(crate) is_empty: bool,
}

impl IdPattern {
    pub(crate) fn new(selector: &Selector) -> Result<Self, String> {
        let texts = [
            &selector.group,
            &selector.version,
            &selector.kind,
            &selector.name,
            &selector.namespace,
        ];
        Ok(Self {
            group: WholeMatch::new(&selector.group)?,
            version: WholeMatch::new(&selector.version)?,
            kind: WholeMatch::new(&selector.kind)?,
            name: WholeMatch::new(&selector.name)?,
            namespace: WholeMatch::new(&selector.namespace)?,
            is_empty: texts.iter().all(|text| text.is_empty()),
        })
    }

    pub(crate) fn matches_gvk(&self, gvk: &Gvk) -> bool {
        self.group.is_match(gvk.group())
            && self.version.is_match(gvk.version())
            && self.kind.is_match(gvk.kind())
    }

    pub(crate) fn matches_name(&self, name: &str) -> bool {
        self.name.is_match(name)
    }

    pub(crate) fn matches_namespace(&self, namespace: &str) -> bool {
        self.namespace.is_match(namespace)
    }

    /// Whether it matches an id, with the namespace as written.
    pub(crate) fn matches(&self, id: &Id) -> bool {
        self.matches_gvk(&id.gvk)
            && self.matches_name(&id.name)
            && self.matches_namespace(&id.namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::{IdPattern, compile};
    use crate::id::{Gvk, Id};
    use crate::kustomization::fields::Selector;

    fn id(name: &str, namespace: &str) -> Id {
        Id {
            gvk: Gvk::from_parts("apps", "v1", "Deployment"),
            name: name.into(),
            namespace: namespace.into(),
            cluster_scoped: false,
        }
    }

    #[test]
    fn each_part_of_a_selector_matches_a_whole_text() {
        let pattern = |name: &str, namespace: &str| {
            let selector = Selector {
                name: name.to_owned(),
                namespace: namespace.to_owned(),
                ..Selector::default()
            };
            IdPattern::new(&selector).unwrap()
        };
        assert!(pattern("web", "").matches(&id("web", "a")));
        assert!(!pattern("web", "").matches(&id("web-2", "a")));
        assert!(pattern("web.*|db", "").matches(&id("web-2", "a")));
        assert!(!pattern("web", "b").matches(&id("web", "a")));
        // The namespace is compared as written.
        assert!(!pattern("web", "default").matches(&id("web", "")));
        assert!(pattern("", "").is_empty);
    }

    #[test]
    fn oversized_or_invalid_expression_is_rejected() {
        assert!(compile("((a{100}){100}){100}").is_err());
        assert!(compile("a(").is_err());
    }
}
