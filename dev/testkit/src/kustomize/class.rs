//! Classes of kustomize's errors, found by phrases.
//!
//! The classes are the codes of `sluice_kustomize`, by name. Kustomize nests its messages, so the
//! table goes from the most specific phrase to the least.

/// Phrases and their class. The first match decides; a row with two phrases needs both.
const PHRASES: &[(&str, &str, &str)] = &[
    ("goroutine ", "panic", "Panic"),
    ("timed out after ", "", "Timeout"),
    ("fs-security-constraint", "", "SecurityViolation"),
    ("must specify --enable-helm", "", "HelmDenied"),
    ("external plugins disabled", "", "PluginDenied"),
    ("unable to load external plugin", "", "PluginDenied"),
    ("plugin not loadable", "", "PluginDenied"),
    ("failed to run '/", "git", "RemoteFailed"),
    ("failed to fetch '", "", "RemoteFailed"),
    ("HTTP Error: status code", "", "RemoteFailed"),
    ("fatal: transport", "not allowed", "RemoteFailed"),
    ("proxyconnect", "", "RemoteFailed"),
    ("dial tcp", "", "RemoteFailed"),
    ("hit 27s timeout", "", "RemoteTimeout"),
    ("Get \"http", "", "RemoteFailed"),
    ("URL is a git repository", "", "RemoteFailed"),
    ("cycle detected", "", "Cycle"),
    ("cycle not allowed", "", "Cycle"),
    ("expected kind != 'Component'", "", "WrongKind"),
    ("expected kind 'Component'", "", "WrongKind"),
    ("security; bases in kustomizations", "", "SecurityViolation"),
    (
        "refers to directory outside of repo",
        "",
        "SecurityViolation",
    ),
    ("already registered id", "", "IdConflict"),
    ("ID conflict", "", "IdConflict"),
    ("id conflict", "", "IdConflict"),
    ("kustomization.yaml is empty", "", "KustomizationEmpty"),
    (
        "Found multiple kustomization files",
        "",
        "KustomizationAmbiguous",
    ),
    ("invalid Kustomization", "yaml:", "MalformedYaml"),
    ("invalid Kustomization", "", "KustomizationInvalid"),
    (
        "Failed to read kustomization file",
        "",
        "KustomizationInvalid",
    ),
    (
        "found multiple possible referrals",
        "",
        "NameReferenceAmbiguous",
    ),
    ("is not in or below", "", "LoadRestricted"),
    ("illegally repeats the key", "", "GeneratorInvalid"),
    ("cannot merge or replace", "", "GeneratorConflict"),
    (
        "exists; behavior must be merge or replace",
        "",
        "GeneratorConflict",
    ),
    ("exists; can not use behavior", "", "GeneratorConflict"),
    (
        "validator shouldn't modify the resource map",
        "",
        "ValidatorModifies",
    ),
    (
        "cannot specify both path and inline replacement",
        "",
        "ReplacementInvalid",
    ),
    ("loading KV pairs", "no such file", "PathNotFound"),
    ("loading KV pairs", "", "GeneratorInvalid"),
    ("nothing selected by", "", "ReplacementSource"),
    ("multiple matches for selector", "", "ReplacementSource"),
    ("unable to find field", "replacement", "ReplacementField"),
    (
        "fieldPath `",
        "is missing for replacement",
        "ReplacementField",
    ),
    ("is out of bounds for value", "", "ReplacementField"),
    ("wrong node kind", "", "WrongNodeKind"),
    ("var '", "cannot be mapped", "VarUnmapped"),
    ("found 0 resId matches for var", "", "VarUnmapped"),
    ("resId matches for var", "", "VarAmbiguous"),
    ("already encountered", "", "VarDuplicate"),
    ("var '", "already", "VarDuplicate"),
    (
        "does not match a config with the following GVK",
        "",
        "ReplicaUnmatched",
    ),
    ("conflicting fieldspecs", "", "ConfigurationInvalid"),
    ("unable to parse SM or JSON patch", "", "PatchInvalid"),
    ("illegally qualifies as both", "", "PatchInvalid"),
    ("must specify one of patch and path", "", "PatchInvalid"),
    (
        "patch and path can't be set at the same time",
        "",
        "PatchInvalid",
    ),
    ("must specify a target for JSON patch", "", "PatchTarget"),
    ("must specify a target", "", "PatchTarget"),
    (
        "Multiple Strategic-Merge Patches in one `patches` entry",
        "",
        "PatchInvalid",
    ),
    ("unable to find patch target", "", "PatchTarget"),
    ("no matches for Id", "", "PatchTarget"),
    ("multiple matches for Id", "", "PatchTarget"),
    ("multiple targets", "", "PatchTarget"),
    ("testing value", "failed", "PatchFailed"),
    ("remove operation does not apply", "", "PatchFailed"),
    ("replace operation does not apply", "", "PatchFailed"),
    ("add operation does not apply", "", "PatchFailed"),
    ("copy operation does not apply", "", "PatchFailed"),
    ("move operation does not apply", "", "PatchFailed"),
    ("Unexpected kind", "", "PatchFailed"),
    ("missing Resource metadata", "", "ResourceInvalid"),
    ("missing metadata.name in object", "", "ResourceInvalid"),
    ("missing kind in object", "", "ResourceInvalid"),
    ("invalid document separator", "", "MalformedYaml"),
    ("MalformedYAMLError", "", "MalformedYaml"),
    (
        "unable to find one of",
        "in directory",
        "KustomizationMissing",
    ),
    ("must resolve to a file", "", "NotAFile"),
    ("file is not directory", "", "NotADirectory"),
    ("; expecting directory", "", "NotADirectory"),
    ("no such file or directory", "", "PathNotFound"),
    ("evalsymlink failure", "", "PathNotFound"),
    ("yaml: ", "", "MalformedYaml"),
    ("json: ", "", "KustomizationInvalid"),
    // Kustomize tries every folder as a file first, so this phrase is the least specific.
    ("is a directory", "", "NotAFile"),
];

/// Returns the class of an error. An unknown text is a class of its own, so only equal texts agree.
pub fn class_of(error: &str) -> String {
    let told = PHRASES
        .iter()
        .find(|(first, second, _)| error.contains(first) && error.contains(second));
    match told {
        Some((_, _, class)) => (*class).to_owned(),
        None => format!("unclassified: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn the_most_telling_phrase_decides() {
        let nested = "accumulating resources: accumulation err='accumulating resources from 'x': open x: no such file or directory': cycle detected: candidate root";
        assert_eq!(class_of(nested), "Cycle");
        assert_eq!(
            class_of("lstat /a: no such file or directory"),
            "PathNotFound"
        );
        assert_eq!(class_of("a surprise"), "unclassified: a surprise");
    }
}
