//! Tests of imported keys: accepted forms and texts of rejections.

use super::*;

const AGE_KEY: &str = include_str!("../../tests/fixtures/keys/x25519.agekey");
const PGP_KEY: &str = include_str!("../../tests/fixtures/keys/curve25519.asc");

fn imported(entries: &[(&str, &str)]) -> Result<ImportedKeys, ImportError> {
    let entries = entries
        .iter()
        .map(|(name, value)| (*name, value.as_bytes()));
    import(entries, "apps/keys")
}

#[test]
fn entries_are_parsed_by_their_names() {
    let imported = imported(&[
        ("a.agekey", AGE_KEY),
        ("b.agekey", AGE_KEY),
        ("a.asc", PGP_KEY),
        ("sops.vault-token", "\n s.token \n"),
        (
            "sops.aws-kms",
            "aws_access_key_id: id\naws_secret_access_key: secret\naws_session_token: token\n",
        ),
        ("sops.azure-kv", "clientId: c\n"),
        ("sops.gcp-kms", "{\"type\": \"service_account\"}\n"),
        ("other.vault-token", "x"),
        ("README", "x"),
    ])
    .unwrap();
    assert_eq!(imported.age.recipients().len(), 2);
    assert!(!imported.pgp.is_empty());
    assert_eq!(imported.vault_token.unwrap().expose(), "s.token");
    assert_eq!(imported.aws.unwrap().access_key_id, "id");
    assert!(imported.gcp.is_some());
    assert_eq!(
        imported.azure,
        Some(AzureCredentials::Managed {
            client: "c".to_owned()
        })
    );
}

#[test]
fn invalid_entry_is_reported_without_its_value() {
    for (name, value, reason) in [
        (
            "a.agekey",
            "canary",
            "failed to parse and add to age identities: line 1: malformed secret key",
        ),
        ("a.asc", "canary", "the text has no armored OpenPGP key"),
        (
            "sops.aws-kms",
            "canary",
            "failed to unmarshal AWS credentials file",
        ),
        (
            "sops.azure-kv",
            "canary",
            "failed to unmarshal Azure authentication file",
        ),
        (
            "sops.gcp-kms",
            "canary",
            "failed to unmarshal GCP service account",
        ),
    ] {
        let error = imported(&[(name, value)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "failed to import '{name}' data from sops decryption Secret 'apps/keys': {reason}"
            )
        );
        assert!(!format!("{error:?}").contains("canary"));
    }
}

#[test]
fn default_secret_provides_age_identities_only() {
    let entries = [
        ("a.agekey", AGE_KEY),
        ("a.asc", "canary"),
        ("sops.vault-token", "canary"),
        ("sops.aws-kms", "canary"),
    ];
    let bytes = |(name, value): (&'static str, &'static str)| (name, value.as_bytes());
    let imported = import_age(entries.map(bytes), "flux-system/age").unwrap();
    assert_eq!(imported.age.recipients().len(), 1);
    assert!(imported.vault_token.is_none() && imported.aws.is_none() && imported.pgp.is_empty());
    let error = import_age([("a.agekey", b"x".as_slice())], "flux-system/age").unwrap_err();
    assert!(error.to_string().starts_with(
        "failed to import 'a.agekey' data from sops SOPS age decryption Secret 'flux-system/age': "
    ));
}

#[test]
fn azure_credentials_have_five_forms() {
    let parse = |text: &str| AzureCredentials::parse(text.as_bytes());
    assert!(matches!(
        parse("{\"tenantId\": \"t\", \"clientId\": \"c\", \"clientSecret\": \"s\", \"authorityHost\": \"https://a\"}"),
        Ok(AzureCredentials::Secret { authority: Some(host), .. }) if host == "https://a"
    ));
    assert!(matches!(
        parse(
            "tenantId: t\nclientId: c\nclientCertificate: x\nclientCertificatePassword: p\nclientCertificateSendChain: true\n"
        ),
        Ok(AzureCredentials::Certificate {
            send_chain: true,
            ..
        })
    ));
    assert!(matches!(
        parse("appId: a\ntenant: t\npassword: p\n"),
        Ok(AzureCredentials::Secret { client, .. }) if client == "a"
    ));
    assert_eq!(
        parse("clientId: c\n"),
        Ok(AzureCredentials::Managed {
            client: "c".to_owned()
        })
    );
    assert_eq!(parse("tenantId: t\n"), Err(CloudError::Azure));
    let mut wide = vec![0xff, 0xfe];
    wide.extend("clientId: c\n".encode_utf16().flat_map(u16::to_le_bytes));
    assert!(AzureCredentials::parse(&wide).is_ok());
    let mut wide = vec![0xfe, 0xff];
    wide.extend("clientId: c\n".encode_utf16().flat_map(u16::to_be_bytes));
    assert!(AzureCredentials::parse(&wide).is_ok());
    assert!(AzureCredentials::parse(b"\xef\xbb\xbfclientId: c\n").is_ok());
    assert_eq!(
        AzureCredentials::parse(&[0xff, 0xfe, 0]),
        Err(CloudError::Encoding)
    );
}

#[test]
fn debug_output_hides_values() {
    let imported = imported(&[
        ("a.agekey", AGE_KEY),
        ("a.asc", PGP_KEY),
        ("sops.vault-token", "canary"),
        ("sops.aws-kms", "aws_secret_access_key: canary\n"),
        (
            "sops.azure-kv",
            "tenantId: t\nclientId: c\nclientSecret: canary\n",
        ),
        (
            "sops.gcp-kms",
            "{\"type\": \"x\", \"private_key\": \"canary\"}",
        ),
    ])
    .unwrap();
    let shown = format!("{imported:?}");
    assert!(
        !shown.contains("canary") && !shown.contains("SECRET-KEY"),
        "{shown}"
    );
}
