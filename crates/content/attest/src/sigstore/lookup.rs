//! Entries that a transparency log is asked for: the question, and the promises in its answer.
//! Pure.
//!
//! A signature under the older tag may come without the promise of a log. Then the log is asked for
//! it.
//!
//! Parity: cosign: `FindTlogEntry` in `pkg/cosign/tlog.go`. There the log must also prove that the
//! entry is in its tree. The promise alone is enough here, as it is in an annotation.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::key::sha256;
use super::legacy::LegacySignature;

/// The path below the address of a log at which it is asked.
pub const LOOKUP_PATH: &str = "/api/v1/log/entries/retrieve";
/// Maximum size of an answer. An entry has a few kilobytes.
pub const MAX_ANSWER_BYTES: usize = 1 << 20;
/// The reason if the log has no entry, as cosign words it.
pub const NOT_LOGGED: &str = "signature not found in transparency log";
/// Maximum number of promises of an answer. Logs hold a signature once.
const MAX_PROMISES: usize = 8;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogEntry {
    body: String,
    integrated_time: i64,
    log_index: i64,
    #[serde(rename = "logID")]
    log_id: String,
    verification: Option<Verification>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verification {
    signed_entry_timestamp: Option<String>,
}

impl LegacySignature<'_> {
    /// The JSON that asks a log for the entries of this signature.
    pub fn question(&self) -> String {
        let certificate = BASE64_STANDARD.encode(self.certificate);
        let hash = hex::encode(sha256(self.payload));
        let entry = json!({
            "apiVersion": "0.0.1",
            "kind": "hashedrekord",
            "spec": {
                "data": { "hash": { "algorithm": "sha256", "value": hash } },
                "signature": {
                    "content": self.signature,
                    "publicKey": { "content": certificate },
                },
            },
        });
        json!({ "entries": [entry] }).to_string()
    }
}

/// The promises in the answer of a log, earliest first, each in the form of the annotation.
pub fn promises(answer: &[u8]) -> Result<Vec<String>, String> {
    let entries: Vec<BTreeMap<String, LogEntry>> = serde_json::from_slice(answer)
        .map_err(|_| "the answer of a transparency log cannot be read".to_owned())?;
    let mut entries: Vec<LogEntry> = entries
        .into_iter()
        .flat_map(BTreeMap::into_values)
        .collect();
    entries.sort_by_key(|entry| entry.integrated_time);
    let promises: Vec<String> = entries
        .into_iter()
        .filter_map(LogEntry::promise)
        .take(MAX_PROMISES)
        .map(|promise| promise.to_string())
        .collect();
    if promises.is_empty() {
        return Err(NOT_LOGGED.to_owned());
    }
    Ok(promises)
}

impl LogEntry {
    fn promise(self) -> Option<Value> {
        let promise = self.verification?.signed_entry_timestamp?;
        Some(json!({
            "SignedEntryTimestamp": promise,
            "Payload": {
                "body": self.body,
                "integratedTime": self.integrated_time,
                "logIndex": self.log_index,
                "logID": self.log_id,
            },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(time: i64, promise: Option<&str>) -> Value {
        let mut entry = json!({
            "body": "e30=",
            "integratedTime": time,
            "logIndex": 1,
            "logID": "c0ff",
            "verification": { "inclusionProof": {} },
        });
        if let Some(promise) = promise {
            entry["verification"]["signedEntryTimestamp"] = promise.into();
        }
        entry
    }

    #[test]
    fn question_names_hash_signature_and_certificate() {
        let signature = LegacySignature {
            payload: b"",
            signature: "c2ln",
            certificate: "PEM",
            bundle: "",
        };
        let question: Value = serde_json::from_str(&signature.question()).unwrap();
        let spec = &question["entries"][0]["spec"];
        assert_eq!(
            spec["data"]["hash"]["value"],
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(spec["signature"]["content"], "c2ln");
        assert_eq!(spec["signature"]["publicKey"]["content"], "UEVN");
    }

    #[test]
    fn promises_come_by_time_and_need_a_signature() {
        let answer = json!([
            { "b": entry(2, Some("c2Vjb25k")) },
            { "a": entry(1, Some("Zmlyc3Q=")), "c": entry(0, None) },
        ]);
        let found = promises(answer.to_string().as_bytes()).unwrap();
        let signed: Vec<Value> = found
            .iter()
            .map(|promise| serde_json::from_str::<Value>(promise).unwrap())
            .map(|promise| promise["SignedEntryTimestamp"].clone())
            .collect();
        assert_eq!(signed, ["Zmlyc3Q=", "c2Vjb25k"]);
    }

    #[test]
    fn answer_without_entry_is_an_error() {
        assert_eq!(promises(b"[]"), Err(NOT_LOGGED.to_owned()));
        assert!(promises(b"{}").is_err());
        assert!(promises(b"[{\"a\":{}}]").is_err());
    }

    #[test]
    fn number_of_promises_is_limited() {
        let many: Vec<Value> = (0..100)
            .map(|time| json!({ "a": entry(time, Some("c2ln")) }))
            .collect();
        let answer = Value::from(many).to_string();
        assert_eq!(promises(answer.as_bytes()).unwrap().len(), MAX_PROMISES);
    }
}
