//! Tests calls with a JSON Web Token.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

use super::*;

/// A key pair with its key set.
struct Signer(EcdsaKeyPair, SystemRandom);

impl Signer {
    fn new() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self(
            EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref()).unwrap(),
            random,
        )
    }

    fn keys(&self) -> IssuerKeys {
        let point = self.0.public_key().as_ref();
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let set = json!({ "keys": [
            { "kty": "oct", "k": "AAAA", "kid": "k" },
            { "kty": "EC", "crv": "P-256", "kid": "k", "use": "sig",
              "x": encode(&point[1..33]), "y": encode(&point[33..]) },
        ] });
        IssuerKeys::parse(set.to_string().as_bytes(), vec!["ES256".into()]).unwrap()
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encode(header), encode(claims));
        let code = self.0.sign(&self.1, message.as_bytes()).unwrap();
        format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(code.as_ref()))
    }

    fn public_key(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }
}

fn es256() -> Value {
    json!({ "alg": "ES256", "kid": "k" })
}

fn bearer(token: &str) -> HeaderMap {
    headers(&[("Authorization", &format!("Bearer {token}"))])
}

#[test]
fn token_is_verified_by_signature_audience_and_time() {
    let signer = Signer::new();
    let keys = signer.keys();
    let claims = json!({ "iss": "i", "aud": ["x", "me"], "exp": NOW, "nbf": NOW + 300, "a": 1 });
    let good = signer.token(&es256(), &claims);
    assert_eq!(verify_token(&good, &keys, "me", now()).unwrap()["a"], 1);
    assert!(keys.knows(&good));
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        verify_token(&signer.token(&es256(), &claims), &keys, "me", now()).unwrap_err()
    };
    assert_eq!(with("exp", json!(NOW - 1)), TokenError::Expired);
    assert_eq!(with("exp", json!(null)), TokenError::Expired);
    assert_eq!(with("exp", json!("never")), TokenError::Expired);
    assert_eq!(with("nbf", json!(NOW + 301)), TokenError::Early);
    assert_eq!(with("aud", json!("other")), TokenError::Audience);
    assert_eq!(with("aud", json!(null)), TokenError::Audience);
    assert_eq!(with("aud", json!({ "me": 1 })), TokenError::Audience);
}

/// Covers class S7: attacks on JSON Web Tokens.
#[test]
fn forged_token_is_refused() {
    let signer = Signer::new();
    let keys = signer.keys();
    let claims = json!({ "iss": "i", "aud": "me", "exp": NOW });
    let good = signer.token(&es256(), &claims);
    let parts: Vec<_> = good.split('.').collect();
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let symmetric = format!(
        "{}.{}",
        encode(&json!({ "alg": "HS256", "kid": "k" })),
        parts[1]
    );
    let key = hmac::Key::new(hmac::HMAC_SHA256, signer.public_key());
    let code = BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&key, symmetric.as_bytes()));
    let other = encode(&json!({ "iss": "i", "aud": "me", "exp": NOW + 9 }));
    let forged = [
        format!("{symmetric}.{code}"),
        format!("{}.{}.", encode(&json!({ "alg": "none" })), parts[1]),
        format!(
            "{}.{}.{}",
            encode(&json!({ "alg": "NONE" })),
            parts[1],
            parts[2]
        ),
        format!(
            "{}.{}.{}",
            encode(&json!({ "alg": "RS256", "kid": "k" })),
            parts[1],
            parts[2]
        ),
        format!("{}.{}", parts[0], parts[1]),
        format!("{good}.x"),
        format!("{}.{other}.{}", parts[0], parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        signer.token(&json!({ "alg": "ES256", "kid": "unknown" }), &claims),
        Signer::new().token(&es256(), &claims),
        "..".to_owned(),
        String::new(),
        "a".repeat(100_000),
        format!("{}.{}.{}", "\u{ff}", parts[1], parts[2]),
    ];
    for token in &forged {
        let found = verify_token(token, &keys, "me", now());
        assert!(
            found.is_err(),
            "{}",
            &token.chars().take(40).collect::<String>()
        );
    }
    let unknown = signer.token(&json!({ "alg": "ES256", "kid": "new" }), &claims);
    assert!(!keys.knows(&unknown));
    let mut unlisted = keys;
    unlisted.algorithms.clear();
    let found = verify_token(&good, &unlisted, "me", now());
    assert_eq!(found, Err(TokenError::Algorithm("ES256".into())));
}

#[test]
fn weak_or_odd_keys_are_skipped() {
    for key in [
        json!({ "kty": "RSA", "n": "AQAB", "e": "AQAB" }),
        json!({ "kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ" }),
        json!({ "kty": "EC", "crv": "secp256k1", "x": "AQ", "y": "AQ" }),
        json!({ "kty": 5 }),
        json!(null),
        json!("x"),
    ] {
        let set = json!({ "keys": [key] }).to_string();
        let keys = IssuerKeys::parse(set.as_bytes(), Vec::new()).unwrap();
        assert!(!keys.knows(&Signer::new().token(&es256(), &json!({}))));
    }
    assert!(IssuerKeys::parse(b"{}", Vec::new()).is_err());
    assert!(IssuerKeys::parse(b"<html>", Vec::new()).is_err());
}

#[test]
fn oidc_claims_are_judged_by_expressions() {
    const ISSUER: &str = "https://issuer.example.com";
    let signer = Signer::new();
    let receiver = receiver(
        "generic-oidc",
        json!({ "oidcProviders": [{
            "issuerURL": ISSUER,
            "variables": [
                { "name": "repo", "expression": "claims.repository" },
                { "name": "short", "expression": "vars.repo.split('/')[1]" },
            ],
            "validations": [
                { "expression": "vars.short == 'fleet'", "message": "wrong repository" },
                { "expression": "claims.ref == 'refs/heads/main'", "message": "wrong branch" },
            ],
        }] }),
    );
    assert_eq!(check(&receiver.spec), Ok(()));
    let source = Issuer(ISSUER, signer.keys());
    let judge = |repository: &str, reference: Value, audience: &str, issuer: &str| {
        let claims = json!({
            "iss": issuer, "aud": audience, "exp": NOW, "repository": repository, "ref": reference,
        });
        let headers = bearer(&signer.token(&es256(), &claims));
        let call = Call {
            headers: &headers,
            body: b"",
        };
        let found = verify(&receiver, None, &call, &source, now());
        found.map(|verified| verified.claims.unwrap()["repository"].clone())
    };
    let main = || json!("refs/heads/main");
    let audience = "notification-controller";
    assert_eq!(
        judge("acme/fleet", main(), audience, ISSUER).unwrap(),
        "acme/fleet"
    );
    let error = judge("acme/x", json!("y"), audience, ISSUER).unwrap_err();
    assert_eq!(
        error.to_string(),
        "token validation failed: wrong repository; wrong branch"
    );
    let error = judge("acme", main(), audience, ISSUER)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("failed to evaluate variable \"short\""),
        "{error}"
    );
    assert!(judge("acme/fleet", main(), "other", ISSUER).is_err());
    let error = judge("a/b", main(), audience, "https://evil")
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "no oidcProvider configured for issuer \"https://evil\""
    );
    for value in [
        "",
        "Basic x",
        "Bearer ",
        "Bearer x",
        "Bearer a.b",
        "Bearer a.%%.c",
    ] {
        let headers = headers(&[("Authorization", value)]);
        let call = Call {
            headers: &headers,
            body: b"",
        };
        assert!(
            verify(&receiver, None, &call, &source, now()).is_err(),
            "{value}"
        );
    }
}

#[test]
fn google_token_must_name_account_and_audience() {
    const GOOGLE: &str = "https://accounts.google.com";
    let signer = Signer::new();
    let source = Issuer(GOOGLE, signer.keys());
    let push = json!({ "action": "INSERT", "digest": "d", "tag": "t", "extra": 1 }).to_string();
    let body = json!({ "message": { "data": BASE64_STANDARD.encode(push), "messageId": "1" } });
    let body = body.to_string();
    let receiver = receiver("gcr", json!({}));
    let full: Secret = [("token", "t"), ("email", "a@b.c"), ("audience", "me")]
        .map(|(key, value)| (key.to_owned(), value.as_bytes().to_vec()))
        .into();
    let check = |secret: &Secret, claims: Value, body: &str| {
        let headers = bearer(&signer.token(&es256(), &claims));
        let call = Call {
            headers: &headers,
            body: body.as_bytes(),
        };
        let found = verify(&receiver, Some(secret), &call, &source, now());
        found.map(|verified| String::from_utf8(verified.body.into_owned()).unwrap())
    };
    let claims = |email: &str, verified: bool, issuer: &str, audience: &str| {
        json!({
            "iss": issuer, "aud": audience, "exp": NOW, "email": email, "email_verified": verified,
        })
    };
    let good = || claims("a@b.c", true, GOOGLE, "me");
    assert_eq!(
        check(&full, good(), &body).unwrap(),
        r#"{"action":"INSERT","digest":"d","tag":"t"}"#
    );
    let bare = claims("a@b.c", true, "accounts.google.com", "me");
    assert!(check(&full, bare, &body).is_ok());
    for wrong in [
        claims("x@b.c", true, GOOGLE, "me"),
        claims("a@b.c", false, GOOGLE, "me"),
        claims("a@b.c", true, "https://evil", "me"),
        claims("a@b.c", true, GOOGLE, "other"),
        claims("", true, GOOGLE, "me"),
    ] {
        let found = check(&full, wrong.clone(), &body);
        assert!(matches!(found, Err(Refusal::Token(_))), "{wrong}");
    }
    for key in ["email", "audience", "token"] {
        let mut half = full.clone();
        half.remove(key);
        let found = check(&half, good(), &body);
        assert!(matches!(found, Err(Refusal::Setup(_))), "{key}");
    }
    for odd in ["", "{}", r#"{"message":5}"#, r#"{"message":{"data":"%"}}"#] {
        let found = check(&full, good(), odd);
        assert!(matches!(found, Err(Refusal::Body(_))), "{odd}");
    }
}
