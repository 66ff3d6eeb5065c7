//! Regular expressions as users write them in kustomizations.
//!
//! Upstream speaks RE2 through Go; this engine is of the same family and as
//! linear, and what little of the syntax differs is rewritten. What it would
//! compile to is bounded, so that no expression can take the memory of the process.

use regex::Regex;
use sluice_golang::regexp;

use crate::id::{Gvk, Id};
use crate::kustomization::fields::Selector;

/// What an expression may compile to, in bytes. Go has a similar bound.
const SIZE_LIMIT: usize = 1 << 20;

/// Compiles an expression that may match anywhere in a text. The error is in
/// Go's words.
pub(crate) fn compile(pattern: &str) -> Result<Regex, String> {
    regexp::compile(pattern, SIZE_LIMIT).map_err(|error| error.to_string())
}

/// An expression that has to match all of a text; an empty one matches any.
#[derive(Debug, Clone)]
struct Whole(Option<Regex>);

impl Whole {
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

/// A selector of resources with its expressions compiled. Labels and
/// annotations are not its business.
#[derive(Debug, Clone)]
pub(crate) struct IdPattern {
    group: Whole,
    version: Whole,
    kind: Whole,
    name: Whole,
    namespace: Whole,
    /// It asks for nothing.
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
            group: Whole::new(&selector.group)?,
            version: Whole::new(&selector.version)?,
            kind: Whole::new(&selector.kind)?,
            name: Whole::new(&selector.name)?,
            namespace: Whole::new(&selector.namespace)?,
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

    /// Does it match the id, with its namespace as written?
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
    fn each_part_of_a_selector_matches_the_whole_text() {
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
        // The namespace is compared as it is written.
        assert!(!pattern("web", "default").matches(&id("web", "")));
        assert!(pattern("", "").is_empty);
    }

    #[test]
    fn an_absurd_expression_is_refused() {
        assert!(compile("((a{100}){100}){100}").is_err());
        assert!(compile("a(").is_err());
    }
}
