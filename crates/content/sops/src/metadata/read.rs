//! Parses the section into [`Metadata`].

use crate::error::LoadError;
use crate::metadata::{KeyGroup, MAX_KEYS, MasterKey, Metadata, is_time, to_the_second};
use crate::recipient::Recipient;
use crate::rules::Rule;
use crate::tree::{Branch, Element, Value};

impl Metadata {
    /// Parses the section.
    pub(crate) fn read(section: &Branch) -> Result<Self, LoadError> {
        let fields = Fields(section);
        let last_modified = fields.text("lastmodified")?;
        let last_modified = to_the_second(&last_modified)
            .ok_or_else(|| invalid_field("lastmodified", "it is not a time as in RFC 3339"))?;
        let groups = groups(&fields)?;
        if groups.iter().map(Vec::len).sum::<usize>() > MAX_KEYS {
            return Err(invalid_field("key_groups", "there are more than 512 keys"));
        }
        Ok(Self {
            threshold: fields.number("shamir_threshold")?,
            rule: rule(&fields)?,
            mac: fields.text("mac")?,
            mac_only_encrypted: fields.flag("mac_only_encrypted")?,
            last_modified,
            version: fields.text("version")?,
            groups,
        })
    }
}

fn invalid_field(field: &str, reason: &'static str) -> LoadError {
    LoadError::Metadata {
        field: field.to_owned(),
        reason,
    }
}

fn rule(fields: &Fields<'_>) -> Result<Rule, LoadError> {
    let mut rule = None;
    for name in [
        "unencrypted_suffix",
        "encrypted_suffix",
        "unencrypted_regex",
        "encrypted_regex",
        "unencrypted_comment_regex",
        "encrypted_comment_regex",
    ] {
        let value = fields.text(name)?;
        if value.is_empty() {
            continue;
        }
        if rule.is_some() {
            return Err(invalid_field(
                name,
                "another rule of what is encrypted stands beside it",
            ));
        }
        rule = Rule::named(name, &value);
    }
    Ok(rule.unwrap_or_default())
}

fn groups(fields: &Fields<'_>) -> Result<Vec<KeyGroup>, LoadError> {
    let group = group(fields)?;
    if !group.is_empty() {
        return Ok(vec![group]);
    }
    let groups = fields.list("key_groups")?;
    if groups.is_empty() {
        return Err(LoadError::NoKeys);
    }
    groups
        .into_iter()
        .map(|fields| self::group(&fields))
        .collect()
}

/// Parses the keys of a group. Types without a fixed order have upstream's order.
fn group(fields: &Fields<'_>) -> Result<KeyGroup, LoadError> {
    type RecipientParser = fn(&Fields<'_>) -> Result<Recipient, LoadError>;
    const TYPES: [(&str, RecipientParser); 7] = [
        ("kms", aws),
        ("gcp_kms", |key| {
            Ok(Recipient::GcpKms {
                resource_id: key.text("resource_id")?,
            })
        }),
        ("hckms", |key| {
            Ok(Recipient::HuaweiKms {
                key_id: key.text("key_id")?,
            })
        }),
        ("azure_kv", |key| {
            Ok(Recipient::AzureKeyVault {
                vault_url: key.text("vault_url")?,
                name: key.text("name")?,
                version: key.text("version")?,
            })
        }),
        ("hc_vault", |key| {
            Ok(Recipient::Vault {
                address: key.text("vault_address")?,
                engine: key.text("engine_path")?,
                key: key.text("key_name")?,
            })
        }),
        ("pgp", |key| {
            Ok(Recipient::Pgp {
                fingerprint: key.text("fp")?,
            })
        }),
        ("age", |key| {
            Ok(Recipient::Age {
                recipient: key.text("recipient")?,
            })
        }),
    ];
    let mut group = KeyGroup::new();
    for (name, read) in TYPES {
        for key in fields.list(name)? {
            let created_at = match name {
                "age" => None,
                _ => {
                    let time = key.text("created_at")?;
                    if !is_time(&time) {
                        return Err(invalid_field(
                            "created_at",
                            "it is not a time as in RFC 3339",
                        ));
                    }
                    Some(time)
                }
            };
            group.push(MasterKey {
                recipient: read(&key)?,
                wrapped: key.text("enc")?,
                created_at,
            });
        }
    }
    Ok(group)
}

fn aws(key: &Fields<'_>) -> Result<Recipient, LoadError> {
    let context = match key.0.get("context") {
        Some(Value::Branch(context)) => {
            let fields = Fields(context);
            let entries = context.entries();
            let entries = entries.map(|(name, _)| Ok((name.to_owned(), fields.text(name)?)));
            entries.collect::<Result<_, LoadError>>()?
        }
        Some(Value::Null) | None => Vec::new(),
        Some(_) => return Err(invalid_field("context", "it is not a mapping")),
    };
    Ok(Recipient::AwsKms {
        arn: key.text("arn")?,
        role: key.text("role")?,
        context,
        profile: key.text("aws_profile")?,
    })
}

/// The fields of a mapping, with lenient types.
struct Fields<'a>(&'a Branch);

impl Fields<'_> {
    fn text(&self, name: &str) -> Result<String, LoadError> {
        Ok(match self.0.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::Text(text) | Value::Time(text)) => {
                let text = str::from_utf8(text.expose());
                text.map_err(|_| invalid_field(name, "it is not a text"))?
                    .to_owned()
            }
            Some(Value::Bool(value)) => u8::from(*value).to_string(),
            Some(Value::Int(value)) => value.to_string(),
            Some(_) => return Err(invalid_field(name, "it is not a text")),
        })
    }

    fn number(&self, name: &str) -> Result<usize, LoadError> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Ok(0);
        }
        text.parse()
            .map_err(|_| invalid_field(name, "it is not a number"))
    }

    fn flag(&self, name: &str) -> Result<bool, LoadError> {
        match self.0.get(name) {
            Some(Value::Bool(value)) => Ok(*value),
            Some(Value::Int(value)) => Ok(*value != 0),
            _ => {
                let text = self.text(name)?;
                let flag = sluice_golang::boolean::parse(&text);
                match flag {
                    _ if text.is_empty() => Ok(false),
                    Ok(flag) => Ok(flag),
                    Err(_) => Err(invalid_field(name, "it is not a boolean")),
                }
            }
        }
    }

    /// Returns a list of mappings; a single mapping counts as a list.
    fn list(&self, name: &str) -> Result<Vec<Self>, LoadError> {
        let refused = || invalid_field(name, "it is not a list of mappings");
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Branch(one)) if one.0.is_empty() => Ok(Vec::new()),
            Some(Value::Branch(one)) => Ok(vec![Fields(one)]),
            Some(Value::List(items)) => items
                .iter()
                .filter_map(|item| match item {
                    Element::Comment(_) => None,
                    Element::Value(Value::Branch(branch)) => Some(Ok(Fields(branch))),
                    Element::Value(_) => Some(Err(refused())),
                })
                .collect(),
            Some(_) => Err(refused()),
        }
    }
}
