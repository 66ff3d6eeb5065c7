//! The fields that each transformer changes by default.
//!
//! The table is the sorted file `defaults.txt`, which names its source. It is parsed once
//! per process, without copying its texts. `configurations` and `crds` extend a copy.

use std::sync::{Arc, LazyLock};

use sluice_yaml::tree::Text;

use super::{FieldSpec, NameReference, TransformerConfig};
use crate::id::GvkPattern;

static DEFAULTS: LazyLock<Arc<TransformerConfig>> =
    LazyLock::new(|| Arc::new(read(include_str!("defaults.txt"))));

/// Returns the built-in configuration.
pub(crate) fn defaults() -> Arc<TransformerConfig> {
    Arc::clone(&DEFAULTS)
}

/// Parses the table. It is part of the program and a test parses it, so it is valid.
fn read(table: &'static str) -> TransformerConfig {
    let mut config = TransformerConfig::default();
    let mut section = "";
    for line in table.lines() {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().expect("a row names a type and a path");
        if line.starts_with("  ") {
            let (kind, group, version) = (any(word()), any(word()), any(word()));
            let gvk = GvkPattern {
                group,
                version,
                kind,
            };
            let path = Text::from_static(word());
            let create = words.next() == Some("create");
            fields(&mut config, section).push(FieldSpec { gvk, path, create });
        } else if !line.is_empty() && !line.starts_with('#') {
            section = word();
            if section == "nameReference" {
                let (group, version, kind) = (any(word()), any(word()), any(word()));
                config.name_reference.push(NameReference {
                    gvk: GvkPattern {
                        group,
                        version,
                        kind,
                    },
                    referrers: Vec::new(),
                });
            }
        }
    }
    config
}

/// Parses a part of a type; `-` matches anything.
fn any(word: &'static str) -> Text {
    Text::from_static(if word == "-" { "" } else { word })
}

fn fields<'a>(config: &'a mut TransformerConfig, section: &str) -> &'a mut Vec<FieldSpec> {
    match section {
        "namePrefix" => &mut config.name_prefix,
        "nameSuffix" => &mut config.name_suffix,
        "namespace" => &mut config.namespace,
        "commonLabels" => &mut config.common_labels,
        "templateLabels" => &mut config.template_labels,
        "commonAnnotations" => &mut config.common_annotations,
        "varReference" => &mut config.var_reference,
        "images" => &mut config.images,
        "replicas" => &mut config.replicas,
        "nameReference" => {
            let last = config.name_reference.last_mut();
            &mut last.expect("a type precedes its rows").referrers
        }
        unknown => unreachable!("a row follows the name of a transformer, not {unknown:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn defaults_have_as_many_fields_as_upstream() {
        let config = defaults();
        let count = |fields: &Vec<_>| fields.len();
        assert_eq!(count(&config.name_prefix), 1);
        assert_eq!(count(&config.name_suffix), 1);
        assert_eq!(count(&config.namespace), 3);
        assert_eq!(count(&config.common_labels), 32);
        assert_eq!(count(&config.labels), 0);
        assert_eq!(count(&config.template_labels), 10);
        assert_eq!(count(&config.common_annotations), 9);
        assert_eq!(count(&config.var_reference), 72);
        assert_eq!(count(&config.images), 6);
        assert_eq!(count(&config.replicas), 4);
        let referrers = config.name_reference.iter();
        assert_eq!(
            referrers
                .map(|target| target.referrers.len())
                .sum::<usize>(),
            167
        );
    }

    #[test]
    fn ingress_class_keeps_the_odd_group_of_upstream() {
        let config = defaults();
        let mut targets = config.name_reference.iter();
        let class = targets
            .find(|target| target.gvk.kind == "IngressClass")
            .unwrap();
        assert_eq!(class.gvk.group, "networking.k8s.io/v1");
        assert!(!class.referrers[0].create);
    }

    #[test]
    fn create_flag_is_parsed() {
        let config = defaults();
        let webhook = &config.namespace[1];
        assert_eq!(webhook.gvk.kind, "CustomResourceDefinition");
        assert!(!webhook.create);
        assert!(config.images.iter().all(|field| field.create));
    }
}
