//! Addresses of repositories are read from every form, and hostile ones are refused.

use super::*;

#[test]
fn repository_is_read_from_every_form() {
    for (address, host, id) in [
        (
            "https://github.com/foo/bar",
            "https://github.com/",
            "foo/bar",
        ),
        (
            "https://example.com/foo/bar",
            "https://example.com/",
            "foo/bar",
        ),
        (
            "https://gitlab.com/foo/bar.git",
            "https://gitlab.com/",
            "foo/bar",
        ),
        (
            "git@gitlab.com:foo/bar.git",
            "https://gitlab.com/",
            "foo/bar",
        ),
        (
            "ssh://git@github.com/stefanprodan/podinfo",
            "https://github.com/",
            "stefanprodan/podinfo",
        ),
        (
            "https://gitlab.com/foo/bar/foo.git",
            "https://gitlab.com/",
            "foo/bar/foo",
        ),
        ("http://host:3000/a/b", "http://host:3000/", "a/b"),
        (
            "https://dev.azure.com/acme/my%20project/_git/fleet",
            "https://dev.azure.com/",
            "acme/my project/_git/fleet",
        ),
    ] {
        let repository = Repository::parse(address).expect(address);
        assert_eq!(repository.host.as_str(), host, "{address}");
        assert_eq!(repository.id(), id, "{address}");
    }
}

#[test]
fn hostile_repository_address_is_refused() {
    for address in [
        "",
        "foo/bar",
        "file:///etc/passwd",
        "git://host/a/b",
        "https://host/a/../../user",
        "https://host/%2e%2e/b",
        "git@host:../../b",
        "git@ho st:a/b",
        "https://",
        "https://host/a/%ff",
        &format!("https://host/{}", "a".repeat(3000)),
    ] {
        let parsed = Repository::parse(address).and_then(|repository| {
            repository.parts::<2>()?;
            Ok(())
        });
        assert!(parsed.is_err(), "{address}");
    }
}

#[test]
fn service_address_error_hides_the_address() {
    for address in [
        "canary",
        "/canary",
        "ftp://canary",
        "https://canary space",
        "https://canary\r\nX: y",
        "https://canary:port/",
    ] {
        let error = http_url("hook URL", address).unwrap_err().to_string();
        assert!(!error.contains("canary"), "{error}");
    }
}

#[test]
fn joined_part_cannot_leave_its_place() {
    let base = Url::parse("https://host/api").unwrap();
    let url = join(&base, ["a/b", "..", "c?d#e"]);
    assert_eq!(url.as_str(), "https://host/api/a%2Fb/c%3Fd%23e");
}
