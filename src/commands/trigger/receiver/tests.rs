//! Tests of requests to a Receiver: signatures, tokens and retries.

use std::cell::RefCell;

use clap::{Args as _, Command, FromArgMatches as _};

use super::*;

fn args(line: &str) -> Args {
    let command = Args::augment_args(Command::new("receiver").no_binary_name(true));
    let matches = command
        .try_get_matches_from(line.split_whitespace())
        .unwrap();
    Args::from_arg_matches(&matches).unwrap()
}

#[test]
fn flags_must_match_the_type() {
    for (line, refused) in [
        ("a --token=t", None),
        ("a --type=generic-hmac --token=t", None),
        ("a --type=generic-oidc", None),
        (
            "a --type=generic-oidc --oidc-provider=github --oidc-audience=x",
            None,
        ),
        ("a", Some("--token is required for --type=generic")),
        (
            "a --type=generic-hmac",
            Some("--token is required for --type=generic-hmac"),
        ),
        ("a --token=", Some("--token is required for --type=generic")),
        (
            "a --token=t --oidc-audience=x",
            Some(
                "--oidc-provider, --oidc-token and --oidc-audience can only be set for --type=generic-oidc",
            ),
        ),
        (
            "a --type=generic-oidc --token=t",
            Some(
                "--token must not be set for --type=generic-oidc, the Receiver of this type has no secret",
            ),
        ),
        (
            "a --type=generic-oidc --oidc-provider=github --oidc-token=t",
            Some("--oidc-provider and --oidc-token are mutually exclusive"),
        ),
        (
            "a --type=generic-oidc --oidc-audience=x",
            Some("--oidc-audience can only be set together with --oidc-provider"),
        ),
    ] {
        let refusal = check(&args(line))
            .err()
            .map(|error| error.message().to_owned());
        assert_eq!(refusal.as_deref(), refused, "{line}");
    }
}

#[test]
fn call_uses_token_and_signature_of_its_type() {
    let call = |line: &str, bearer: Option<&str>| {
        let bearer = bearer.map(str::to_owned);
        Call::new(
            &args(line),
            "https://hooks.example.com/base/",
            "web",
            "apps",
            b"{}".to_vec(),
            bearer,
        )
    };
    let plain = call("web --token=t", None);
    let path = webhook::path(b"t", "web", "apps");
    assert_eq!(plain.url, format!("https://hooks.example.com/base{path}"));
    assert_eq!(
        plain.headers,
        [("Content-Type", "application/json".to_owned())]
    );
    let signed = call("web --token=t --type=generic-hmac", None);
    // Expected value: printf '{}' | openssl dgst -sha256 -hmac t
    let signature = "sha256=8cea346b6d932a9f665aebd284cb1a1d9b814e461a5adf9c52f8201895be3d38";
    assert_eq!(signed.headers[1], ("X-Signature", signature.to_owned()));
    let identified = call("web --type=generic-oidc", Some("id"));
    assert!(identified.url.ends_with(&webhook::path(b"", "web", "apps")));
    assert_eq!(
        identified.headers[1],
        ("Authorization", "Bearer id".to_owned())
    );
}

/// Delivers against these answers, repeating the last one. Returns the result and the seconds of
/// each wait.
fn delivered(answers: Vec<CallResult>, retries: i64) -> (Result<(), String>, Vec<u64>) {
    let (answers, waits) = (RefCell::new(answers), RefCell::new(Vec::new()));
    let send = || async {
        let mut answers = answers.borrow_mut();
        match answers.as_slice() {
            [CallResult::Again(why)] => CallResult::Again(why.clone()),
            _ => answers.remove(0),
        }
    };
    let wait = |delay: Duration| {
        waits.borrow_mut().push(delay.as_secs());
        std::future::ready(())
    };
    let (delay, quiet) = (Duration::from_secs(10), Progress { quiet: true });
    let ended = futures::executor::block_on(deliver(send, wait, retries, delay, quiet));
    let ended = ended.map_err(|error| error.message().to_owned());
    (ended, waits.into_inner())
}

#[test]
fn transient_refusal_is_retried_after_the_delay() {
    let busy = || CallResult::Again("busy".to_owned());
    assert_eq!(delivered(vec![CallResult::Taken], 10), (Ok(()), vec![]));
    assert_eq!(
        delivered(vec![busy(), busy(), CallResult::Taken], 10),
        (Ok(()), vec![10, 10])
    );
    assert_eq!(
        delivered(vec![busy(), CallResult::Taken], 1),
        (Ok(()), vec![10])
    );
}

#[test]
fn retries_are_bounded_and_last_refusal_is_shown() {
    let busy = |why: &str| CallResult::Again(why.to_owned());
    let told = |why: &str| Err(why.to_owned());
    assert_eq!(
        delivered(vec![busy("a"), busy("b")], 2),
        (told("b"), vec![10, 10])
    );
    assert_eq!(delivered(vec![busy("a")], 0), (told("a"), vec![]));
    assert_eq!(delivered(vec![busy("a")], -1), (told("a"), vec![]));
    let refused = vec![busy("a"), CallResult::Refused("no".to_owned())];
    assert_eq!(delivered(refused, 5), (told("no"), vec![10]));
}

#[test]
fn password_in_the_address_is_not_shown() {
    let text = display_address("https://me:canary@hooks.example.com/hook/1");
    assert!(
        !text.contains("canary") && text.contains("hooks.example.com/hook/1"),
        "{text}"
    );
}
