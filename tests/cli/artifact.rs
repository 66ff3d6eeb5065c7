//! Tests the artifact commands against a registry. `artifact/oracle` recorded the expected bytes
//! with Flux's library.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::{CloudAnswer, FakeCloud, Registry, RegistryOptions, Sluice};

use crate::program;

#[derive(Deserialize)]
struct Tree {
    name: String,
    entries: Vec<Entry>,
    packed: String,
    #[serde(default)]
    ignore: String,
    artifact: String,
    manifest: String,
}

#[derive(Deserialize)]
struct Entry {
    path: String,
    #[serde(default)]
    mode: u32,
    #[serde(default)]
    link: String,
    text: Option<String>,
    #[serde(default)]
    times: usize,
}

fn plant(root: &Path, tree: &Tree) {
    for entry in &tree.entries {
        let path = root.join(&entry.path);
        if !entry.link.is_empty() {
            symlink(&entry.link, &path).unwrap();
            continue;
        }
        match &entry.text {
            None => std::fs::create_dir(&path).unwrap(),
            Some(text) => std::fs::write(&path, text.repeat(entry.times)).unwrap(),
        }
        std::fs::set_permissions(&path, PermissionsExt::from_mode(entry.mode)).unwrap();
    }
}

/// Media type of the layer that has the content.
const CONTENT: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";

fn sluice() -> Sluice {
    Sluice::at(program::flux())
}

async fn ok(sluice: &Sluice, arguments: &[&str]) -> String {
    let (code, printed) = sluice.run(arguments).await;
    assert_eq!(code, Some(0), "{arguments:?}: {printed}");
    printed
}

async fn refused(sluice: &Sluice, arguments: &[&str]) -> String {
    let (code, printed) = sluice.run(arguments).await;
    assert_eq!(code, Some(1), "{arguments:?}: {printed}");
    printed
}

fn provenance<'a>(url: &'a str, path: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["push", "artifact", url, "--path", path];
    arguments.extend(["--source", "https://example.com/app.git"]);
    arguments.extend(["--revision", "main@sha1:abc", "--reproducible"]);
    arguments
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_trees_have_bytes_and_digests_of_flux() {
    let (sluice, registry) = (sluice(), Registry::start().await);
    for line in include_str!("artifact/packed.jsonl").lines() {
        let tree: Tree = serde_json::from_str(line).unwrap();
        let root = tempfile::tempdir().unwrap();
        plant(root.path(), &tree);
        let packed = root.path().join(&tree.packed);
        let packed = packed.to_str().unwrap();
        let made = root.path().join("artifact.tgz");
        let made = made.to_str().unwrap();
        let ignore = format!("--ignore-paths={}", tree.ignore);
        let mut build = vec!["build", "artifact", "--path", packed, "--output", made];
        let url = format!("{}:v1", registry.url(&tree.name));
        let mut push = provenance(&url, packed);
        push.extend([
            "--annotations",
            "org.opencontainers.image.licenses=Apache-2.0",
        ]);
        push.extend(["--output", "json"]);
        for arguments in [&mut build, &mut push] {
            if !tree.ignore.is_empty() {
                arguments.push(&ignore);
            }
        }
        let said = ok(&sluice, &build).await;
        let expected = format!("► building artifact from {packed}\n✔ artifact created at {made}\n");
        assert_eq!(said, expected);
        let bytes = std::fs::read(made).unwrap();
        let digest = sluice_testkit::hostile::registry::digest(&bytes);
        assert_eq!(digest, tree.artifact, "{}", tree.name);
        let mode = std::fs::metadata(made).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);

        let pushed: Value = serde_json::from_str(&ok(&sluice, &push).await).unwrap();
        let repository = format!("{}/{}", registry.host(), tree.name);
        assert_eq!(
            pushed,
            json!({
                "url": format!("oci://{repository}@{}", tree.manifest),
                "repository": repository, "tag": "v1", "digest": tree.manifest,
            }),
            "{}",
            tree.name
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pushed_artifact_is_listed_tagged_pulled_and_compared() {
    let (sluice, registry) = (sluice(), Registry::start().await);
    let root = tempfile::tempdir().unwrap();
    let content = root.path().join("in");
    std::fs::create_dir(&content).unwrap();
    std::fs::write(content.join("a.yaml"), "a: 1\n").unwrap();
    std::fs::write(content.join("b.yaml"), "b: 1\n").unwrap();
    let content = content.to_str().unwrap();
    let (repository, url) = (
        registry.url("team/app"),
        registry.url("team/app") + ":1.0.0",
    );
    let typed = url.trim_start_matches("oci://");

    let said = ok(&sluice, &provenance(&url, content)).await;
    let digest = said.trim().rsplit('@').next().unwrap().to_owned();
    let named = format!("{}@{digest}", repository.trim_start_matches("oci://"));
    let expected =
        format!("► pushing artifact to {typed}\n✔ artifact successfully pushed to {named}\n");
    assert_eq!(said, expected);

    let said = ok(
        &sluice,
        &[
            "tag",
            "artifact",
            &url,
            "--tag=latest,1.1.0-rc.1",
            "--tag",
            "x.sig",
        ],
    )
    .await;
    assert!(
        said.starts_with("► tagging artifact\n✔ artifact tagged as "),
        "{said}"
    );
    assert_eq!(said.lines().count(), 4, "{said}");

    let listed = ok(&sluice, &["list", "artifacts", &repository]).await;
    let rows: Vec<Vec<&str>> = listed
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["ARTIFACT", "DIGEST", "SOURCE", "REVISION"]);
    let tags: Vec<&str> = rows[1..]
        .iter()
        .map(|row| row[0].rsplit(':').next().unwrap())
        .collect();
    assert_eq!(tags, ["latest", "1.1.0-rc.1", "1.0.0"]);
    assert_eq!(
        rows[1][1..],
        [&*digest, "https://example.com/app.git", "main@sha1:abc"]
    );
    let some = ok(
        &sluice,
        &["list", "artifacts", &repository, "--filter-semver=1.x"],
    )
    .await;
    assert_eq!(some.lines().count(), 2, "{some}");
    let some = ok(
        &sluice,
        &["list", "artifacts", &repository, "--filter-regex=rc"],
    )
    .await;
    assert!(
        some.lines().nth(1).unwrap().contains("1.1.0-rc.1"),
        "{some}"
    );

    let target = root.path().join("out");
    std::fs::create_dir(&target).unwrap();
    let output = target.to_str().unwrap();
    let said = ok(&sluice, &["pull", "artifact", &url, "--output", output]).await;
    let expected = format!(
        "► pulling artifact from {typed}\n✔ source https://example.com/app.git\n\
         ✔ revision main@sha1:abc\n✔ digest {named}\n✔ artifact content extracted to {output}\n"
    );
    assert_eq!(said, expected);
    assert_eq!(
        std::fs::read_to_string(target.join("a.yaml")).unwrap(),
        "a: 1\n"
    );

    let compare = ["diff", "artifact", &url, "--path", content];
    assert_eq!(ok(&sluice, &compare).await, "✔ no changes detected\n");
    // Directory modes and compressors change the digest, but are not a difference.
    std::fs::set_permissions(content, PermissionsExt::from_mode(0o700)).unwrap();
    assert_eq!(ok(&sluice, &compare).await, "✔ no changes detected\n");
    std::fs::write(root.path().join("in/a.yaml"), "a: 2\n").unwrap();
    std::fs::remove_file(root.path().join("in/b.yaml")).unwrap();
    std::fs::write(root.path().join("in/c.yaml"), "c: 1\n").unwrap();
    let said = refused(&sluice, &compare).await;
    assert_eq!(
        said,
        "~ a.yaml\n- b.yaml\n+ c.yaml\n✗ the remote artifact contents differs from the local one\n"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_come_from_a_flag_a_file_or_a_helper() {
    let options = RegistryOptions {
        basic: true,
        ..RegistryOptions::default()
    };
    let registry = Registry::start_with(options).await;
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str, mode: u32| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    };
    write("in/a.yaml", "a: 1\n", 0o644);
    write("file/config.json", &registry.docker_config(), 0o600);
    let helped = json!({ "credHelpers": { registry.host(): "test" } });
    write("helped/config.json", &helped.to_string(), 0o600);
    let answer = json!({ "Username": Registry::USER, "Secret": Registry::PASSWORD });
    write(
        "bin/docker-credential-test",
        &format!(
            "#!/bin/sh\nread server\n[ \"$server\" = {} ] && echo '{answer}'\n",
            registry.host()
        ),
        0o755,
    );
    write(
        "bin/docker-credential-broken",
        "#!/bin/sh\necho canary\nexit 1\n",
        0o755,
    );
    let broken = json!({ "credsStore": "broken" });
    write("broken/config.json", &broken.to_string(), 0o600);

    let directory = |name: &str| root.path().join(name).display().to_string();
    let path = format!("{}:/usr/bin:/bin", directory("bin"));
    let with = |config: &str| {
        sluice()
            .variable("DOCKER_CONFIG", directory(config))
            .variable("PATH", &path)
    };
    let url = registry.url("app") + ":v1";
    let content = directory("in");
    let push = provenance(&url, &content);
    for config in ["file", "helped"] {
        ok(&with(config), &push).await;
    }
    let said = refused(&with("none"), &push).await;
    assert!(said.contains("docker login"), "{said}");
    let said = refused(&with("broken"), &push).await;
    assert!(
        said.contains("docker-credential-broken") && !said.contains("canary"),
        "{said}"
    );
    let creds = format!("{}:{}", Registry::USER, Registry::PASSWORD);
    let mut with_flag = push.clone();
    with_flag.extend(["--creds", &creds]);
    let said = ok(&with("none"), &with_flag).await;
    assert!(
        said.starts_with("► logging in to registry with credentials\n"),
        "{said}"
    );
    assert!(!said.contains(Registry::PASSWORD), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn link_targets_are_packed_with_the_flag() {
    let sluice = sluice();
    let root = tempfile::tempdir().unwrap();
    for path in ["in", "elsewhere"] {
        std::fs::create_dir(root.path().join(path)).unwrap();
    }
    std::fs::write(root.path().join("elsewhere/a.yaml"), "a: 1\n").unwrap();
    symlink("../elsewhere", root.path().join("in/linked")).unwrap();
    symlink("..", root.path().join("elsewhere/around")).unwrap();
    let (input, output) = (root.path().join("in"), root.path().join("artifact.tgz"));
    let arguments = [
        "build",
        "artifact",
        "--path",
        input.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let names = || {
        let bytes = std::fs::read(&output).unwrap();
        let mut archive = sluice_testkit::archive::names(&bytes);
        archive.sort();
        archive
    };
    ok(&sluice, &arguments).await;
    assert_eq!(names(), ["."]);
    let mut resolved = arguments.to_vec();
    resolved.push("--resolve-symlinks");
    ok(&sluice, &resolved).await;
    let found = names();
    assert!(found.contains(&"linked/a.yaml".to_owned()), "{found:?}");
}

/// Covers the classes S9 and S12 of hostile input.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_artifact_stays_inside_and_off_the_terminal() {
    let (sluice, registry) = (sluice(), HostileRegistry::honest().await);
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("out");
    std::fs::create_dir(&target).unwrap();
    let layer = sluice_testkit::archive::tarball(&[("../evil", "x")]);
    registry.content().image("evil", "text/plain", layer);
    registry
        .content()
        .image("plain", "text/plain", "no archive");
    let output = target.to_str().unwrap();
    for (tag, said) in [
        ("evil", "invalid name"),
        ("plain", "not a compressed tarball"),
    ] {
        let url = format!("{}:{tag}", registry.url("app"));
        let printed = refused(&sluice, &["pull", "artifact", &url, "--output", output]).await;
        assert!(printed.contains(said), "{printed}");
    }
    assert!(!root.path().join("evil").exists());

    let manifest = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [],
        "annotations": { "org.opencontainers.image.source": "\u{1b}[31mred\u{202e}" },
    });
    registry
        .content()
        .manifest(Some("steering"), manifest.to_string());
    let listed = ok(&sluice, &["list", "artifacts", &registry.url("app")]).await;
    assert!(
        !listed.contains('\u{1b}') && !listed.contains('\u{202e}'),
        "{listed:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistake_is_reported_before_any_request() {
    let (sluice, registry) = (sluice(), HostileRegistry::honest().await);
    let url = registry.url("app");
    let here = env!("CARGO_MANIFEST_DIR");
    let tagged = format!("{url}:v1");
    let mut annotated = provenance(&tagged, here);
    annotated.extend(["-a", "a=b=c"]);
    let mut dated = provenance(&tagged, here);
    dated.extend(["-a", "org.opencontainers.image.created=yesterday"]);
    let mut cloudy = provenance(&tagged, here);
    cloudy.extend(["--provider", "ibm"]);
    for (arguments, said) in [
        (vec!["push", "artifact"], "artifact URL is required"),
        (vec!["push", "artifact", &url], "--source is required"),
        (
            vec!["push", "artifact", &url, "--source=x"],
            "--revision is required",
        ),
        (
            vec!["push", "artifact", &url, "--source=x", "--revision=y"],
            "invalid path \"\"",
        ),
        (
            provenance(&url, "/nonexistent"),
            "must point to an existing directory or file",
        ),
        (
            provenance("ghcr.io/app", here),
            "URL must be in format 'oci://<domain>/<org>/<repo>'",
        ),
        (
            provenance("oci://ghcr.io/App:v1", here),
            "'oci://ghcr.io/App:v1' invalid URL",
        ),
        (
            annotated,
            "invalid annotation a=b=c, must be in the format key=value",
        ),
        (dated, "invalid created timestamp \"yesterday\""),
        (cloudy, "ibm"),
        (vec!["tag", "artifact", &url], "--tag is required"),
        (vec!["tag", "artifact", &url, "--tag=a b"], "a b"),
        (
            vec!["pull", "artifact", &url],
            "output path cannot be empty",
        ),
        (
            vec!["pull", "artifact", &url, "-o", "/nonexistent"],
            "invalid output path",
        ),
        (
            vec!["list", "artifacts", &url, "--filter-regex=("],
            "regex '(' parse error",
        ),
        (
            vec!["list", "artifacts", &url, "--filter-semver=>>"],
            "semver '>>' parse error",
        ),
        (vec!["diff", "artifact", &url], "invalid path \"\""),
        (vec!["build", "artifact"], "invalid path \"\""),
    ] {
        let printed = refused(&sluice, &arguments).await;
        assert!(printed.contains(said), "{arguments:?}: {printed}");
    }
    assert!(registry.asked().is_empty(), "{:?}", registry.asked());
}

#[tokio::test]
async fn identity_of_a_cloud_lists_artifacts() {
    let host = "europe-west1-docker.pkg.dev";
    let content = HostileRegistry::honest().await;
    content.content().image("v1", CONTENT, "layer");
    let upstream = format!("http://{}", content.host());
    let cloud = FakeCloud::start(&[host], move |request| match request.target.as_str() {
        "/v2/" => Some(CloudAnswer::status(401)),
        path if path.starts_with("/computeMetadata/") => {
            let flavor = ("metadata-flavor", "Google".to_owned());
            let body = r#"{"access_token":"canary-token","expires_in":3600}"#;
            Some(CloudAnswer::Reply(200, vec![flavor], body.into()))
        }
        _ if request.host == host => {
            let login = ("oauth2accesstoken".to_owned(), "canary-token".to_owned());
            Some(if request.basic() == Some(login) {
                CloudAnswer::Forward(upstream.clone())
            } else {
                CloudAnswer::challenge("Basic realm=\"registry\"")
            })
        }
        _ => None,
    })
    .await;
    let url = format!("oci://{host}/project/app");
    let plain = cloud.url();
    let sluice = sluice()
        .variable("HTTPS_PROXY", &plain)
        .variable("GCE_METADATA_HOST", plain.trim_start_matches("http://"));
    let list = |provider: &'static str| {
        let access = ["--provider", provider, "--insecure-registry"];
        ["list", "artifacts", &url]
            .into_iter()
            .chain(access)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let gcp = list("gcp");
    let printed = ok(&sluice, &gcp.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert!(printed.contains("v1"), "{printed}");
    assert!(!printed.contains("canary"), "{printed}");
    let aws = list("aws");
    let (code, printed) = sluice
        .run(&aws.iter().map(String::as_str).collect::<Vec<_>>())
        .await;
    assert_eq!(code, Some(1));
    let said = format!("error during login with provider: invalid AWS registry: '{host}'");
    assert!(printed.contains(&said), "{printed}");
}
