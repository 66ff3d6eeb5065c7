//! Masks the encrypted values of Secrets, so that a render can be printed and compared.
//! Plain values stay, because the output is meant to be applied.
//!
//! Parity: flux2: `internal/build/build.go`, including the base64 mask in `stringData`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sluice_object::Object;
use sluice_yaml::v2;

/// Replaces an encrypted value.
pub const MASK: &str = "**SOPS**";
const JSON_MASK: &str = r#"{"mask":"**SOPS**"}"#;

/// Masks the values of a Secret that SOPS encrypted.
pub(crate) fn mask_secret(object: &mut Object) -> Result<(), String> {
    if object.kind() != "Secret" {
        return Ok(());
    }
    let text = v2::to_string(&object.to_value());
    if text.contains("sops:") && text.contains("mac: ENC[") {
        mask_all(object);
        return Ok(());
    }
    let failed =
        |name: &str, cause: String| format!("failed to mask secret {name} sops data: {cause}");
    let name = object.name().to_owned();
    for (field, is_encoded) in [("data", true), ("stringData", false)] {
        for value in values(object, field) {
            let text = value.as_str().unwrap_or_default();
            let bytes = if is_encoded {
                decode(text).map_err(|cause| failed(&name, cause))?
            } else {
                text.as_bytes().to_vec()
            };
            if contains(&bytes, b"sops") && contains(&bytes, b"ENC[") {
                *value = STANDARD.encode(MASK).into();
            }
        }
    }
    Ok(())
}

/// Masks every value of a Secret that is encrypted as a whole and removes the SOPS metadata.
fn mask_all(object: &mut Object) {
    object.as_map_mut().remove("sops");
    let is_docker = object.str_at(&["type"]) == Some("kubernetes.io/dockerconfigjson");
    let mask = if is_docker { JSON_MASK } else { MASK };
    for value in values(object, "data") {
        *value = STANDARD.encode(mask).into();
    }
    for value in values(object, "stringData") {
        *value = mask.into();
    }
}

fn values<'o>(object: &'o mut Object, field: &str) -> impl Iterator<Item = &'o mut Value> {
    let map = object.as_map_mut().get_mut(field);
    map.and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Decodes base64 as Go does, which ignores line ends.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    let text = text.replace(['\r', '\n'], "");
    STANDARD.decode(text).map_err(|error| match error {
        base64::DecodeError::InvalidByte(at, _) | base64::DecodeError::InvalidLastSymbol(at, _) => {
            format!("illegal base64 data at input byte {at}")
        }
        _ => "illegal base64 data".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masked(value: Value) -> Value {
        let mut object: Object = serde_json::from_value(value).unwrap();
        mask_secret(&mut object).unwrap();
        object.into_value()
    }

    #[test]
    fn only_encrypted_values_are_masked() {
        let file = STANDARD.encode("a: ENC[AES256_GCM]\nsops:\n  mac: ENC[x]\n");
        let value = masked(
            json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
            "data": {"clear": "aHVudGVyMg==", "file": file},
            "stringData": {"file": "a: ENC[x]\nsops: {}\n", "clear": "b"}}),
        );
        let mask = STANDARD.encode(MASK);
        assert_eq!(
            value["data"],
            json!({"clear": "aHVudGVyMg==", "file": mask})
        );
        assert_eq!(value["stringData"], json!({"clear": "b", "file": mask}));
    }

    #[test]
    fn encrypted_secret_loses_every_value() {
        let secret = |kind: &str| {
            masked(
                json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "type": kind,
                "data": {"a": "ENC[x]"}, "stringData": {"b": "ENC[y]"}, "sops": {"mac": "ENC[z]"}}),
            )
        };
        let opaque = secret("Opaque");
        assert_eq!(opaque["data"]["a"], STANDARD.encode(MASK));
        assert_eq!(opaque["stringData"]["b"], MASK);
        assert_eq!(opaque.get("sops"), None);
        let docker = secret("kubernetes.io/dockerconfigjson");
        assert_eq!(docker["data"]["a"], STANDARD.encode(JSON_MASK));
        assert_eq!(docker["stringData"]["b"], JSON_MASK);
    }

    #[test]
    fn base64_error_does_not_contain_the_value() {
        let mut object: Object =
            serde_json::from_value(json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "a"}, "data": {"a": "hunter2!"}}))
            .unwrap();
        assert_eq!(
            mask_secret(&mut object).unwrap_err(),
            "failed to mask secret a sops data: illegal base64 data at input byte 7"
        );
    }
}
