//! Path patterns. The cases are those of `artifactgenerator_pathpattern_test.go` in Flux.

use std::sync::Arc;

use sluice_producer::Tree;

use super::*;

fn trees(directories: &[&str]) -> Trees {
    let mut tree = Tree::default();
    for directory in directories {
        tree.make_directory(directory.as_bytes()).unwrap();
    }
    tree.make_directory(b"apps").unwrap();
    tree.write_file(b"apps/README.md", b"no directory").unwrap();
    Trees::from([("repo".to_owned(), Arc::new(tree))])
}

fn artifact(name: &str, from: &str, to: &str) -> OutputArtifact {
    OutputArtifact {
        name: name.to_owned(),
        copy: vec![CopyOperation {
            from: from.to_owned(),
            to: to.to_owned(),
            ..CopyOperation::default()
        }],
        ..OutputArtifact::default()
    }
}

fn expand_all(
    pattern: &str,
    artifacts: Vec<OutputArtifact>,
    directories: &[&str],
) -> Result<Vec<ArtifactRequest>, String> {
    let spec = ArtifactGeneratorSpec {
        artifacts,
        path_pattern: (!pattern.is_empty()).then(|| pattern.to_owned()),
        ..ArtifactGeneratorSpec::default()
    };
    let budget = Budget::new(100_000, 0);
    expand(&spec, &trees(directories), &budget).map_err(|error| error.to_string())
}

#[test]
fn artifacts_without_pattern_stay_as_they_are() {
    let artifacts = vec![artifact("{app}", "@repo/", "@artifact/")];
    let requests = expand_all("", artifacts.clone(), &[]).unwrap();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].name, "{app}");
    let copies = requests[0].copies(&artifacts[0], &Budget::new(100, 0));
    assert_eq!(copies.as_deref(), Ok(artifacts[0].copy.as_slice()));
    assert!(requests[0].labels().is_empty());
}

#[test]
fn names_are_lower_case_and_paths_are_not() {
    let template = artifact(
        "{app}-{env}",
        "@repo/apps/{app}/envs/{env}/**",
        "@artifact/{app}/{env}/",
    );
    let directories = [
        "apps/Auth/envs/Dev",
        "apps/Payments/envs/Prod/deep",
        "apps/x",
    ];
    let pattern = "@repo/apps/{app}/envs/{env}";
    let requests = expand_all(pattern, vec![template.clone()], &directories).unwrap();
    let found: Vec<_> = requests
        .iter()
        .map(|request| {
            let copies = request.copies(&template, &Budget::new(100, 0)).unwrap();
            let copy = copies.into_iter().next().unwrap();
            let labels: Vec<_> = request.labels().into_iter().collect();
            (request.name.clone(), copy.from, copy.to, labels)
        })
        .map(|(name, from, to, labels)| (name, from, to, format!("{labels:?}")))
        .collect();
    let found: Vec<_> = found
        .iter()
        .map(|(name, from, to, labels)| (&**name, &**from, &**to, labels.clone()))
        .collect();
    assert_eq!(
        found,
        [
            (
                "auth-dev",
                "@repo/apps/Auth/envs/Dev/**",
                "@artifact/Auth/Dev/",
                r#"[("app", "auth"), ("env", "dev")]"#.to_owned(),
            ),
            (
                "payments-prod",
                "@repo/apps/Payments/envs/Prod/**",
                "@artifact/Payments/Prod/",
                r#"[("app", "payments"), ("env", "prod")]"#.to_owned(),
            ),
        ]
    );
}

#[test]
fn pattern_without_match_makes_no_artifacts() {
    let template = artifact("{app}", "@repo/{app}", "@artifact/");
    assert_eq!(
        expand_all("@repo/none/{app}", vec![template], &["apps/a"]),
        Ok(Vec::new())
    );
}

#[test]
fn faults_have_the_words_of_flux() {
    let template = || artifact("{app}", "@repo/apps/{app}", "@artifact/");
    for (pattern, artifact, expected) in [
        (
            "no-at-sign",
            template(),
            "invalid pathPattern format: no-at-sign".to_owned(),
        ),
        (
            "@unknown/apps/{app}",
            template(),
            "pathPattern \"@unknown/apps/{app}\": source alias unknown not found in local sources"
                .to_owned(),
        ),
        (
            "@repo/apps/{_app}",
            template(),
            "capture variable \"_app\" is not a valid Kubernetes label key: ".to_owned(),
        ),
        (
            "@repo/apps/{}",
            template(),
            "empty capture variable".to_owned(),
        ),
        (
            "@repo/apps/{app-name}",
            template(),
            "capture variable \"app-name\" must be a valid capture name matching \
             [A-Za-z_][A-Za-z0-9_]*"
                .to_owned(),
        ),
        (
            "@repo/apps/{1app}",
            template(),
            "must be a valid capture name".to_owned(),
        ),
        (
            "@repo/apps/{app",
            template(),
            "invalid capture starting at offset 5: missing closing brace".to_owned(),
        ),
        (
            "@repo/apps/app}",
            template(),
            "invalid capture ending at offset 8: missing opening brace".to_owned(),
        ),
        (
            "@repo/apps/{app}/envs/{app}",
            template(),
            "duplicate capture variable \"app\"".to_owned(),
        ),
    ] {
        let error = expand_all(pattern, vec![artifact], &[]).unwrap_err();
        assert!(error.contains(&expected), "{error}\n{expected}");
    }
}

#[test]
fn captures_must_fit_names_and_labels() {
    let template = || artifact("{app}", "@repo/apps/{app}", "@artifact/");
    let named = |name: &str| artifact(name, "@repo/apps/", "@artifact/");
    let long = format!("apps/{}", "a".repeat(64));
    let at = "pathPattern \"@repo/apps/{app}\": ";
    for (pattern, artifact, directories, expected) in [
        (
            "@repo/apps/{app}",
            named("{missing}"),
            vec!["apps/a"],
            format!(
                "{at}failed to render artifact {{missing}} for match apps/a: invalid template \
                 \"{{missing}}\": capture variable \"missing\" is not defined by pathPattern"
            ),
        ),
        (
            "@repo/apps/{app}",
            template(),
            vec!["apps/.hidden"],
            format!(
                "{at}captured value \".hidden\" for variable \"app\" is not a valid Kubernetes label value: "
            ),
        ),
        (
            "@repo/apps/{app}",
            template(),
            vec!["apps/a b"],
            "is not a valid Kubernetes label value".to_owned(),
        ),
        (
            "@repo/apps/{app}",
            template(),
            vec![long.as_str()],
            "must be no more than 63 bytes".to_owned(),
        ),
        (
            "@repo/apps/{app}",
            named("{app}..invalid"),
            vec!["apps/a"],
            format!(
                "{at}rendered artifact name \"a..invalid\" is not a valid Kubernetes object name: "
            ),
        ),
        (
            "@repo/apps/{app}",
            template(),
            vec!["apps/App", "apps/app"],
            format!(
                "{at}directories \"apps/App\" and \"apps/app\" both resolve to artifact name \"app\""
            ),
        ),
    ] {
        let error = expand_all(pattern, vec![artifact], &directories).unwrap_err();
        assert!(error.contains(&expected), "{error}\n{expected}");
    }
}

#[test]
fn expansion_ends_at_its_budget() {
    let directories: Vec<String> = (0..200).map(|index| format!("apps/a{index}")).collect();
    let directories: Vec<&str> = directories.iter().map(String::as_str).collect();
    let spec = ArtifactGeneratorSpec {
        artifacts: vec![artifact("{app}", "@repo/apps/{app}", "@artifact/")],
        path_pattern: Some("@repo/apps/{app}".to_owned()),
        ..ArtifactGeneratorSpec::default()
    };
    let error = expand(&spec, &trees(&directories), &Budget::new(100, 0)).unwrap_err();
    assert!(error.to_string().contains("more than 100 steps"), "{error}");
}

#[test]
fn copies_are_charged_when_they_are_rendered() {
    let mut template = artifact("{app}", "@repo/apps/{app}", "@artifact/");
    template.copy[0].exclude = vec!["*".repeat(80_000)];
    let directories: Vec<String> = (0..50).map(|index| format!("apps/a{index}")).collect();
    let directories: Vec<&str> = directories.iter().map(String::as_str).collect();
    let spec = ArtifactGeneratorSpec {
        artifacts: vec![template.clone()],
        path_pattern: Some("@repo/apps/{app}".to_owned()),
        ..ArtifactGeneratorSpec::default()
    };
    // Only the first match renders its copies, to find an invalid template.
    let budget = Budget::new(15_000, 0);
    let requests = expand(&spec, &trees(&directories), &budget).unwrap();
    assert_eq!(requests.len(), 50);
    let error = requests[1].copies(&template, &budget).unwrap_err();
    assert_eq!(error, "more than 15000 steps");
}

#[test]
fn pattern_with_too_many_matches_is_refused() {
    let directories: Vec<String> = (0..=10_000).map(|index| format!("apps/a{index}")).collect();
    let directories: Vec<&str> = directories.iter().map(String::as_str).collect();
    let template = || vec![artifact("{app}", "@repo/apps/{app}", "@artifact/")];
    let error = expand_all("@repo/apps/{app}", template(), &directories).unwrap_err();
    let expected = "it makes more than 10000 artifacts: use a narrower pattern";
    assert!(error.ends_with(expected), "{error}");
    let fewer = expand_all("@repo/apps/{app}", template(), &directories[1..]);
    assert_eq!(fewer.map(|requests| requests.len()), Ok(10_000));
}
