//! Selects the targets of a patch.
//!
//! Name and namespace may be the original or the current ones; the type is the current one.
//!
//! Parity: kustomize: `api/resmap/reswrangler.go` (`Select`).

use std::fmt;

use sluice_object::selector::{InvalidSelector, Selector};

use crate::error::{Code, Error};
use crate::id::{Gvk, Id};
use crate::kustomization::fields;
use crate::pattern::IdPattern;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;

/// The target selector of a patch.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    selector: fields::Selector,
}

impl Target {
    pub(crate) fn new(selector: &fields::Selector) -> Self {
        Self {
            selector: selector.clone(),
        }
    }

    /// Returns the positions of the selected resources.
    pub(crate) fn select(&self, resources: &ResourceMap) -> Result<Vec<usize>, Error> {
        let selector = &self.selector;
        let pattern =
            IdPattern::new(selector).map_err(|error| Error::new(Code::PatchTarget, error))?;
        let mut labels = LazySelector::new(&selector.label_selector);
        let mut annotations = LazySelector::new(&selector.annotation_selector);
        let mut selected = Vec::new();
        for (place, resource) in resources.iter().enumerate() {
            if matches(&pattern, resource)
                && labels.matches(resource, "labels")?
                && annotations.matches(resource, "annotations")?
            {
                selected.push(place);
            }
        }
        Ok(selected)
    }
}

fn matches(pattern: &IdPattern, resource: &Resource) -> bool {
    let current = resource.cur_id();
    if !pattern.matches_gvk(&current.gvk) {
        return false;
    }
    let original = resource.orig_id();
    let either = |is_match: &dyn Fn(&Id) -> bool| is_match(&original) || is_match(&current);
    either(&|id| pattern.matches_name(&id.name))
        && either(&|id| pattern.matches_namespace(id.effective_namespace()))
}

/// A label selector that is parsed on first use. Upstream reports an invalid selector only if
/// a resource matches all else.
struct LazySelector<'a> {
    text: &'a str,
    selector: Option<Selector>,
}

impl<'a> LazySelector<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            selector: None,
        }
    }

    fn matches(&mut self, resource: &Resource, field: &str) -> Result<bool, Error> {
        let selector = match &mut self.selector {
            Some(selector) => selector,
            none => {
                let invalid =
                    |error: InvalidSelector| Error::new(Code::PatchTarget, error.to_string());
                none.insert(Selector::parse(self.text).map_err(invalid)?)
            }
        };
        let map = resource.node().lookup(&["metadata", field]);
        Ok(selector.matches(|key| {
            let value = map?.get(key)?;
            Some(value.as_str().unwrap_or_default())
        }))
    }
}

/// Formats the target as upstream does in errors.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selector = &self.selector;
        let id = Id {
            gvk: Gvk::from_parts(&selector.group, &selector.version, &selector.kind),
            name: selector.name.as_str().into(),
            namespace: selector.namespace.as_str().into(),
            cluster_scoped: false,
        };
        let (annotations, labels) = (&selector.annotation_selector, &selector.label_selector);
        write!(f, "{id}:a={annotations}:l={labels}")
    }
}
