//! Renders [`Metadata`] as a section: sorted fields, without empty ones.

use crate::metadata::{KeyGroup, MasterKey, Metadata};
use crate::recipient::{KeyType, Recipient};
use crate::tree::{Branch, Element, Value};

impl Metadata {
    /// Renders the section.
    pub(crate) fn write(&self) -> Branch {
        let mut fields: Vec<(&str, Value)> = vec![
            ("lastmodified", Value::text(self.last_modified.as_str())),
            ("mac", Value::text(self.mac.as_str())),
            ("version", Value::text(self.version.as_str())),
            (self.rule.field(), Value::text(self.rule.value())),
        ];
        if self.mac_only_encrypted {
            fields.push(("mac_only_encrypted", Value::Bool(true)));
        }
        if self.threshold > 0 {
            let threshold = i64::try_from(self.threshold).unwrap_or(i64::MAX);
            fields.push(("shamir_threshold", Value::Int(threshold)));
        }
        if let [group] = self.groups.as_slice() {
            fields.extend(lists(group));
        } else {
            let groups = self.groups.iter().map(|group| {
                let mut lists = lists(group);
                // Upstream writes these two fields even if empty.
                for name in ["age", "hc_vault"] {
                    if lists.iter().all(|(known, _)| *known != name) {
                        lists.push((name, Value::List(Vec::new())));
                    }
                }
                Element::Value(Value::Branch(sorted(lists)))
            });
            fields.push(("key_groups", Value::List(groups.collect())));
        }
        sorted(fields)
    }
}

fn sorted(mut fields: Vec<(&str, Value)>) -> Branch {
    fields.sort_by_key(|(name, _)| *name);
    let mut branch = Branch::default();
    for (name, value) in fields {
        branch.push(name, value);
    }
    branch
}

/// The keys of a group, by type.
fn lists(group: &KeyGroup) -> Vec<(&'static str, Value)> {
    const TYPES: [(KeyType, &str); 7] = [
        (KeyType::Age, "age"),
        (KeyType::AzureKeyVault, "azure_kv"),
        (KeyType::GcpKms, "gcp_kms"),
        (KeyType::Vault, "hc_vault"),
        (KeyType::HuaweiKms, "hckms"),
        (KeyType::AwsKms, "kms"),
        (KeyType::Pgp, "pgp"),
    ];
    TYPES
        .into_iter()
        .filter_map(|(key_type, name)| {
            let keys = group
                .iter()
                .filter(|key| key.recipient.key_type() == key_type);
            let keys: Vec<_> = keys.map(|key| Element::Value(key.write())).collect();
            (!keys.is_empty()).then_some((name, Value::List(keys)))
        })
        .collect()
}

impl MasterKey {
    fn write(&self) -> Value {
        let mut fields = vec![("enc", Value::text(self.wrapped.as_str()))];
        if let Some(time) = &self.created_at {
            fields.push(("created_at", Value::text(time.as_str())));
        }
        let mut text = |name, value: &String| fields.push((name, Value::text(value.as_str())));
        match &self.recipient {
            Recipient::Age { recipient } => text("recipient", recipient),
            Recipient::Pgp { fingerprint } => text("fp", fingerprint),
            Recipient::GcpKms { resource_id } => text("resource_id", resource_id),
            Recipient::HuaweiKms { key_id } => text("key_id", key_id),
            Recipient::AzureKeyVault {
                vault_url,
                name,
                version,
            } => {
                text("vault_url", vault_url);
                text("name", name);
                text("version", version);
            }
            Recipient::Vault {
                address,
                engine,
                key,
            } => {
                text("vault_address", address);
                text("engine_path", engine);
                text("key_name", key);
            }
            Recipient::AwsKms {
                arn,
                role,
                context,
                profile,
            } => {
                text("arn", arn);
                text("aws_profile", profile);
                if !role.is_empty() {
                    text("role", role);
                }
                if !context.is_empty() {
                    let entries = context.iter();
                    let entries =
                        entries.map(|(name, value)| (name.as_str(), Value::text(value.as_str())));
                    fields.push(("context", Value::Branch(sorted(entries.collect()))));
                }
            }
        }
        Value::Branch(sorted(fields))
    }
}
