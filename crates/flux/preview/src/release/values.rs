//! Composes the values of a release from its references.

use sluice_api::helm::{HelmRelease, ValuesReference};
use sluice_chart::Values;
use sluice_release::values::{Composer, ValuesLookup, key_of};

use super::objects::{Objects, entries};
use crate::Error;

/// Composes the values that the controller gives to the chart.
pub fn compose(objects: &Objects<'_>, object: &HelmRelease) -> Result<Values, Error> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let mut composer = Composer::new(namespace, object.spec.values.as_ref());
    for reference in &object.spec.values_from {
        let found = find(objects, namespace, reference)?;
        composer.add(reference, found).map_err(Error::user)?;
    }
    Ok(composer.finish())
}

/// Reads the data of a reference.
fn find(
    objects: &Objects<'_>,
    namespace: &str,
    reference: &ValuesReference,
) -> Result<ValuesLookup, Error> {
    let (kind, name) = (reference.kind.as_str(), &*reference.name);
    let Some(found) = objects.find(kind, namespace, name)? else {
        let plural = format!("{}s", kind.to_lowercase());
        return Ok(ValuesLookup::NoObject(format!(
            "{plural} \"{name}\" not found"
        )));
    };
    let entry = entries(&found)?.remove(key_of(reference));
    Ok(entry.map_or(ValuesLookup::NoKey, ValuesLookup::Data))
}
