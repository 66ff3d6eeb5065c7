//! Tests of shell completion over the tree of commands.

use super::*;

/// Returns the plan for a line. Its last word is the typed one, and may be empty.
fn planned(line: &str) -> Result<Plan, String> {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let partial = words.pop().unwrap_or_default();
    plan("flux", &words, &partial, &|| vec!["operator".to_owned()])
}

fn offered(line: &str) -> (Vec<String>, u32) {
    match planned(line) {
        Ok(Plan::Complete(answer)) => {
            let words = answer.candidates.into_iter().map(|found| found.word);
            (words.collect(), answer.directive.0)
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
fn offers(line: &str, words: &[&str], directive: u32) {
    let (found, said) = offered(line);
    assert_eq!(
        (found, said),
        (words.iter().map(ToString::to_string).collect(), directive),
        "{line}"
    );
}

#[test]
fn commands_are_offered_by_prefix_in_order() {
    offers("rec", &["reconcile"], 4);
    offers("s", &["stats", "suspend"], 4);
    offers(
        "get sources ",
        &["all", "bucket", "chart", "external", "git", "helm", "oci"],
        4,
    );
    offers("get source o", &["oci"], 4);
    offers("completion ", &["bash", "fish", "powershell", "zsh"], 4);
    offers(
        "--verbose get images ",
        &["all", "policy", "repository", "update"],
        4,
    );
    offers("-n apps tree ks --compact", &["--compact"], 4);
    offers("nothing-like-it", &[], 4);
}

#[test]
fn hidden_commands_are_not_completed() {
    let (all, _) = offered("");
    assert!(
        all.contains(&"help".to_owned()) && all.contains(&"get".to_owned()),
        "{all:?}"
    );
    assert!(!all.iter().any(|name| name.starts_with("__")), "{all:?}");
    let (below, _) = offered("get ");
    assert!(!below.contains(&"help".to_owned()), "{below:?}");
}

#[test]
fn help_completes_the_path_of_a_command() {
    offers("help rec", &["reconcile"], 4);
    offers("help get sources o", &["oci"], 4);
    offers("help get nothing ", &[], 4);
}

#[test]
fn global_flags_come_before_own_flags() {
    let (flags, directive) = offered("get kustomizations --");
    let at = |name: &str| flags.iter().position(|flag| flag == name).expect(name);
    assert_eq!(directive, 4);
    assert!(at("--all-namespaces") < at("--verbose"), "sorted");
    assert!(at("--verbose") < at("--help"), "inherited flags first");
    assert!(at("--help") < at("--show-source"), "sorted");
    offers("get --all-n", &["--all-namespaces"], 4);
}

#[test]
fn given_flag_is_offered_again_only_if_repeatable() {
    offers("get ks --watch --wat", &[], 4);
    offers("get ks -w --wat", &[], 4);
    offers(
        "install --components=a --components",
        &["--components", "--components-extra"],
        4,
    );
    offers("get ks --as-group x --as-group", &["--as-group"], 4);
}

#[test]
fn flag_choices_are_offered() {
    offers("install --log-level ", &["debug", "info", "error"], 4);
    offers("install --log-level=e", &["error"], 4);
    offers("tree ks -o", &["-o"], 4);
    offers("tree ks -o ", &["yaml", "json"], 4);
    offers("tree ks -o=j", &["json"], 4);
    offers("get ks --watch=", &["true", "false"], 4);
}

#[test]
fn files_are_left_to_the_shell() {
    offers("build kustomization --path ", &[], 0);
    offers("install --kubeconfig=", &[], 0);
    offers("envsubst ", &[], 0);
    offers("get nothing ", &[], 0);
    offers("build artifact x -- -", &[], 0);
}

#[test]
fn help_flag_stops_completion() {
    offers("get --help ", &[], 4);
    offers("get ks -h --", &[], 4);
    offers("--version ", &[], 4);
}

#[test]
fn unparsable_line_is_reported() {
    for (line, part) in [
        ("bogus ", "unable to find a command for arguments: [bogus]"),
        ("get ks --bogus ", "unknown flag: --bogus"),
        ("get ks -Ay ", "unknown shorthand flag: 'y' in -Ay"),
        ("get ks --bogus=", "does not support flag 'bogus'"),
        ("suspend ks --timeout=abc ", "invalid duration"),
    ] {
        let why = planned(line).unwrap_err();
        assert!(why.contains(part), "{line}: {why}");
    }
}

#[track_caller]
fn asks(line: &str) -> (String, String, GlobalArgs) {
    match planned(line) {
        Ok(Plan::Ask {
            names,
            globals,
            prefix,
        }) => {
            let names = match names {
                Names::Objects(resource) => resource.kind.to_owned(),
                other => format!("{other:?}"),
            };
            (names, prefix, *globals)
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn completion_requests_names_where_allowed() {
    for (line, kind, prefix) in [
        ("get sources git ", "GitRepository", ""),
        ("get ks a", "Kustomization", "a"),
        ("suspend kustomization one tw", "Kustomization", "tw"),
        ("reconcile hr ", "HelmRelease", ""),
        ("build ks ", "Kustomization", ""),
        ("debug kustomization ", "Kustomization", ""),
        ("export artifact generator ", "ArtifactGenerator", ""),
        ("delete alert-provider s", "Provider", "s"),
        ("get ks --context ", "Contexts", ""),
        ("--context=k", "Contexts", "k"),
        ("get ks --cluster c", "Clusters", "c"),
        ("get ks --user=", "Users", ""),
        ("install -n ", "Namespaces", ""),
        ("get ks -An ", "Namespaces", ""),
        ("--namespace=fl", "Namespaces", "fl"),
    ] {
        let (asked, with, _) = asks(line);
        assert_eq!((asked.as_str(), with.as_str()), (kind, prefix), "{line}");
    }
}

#[test]
fn completion_uses_flags_of_the_line() {
    let (_, _, globals) = asks(
        "get ks --context=kind -n apps --watch --kubeconfig /k --as-group a --as-group b --as=me ",
    );
    assert_eq!(globals.context.as_deref(), Some("kind"));
    assert_eq!(globals.namespace.as_deref(), Some("apps"));
    assert_eq!(
        globals.kubeconfig.as_deref(),
        Some(std::path::Path::new("/k"))
    );
    assert_eq!(globals.impersonate_groups, ["a", "b"]);
}

#[test]
fn plugin_completes_its_own_words() {
    offers("op", &["operator"], 4);
    match planned("-n apps operator get --x ") {
        Ok(Plan::Plugin { name, words }) => {
            assert_eq!(
                (name.as_str(), words),
                (
                    "operator",
                    vec!["get".to_owned(), "--x".to_owned(), String::new()]
                )
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn directives_are_named_as_cobra_names_them() {
    for (directive, name) in [
        (0, "ShellCompDirectiveDefault"),
        (1, "ShellCompDirectiveError"),
        (6, "ShellCompDirectiveNoSpace, ShellCompDirectiveNoFileComp"),
        (64, "ERROR: unexpected ShellCompDirective value: 64"),
    ] {
        assert_eq!(Directive(directive).name(), name);
    }
}
