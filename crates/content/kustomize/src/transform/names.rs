//! `namePrefix` and `nameSuffix`.
//!
//! The original type decides whether a resource is renamed. CRDs, namespaces and API services
//! are not renamed, because their names have a meaning.
//!
//! Parity: kustomize: `api/internal/builtins/PrefixTransformer.go` and
//! `SuffixTransformer.go`.

use sluice_yaml::tree::{Tag, Text};

use crate::configuration::FieldSpec;
use crate::error::{Code, Error};
use crate::id::Gvk;
use crate::resource_map::ResourceMap;
use crate::transform::fieldspec::{Field, STRING_LEAF, set_scalar};

/// A text to add to names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Affix<'a> {
    Prefix(&'a str),
    Suffix(&'a str),
}

impl<'a> Affix<'a> {
    fn text(self) -> &'a str {
        let (Self::Prefix(text) | Self::Suffix(text)) = self;
        text
    }

    fn added_to(self, name: &str) -> String {
        match self {
            Self::Prefix(prefix) => format!("{prefix}{name}"),
            Self::Suffix(suffix) => format!("{name}{suffix}"),
        }
    }

    fn is_empty(self) -> bool {
        self.text().is_empty()
    }
}

fn is_never_renamed(gvk: &Gvk) -> bool {
    match gvk.kind() {
        "CustomResourceDefinition" | "Namespace" => true,
        "APIService" => gvk.group() == "apiregistration.k8s.io",
        _ => false,
    }
}

/// Adds the affix to the fields.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    affix: Affix<'_>,
    fields: &[FieldSpec],
) -> Result<(), Error> {
    if fields.is_empty() {
        let message = "fieldSpecs is not expected to be nil";
        return Err(Error::new(Code::PluginInvalid, message));
    }
    let growth = resources.growth();
    let fields = Field::all(fields, &growth);
    for resource in resources.iter_mut() {
        let original = resource.orig_id().gvk;
        if is_never_renamed(&original) {
            continue;
        }
        for field in fields.iter().filter(|field| field.is_in(&original)) {
            if field.path() == "metadata/name" {
                match affix {
                    Affix::Prefix(prefix) => resource.add_prefix(prefix),
                    Affix::Suffix(suffix) => resource.add_suffix(suffix),
                }
                if !affix.is_empty() {
                    growth.add_text(&resource.name())?;
                    resource.store_previous_id();
                }
            }
            if !field.is_in(&resource.gvk()) {
                continue;
            }
            field.visit(resource, Some(STRING_LEAF), &mut |node| {
                let name = affix.added_to(node.as_str().unwrap_or_default());
                growth.add(affix.text().len() as u64)?;
                set_scalar(node, Text::from(name), Tag::Unset)
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Affix, apply};
    use crate::configuration;
    use crate::configuration::FieldSpec;
    use crate::transform::testing::{printed, resources};

    fn named(affix: Affix<'_>, text: &str) -> String {
        let mut resources = resources(text);
        apply(
            &mut resources,
            affix,
            &configuration::defaults().name_prefix,
        )
        .unwrap();
        printed(&resources)
    }

    #[test]
    fn affix_keeps_the_style_of_the_name() {
        let pod = "kind: Pod\nmetadata:\n  name: 'web'\n";
        assert_eq!(
            named(Affix::Prefix("a-"), pod),
            "kind: Pod\nmetadata:\n  name: 'a-web'\n"
        );
        assert_eq!(
            named(Affix::Suffix("-a"), pod),
            "kind: Pod\nmetadata:\n  name: 'web-a'\n"
        );
    }

    #[test]
    fn meaningful_names_are_not_changed() {
        for (api_version, kind) in [
            ("v1", "Namespace"),
            ("example.com/v1", "Namespace"),
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
            ("apiregistration.k8s.io/v1", "APIService"),
        ] {
            let text = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: web\n");
            assert_eq!(named(Affix::Prefix("a-"), &text), text);
        }
        let other = "apiVersion: example.com/v1\nkind: APIService\nmetadata:\n  name: web\n";
        assert!(named(Affix::Prefix("a-"), other).ends_with("name: a-web\n"));
    }

    #[test]
    fn prefixes_are_recorded_except_empty_ones() {
        let mut resources = resources("kind: Pod\nmetadata:\n  name: web\n");
        let fields = &configuration::defaults().name_prefix;
        for prefix in ["a-", "", "b-"] {
            apply(&mut resources, Affix::Prefix(prefix), fields).unwrap();
        }
        let pod = resources.get(0);
        assert_eq!(pod.name(), "b-a-web");
        assert_eq!(pod.prefixes(), ["a-", "b-"]);
        let previous: Vec<_> = pod.previous_ids().map(|id| id.name).collect();
        assert_eq!(previous, ["web", "a-web"]);
    }

    #[test]
    fn prefix_of_another_field_is_not_recorded() {
        let mut resources = resources("kind: Pod\nmetadata:\n  name: web\nspec:\n  who: me\n");
        let field = FieldSpec {
            path: "spec/who".into(),
            ..FieldSpec::default()
        };
        apply(&mut resources, Affix::Prefix("a-"), &[field]).unwrap();
        let pod = resources.get(0);
        assert_eq!(pod.node().text_at(&["spec", "who"]), Some("a-me"));
        assert_eq!(pod.name(), "web");
        assert!(pod.prefixes().is_empty());
    }

    #[test]
    fn empty_field_table_is_rejected_as_in_upstream() {
        let mut resources = resources("kind: Pod\nmetadata:\n  name: web\n");
        assert!(apply(&mut resources, Affix::Prefix("a-"), &[]).is_err());
    }
}
