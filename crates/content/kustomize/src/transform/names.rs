//! `namePrefix` and `nameSuffix`.
//!
//! Whether a resource is renamed is up to its original type; definitions of
//! types, namespaces and API services never are, as their names mean something.
//!
//! Parity: kustomize: `api/internal/builtins/PrefixTransformer.go` and
//! `SuffixTransformer.go`.

use sluice_yaml::tree::{Tag, Text};

use crate::error::{Code, Error};
use crate::facts::FieldSpec;
use crate::id::Gvk;
use crate::resmap::ResMap;
use crate::transform::fieldspec::{Field, STRING, set_scalar};

/// What is added to names, and where.
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

fn keeps_its_name(gvk: &Gvk) -> bool {
    match gvk.kind() {
        "CustomResourceDefinition" | "Namespace" => true,
        "APIService" => gvk.group() == "apiregistration.k8s.io",
        _ => false,
    }
}

/// Adds the affix at the fields.
pub(crate) fn apply(
    resources: &mut ResMap,
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
        if keeps_its_name(&original) {
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
            field.visit(resource, Some(STRING), &mut |node| {
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
    use crate::facts::FieldSpec;
    use crate::transform::tables;
    use crate::transform::testing::{printed, resources};

    fn named(affix: Affix<'_>, text: &str) -> String {
        let mut resources = resources(text);
        apply(&mut resources, affix, &tables::defaults().name_prefix).unwrap();
        printed(&resources)
    }

    #[test]
    fn names_get_a_prefix_or_a_suffix_in_the_style_they_have() {
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
    fn names_that_mean_something_stay() {
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
    fn each_prefix_is_remembered_and_the_empty_one_is_none() {
        let mut resources = resources("kind: Pod\nmetadata:\n  name: web\n");
        let fields = &tables::defaults().name_prefix;
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
    fn another_field_gets_the_prefix_and_is_no_name() {
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
    fn without_a_field_there_is_nothing_to_do_and_upstream_refuses_that() {
        let mut resources = resources("kind: Pod\nmetadata:\n  name: web\n");
        assert!(apply(&mut resources, Affix::Prefix("a-"), &[]).is_err());
    }
}
