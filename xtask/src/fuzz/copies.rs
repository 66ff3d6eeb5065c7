//! Copies of artifact generators: no pattern, destination or archive makes a build panic, hang or
//! use unbounded memory. No path leads out of the artifact.

use sluice_api::source_watcher::CopyOperation;
use sluice_source_watcher_controller::fuzz::build_artifact;
use sluice_yaml::v2;

use super::Target;

/// The files of the source.
const FILES: [(&str, &[u8]); 7] = [
    ("apps/web/deploy.yaml", b"kind: Deployment\n"),
    ("apps/web/values.yaml", b"replicas: 1\nimage: {tag: a}\n"),
    ("apps/api/values.yaml", b"replicas: [1, 2]\n"),
    ("apps/[x]/{y}", b""),
    ("chart.tgz", b"\x1f\x8b\x08\x00not an archive"),
    (".hidden/a", b"a"),
    ("values.yaml", b"&a [*a]"),
];

/// Builds an artifact. The input is a list of copies in YAML.
pub(super) const COPIES: Target = Target {
    name: "artifact-copies",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let Ok(value) = v2::from_str(text) else {
            return;
        };
        let Ok(copies) = serde_json::from_value::<Vec<CopyOperation>>(value) else {
            return;
        };
        let built = build_artifact(&FILES, &copies);
        // The order of copies is all that a build depends on.
        assert_eq!(built, build_artifact(&FILES, &copies));
        for path in built.iter().flatten() {
            let mut components = path.split(|byte| *byte == b'/');
            let is_inside = components.all(|part| !matches!(part, b"" | b"." | b".."));
            assert!(is_inside, "{}", String::from_utf8_lossy(path));
        }
    },
    seeds: || {
        let seeds: [&[u8]; 6] = [
            b"[{from: '@a/apps/**', to: '@artifact/'}]",
            b"[{from: '@a/apps/*/values.yaml', to: '@artifact/all/', exclude: ['**/api/*']}]",
            b"[{from: '@a/apps/web/values.yaml', to: '@artifact/v.yaml'}, {from: '@a/apps/api/values.yaml', to: '@artifact/v.yaml', strategy: Merge}]",
            b"[{from: '@a/chart.tgz', to: '@artifact/chart', strategy: Extract}]",
            b"[{from: '@a/{apps,x}/[a-w]*/{a,b,c}', to: '@artifact/./x/../y'}]",
            b"[{from: '@a/apps/\\\\[x\\\\]/?y?', to: '@artifact/a/.'}]",
        ];
        seeds.iter().map(|seed| seed.to_vec()).collect()
    },
    words: &[
        "@a/",
        "@b/",
        "@artifact/",
        "**",
        "*",
        "?",
        "[",
        "]",
        "[^a]",
        "{",
        "}",
        ",",
        "..",
        ".",
        "/",
        "\\",
        "apps",
        "web",
        "values.yaml",
        "chart.tgz",
        ".hidden",
        "Merge",
        "Extract",
        "Overwrite",
        "exclude: [",
        "strategy: ",
        "from: ",
        "to: ",
    ],
};
