//! Hints below the errors of kustomize, whose texts stay as upstream has them.

use sluice_kustomize::Code;

/// Returns the next step after an error of this class, if one helps in general.
pub fn next_step(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::KustomizationMissing => {
            "choose another directory, or add a kustomization.yaml to this one"
        }
        Code::KustomizationAmbiguous => "keep one kustomization file in each directory",
        Code::KustomizationEmpty => "list files under `resources` of the kustomization file",
        Code::KustomizationInvalid => "check names and types of fields in the kustomization file",
        Code::MalformedYaml => "correct the YAML of the named file",
        Code::ResourceInvalid => "each object needs apiVersion, kind and metadata.name",
        Code::IdConflict => "include each object once, or rename one of them",
        Code::PathNotFound | Code::NotAFile | Code::NotADirectory => {
            "check the directory, and the paths in its kustomization files"
        }
        Code::LoadRestricted | Code::SecurityViolation => {
            "move the file into the directory of its kustomization"
        }
        Code::Cycle => "remove the kustomization from its own `resources`",
        Code::WrongKind => "list components under `components`, and bases under `resources`",
        Code::RemoteFailed | Code::RemoteTimeout => {
            "check the address, and that this machine can reach it"
        }
        Code::PatchInvalid | Code::PatchTarget | Code::PatchFailed => {
            "check the target and the fields of the patch"
        }
        Code::ReplacementInvalid
        | Code::ReplacementSource
        | Code::ReplacementField
        | Code::ReplacementIndex => "check source, targets and fields of the replacement",
        Code::GeneratorInvalid | Code::GeneratorKey | Code::GeneratorConflict => {
            "check names, keys and `behavior` of the generator"
        }
        Code::PluginDenied => "remove the plugin: only built-in plugins run",
        Code::HelmDenied => "print the chart with `build chart`, and list that file",
        Code::SubstitutionMissing => "set the variable, or write a default: ${NAME:=value}",
        _ => return None,
    })
}
