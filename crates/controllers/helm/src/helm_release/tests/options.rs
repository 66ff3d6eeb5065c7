//! Each option of an action in the spec reaches the action. Expectations are those of the
//! reference: `internal/action/{install,upgrade,rollback,uninstall,test}.go`.

use sluice_api::helm::{CrdPolicy, HelmReleaseStatus, ReleaseAction, RemediationStrategy};
use sluice_helm::action::{Install, Reuse, Rollback, ServerSide, Test, Uninstall, Upgrade};
use sluice_helm::cluster::{Propagation, WaitStrategy};

use super::*;
use crate::helm_release::options;
use crate::helm_release::strategy::{self, Remediation};

/// Whether one failure uses up the retries, whether failed tests are ignored, whether the last
/// failure is remediated, and how.
type Remedy = (bool, bool, bool, RemediationStrategy);

/// The options that a spec yields. The release has one revision, whose chart had another name.
#[derive(Debug, Clone)]
struct Options {
    install: Install,
    upgrade: Upgrade,
    rollback: Rollback,
    uninstall: Uninstall,
    test: Test,
    definitions: [Result<CrdPolicy, String>; 2],
    skips_schema: [bool; 2],
    remediations: [Remedy; 2],
    retries: [Option<Duration>; 2],
    max_history: [usize; 3],
    /// Whether tests run, and whether their failures are ignored.
    tests: [bool; 2],
    moves: Option<&'static str>,
}

impl Options {
    fn of(spec: &Value) -> Self {
        let mut status = with_history(&[snapshot(1, "deployed")]);
        status["storageNamespace"] = json!("apps");
        let object = release(spec, &status);
        let policy = policy();
        let spec = &object.spec;
        let rollback = Action::Rollback(Box::default());
        let draft = Draft::begin(
            &Arc::new(object.clone()),
            Algorithm::Sha256,
            Timestamp::UNIX_EPOCH,
        );
        let failed = serde_json::from_value(json!({"installFailures": 1, "upgradeFailures": 1}));
        let failed: HelmReleaseStatus = failed.unwrap();
        let remedy = |remediation: &Remediation| {
            (
                remediation.is_exhausted(&failed),
                remediation.ignores_tests(spec),
                remediation.remediates_last(),
                remediation.strategy().clone(),
            )
        };
        let retry = |action| strategy::retry_of(&action, spec, false);
        Self {
            install: options::install(&object, &policy),
            upgrade: options::upgrade(&object, &policy, "ssa"),
            rollback: options::rollback(&object, &policy, 1, rollback.timeout(spec), "ssa"),
            uninstall: options::uninstall(&object, &policy),
            test: options::test(&object),
            definitions: [
                options::crd_policy(&Action::Install, spec),
                options::crd_policy(&Action::Upgrade, spec),
            ],
            skips_schema: [
                options::skips_schema(&Action::Install, spec),
                options::skips_schema(&Action::Upgrade, spec),
            ],
            remediations: [
                remedy(&Remediation::of_install(spec)),
                remedy(&Remediation::of_upgrade(spec)),
            ],
            retries: [retry(ReleaseAction::Install), retry(ReleaseAction::Upgrade)],
            max_history: [Action::Install, Action::Upgrade, rollback]
                .map(|action| options::max_history(&action, spec)),
            tests: [strategy::has_tests(spec), strategy::ignores_tests(spec)],
            moves: state::changed_target(&draft, ("apps", "apps", "web"), "other"),
        }
    }
}

const MINUTE: Duration = Duration::from_mins(1);

/// A change of the options.
type Change = fn(&mut Options);

/// Fields, the rest of the spec, their values in it, and their effect.
const FIELDS: &[(&str, &str, &str, Change)] = &[
    ("install.timeout", "{}", r#""1m""#, |options| {
        options.install.delivery.timeout = MINUTE;
    }),
    ("install.disableTakeOwnership", "{}", "true", |options| {
        options.install.delivery.take_ownership = false;
    }),
    (
        "install.disableOpenAPIValidation",
        "{}",
        "true",
        |options| options.install.delivery.validates = false,
    ),
    ("install.disableSchemaValidation", "{}", "true", |options| {
        options.skips_schema[0] = true;
    }),
    ("install.crds", "{}", r#""CreateReplace""#, |options| {
        options.definitions[0] = Ok(CrdPolicy::CreateReplace);
    }),
    ("install.remediation.retries", "{}", "1", |options| {
        options.remediations[0].0 = false;
    }),
    (
        "install.remediation.ignoreTestFailures",
        "{}",
        "true",
        |options| options.remediations[0].1 = true,
    ),
    (
        "install.remediation.remediateLastFailure",
        "{}",
        "true",
        |options| options.remediations[0].2 = true,
    ),
    (
        "install.strategy.name",
        "{}",
        r#""RetryOnFailure""#,
        |options| options.retries[0] = Some(5 * MINUTE),
    ),
    (
        "install.strategy.retryInterval",
        r#"{"install": {"strategy": {"name": "RetryOnFailure"}}}"#,
        r#""1m""#,
        |options| options.retries[0] = Some(MINUTE),
    ),
    ("install.disableHooks", "{}", "true", |options| {
        options.install.delivery.runs_hooks = false;
    }),
    ("install.disableWait", "{}", "true", |options| {
        options.install.delivery.wait = WaitStrategy::HookOnly;
    }),
    ("install.disableWaitForJobs", "{}", "true", |options| {
        options.install.delivery.waits_for_jobs = false;
    }),
    ("upgrade.timeout", "{}", r#""1m""#, |options| {
        options.upgrade.delivery.timeout = MINUTE;
    }),
    ("upgrade.disableTakeOwnership", "{}", "true", |options| {
        options.upgrade.delivery.take_ownership = false;
    }),
    (
        "upgrade.disableOpenAPIValidation",
        "{}",
        "true",
        |options| options.upgrade.delivery.validates = false,
    ),
    ("upgrade.disableSchemaValidation", "{}", "true", |options| {
        options.skips_schema[1] = true;
    }),
    ("upgrade.crds", "{}", r#""CreateReplace""#, |options| {
        options.definitions[1] = Ok(CrdPolicy::CreateReplace);
    }),
    ("upgrade.remediation.retries", "{}", "1", |options| {
        options.remediations[1].0 = false;
        options.remediations[1].2 = true;
    }),
    (
        "upgrade.remediation.ignoreTestFailures",
        "{}",
        "true",
        |options| options.remediations[1].1 = true,
    ),
    (
        "upgrade.remediation.remediateLastFailure",
        "{}",
        "true",
        |options| options.remediations[1].2 = true,
    ),
    (
        "upgrade.strategy.name",
        "{}",
        r#""RetryOnFailure""#,
        |options| options.retries[1] = Some(5 * MINUTE),
    ),
    (
        "upgrade.strategy.retryInterval",
        r#"{"upgrade": {"strategy": {"name": "RetryOnFailure"}}}"#,
        r#""1m""#,
        |options| options.retries[1] = Some(MINUTE),
    ),
    ("upgrade.disableHooks", "{}", "true", |options| {
        options.upgrade.delivery.runs_hooks = false;
    }),
    ("upgrade.disableWait", "{}", "true", |options| {
        options.upgrade.delivery.wait = WaitStrategy::HookOnly;
    }),
    ("upgrade.disableWaitForJobs", "{}", "true", |options| {
        options.upgrade.delivery.waits_for_jobs = false;
    }),
    ("upgrade.cleanupOnFail", "{}", "true", |options| {
        options.upgrade.cleans_up = true;
    }),
    (
        "upgrade.force",
        r#"{"upgrade": {"serverSideApply": "disabled"}}"#,
        "true",
        |options| options.upgrade.delivery.force_replace = true,
    ),
    (
        "upgrade.serverSideApply",
        "{}",
        r#""disabled""#,
        |options| {
            options.upgrade.server_side = ServerSide::Off;
            options.upgrade.delivery.server_side = false;
            options.upgrade.delivery.force_conflicts = false;
        },
    ),
    ("rollback.timeout", "{}", r#""1m""#, |options| {
        options.rollback.delivery.timeout = MINUTE;
    }),
    ("rollback.disableHooks", "{}", "true", |options| {
        options.rollback.delivery.runs_hooks = false;
    }),
    ("rollback.disableWait", "{}", "true", |options| {
        options.rollback.delivery.wait = WaitStrategy::HookOnly;
    }),
    ("rollback.disableWaitForJobs", "{}", "true", |options| {
        options.rollback.delivery.waits_for_jobs = false;
    }),
    ("rollback.cleanupOnFail", "{}", "true", |options| {
        options.rollback.cleans_up = true;
    }),
    (
        "rollback.force",
        r#"{"rollback": {"serverSideApply": "disabled"}}"#,
        "true",
        |options| options.rollback.delivery.force_replace = true,
    ),
    (
        "rollback.serverSideApply",
        "{}",
        r#""disabled""#,
        |options| {
            options.rollback.server_side = ServerSide::Off;
            options.rollback.delivery.server_side = false;
            options.rollback.delivery.force_conflicts = false;
        },
    ),
    ("install.createNamespace", "{}", "true", |options| {
        options.install.create_namespace = true;
    }),
    ("install.replace", "{}", "true", |options| {
        options.install.replace = true;
    }),
    ("install.serverSideApply", "{}", "false", |options| {
        options.install.delivery.server_side = false;
        options.install.delivery.force_conflicts = false;
    }),
    ("install.skipCRDs", "{}", "true", |_| {}),
    ("upgrade.preserveValues", "{}", "true", |options| {
        options.upgrade.reuse = Reuse::Reuse;
    }),
    (
        "upgrade.remediation.strategy",
        "{}",
        r#""uninstall""#,
        |options| options.remediations[1].3 = RemediationStrategy::Uninstall,
    ),
    (
        "upgrade.chartNameChangeStrategy",
        "{}",
        r#""InPlaceUpdate""#,
        |options| options.moves = None,
    ),
    ("rollback.recreate", "{}", "true", |_| {}),
    ("uninstall.timeout", "{}", r#""1m""#, |options| {
        options.uninstall.timeout = MINUTE;
    }),
    ("uninstall.disableHooks", "{}", "true", |options| {
        options.uninstall.runs_hooks = false;
    }),
    ("uninstall.disableWait", "{}", "true", |options| {
        options.uninstall.wait = WaitStrategy::HookOnly;
    }),
    ("uninstall.keepHistory", "{}", "true", |options| {
        options.uninstall.keeps_history = true;
    }),
    (
        "uninstall.deletionPropagation",
        "{}",
        r#""foreground""#,
        |options| options.uninstall.propagation = Propagation::Foreground,
    ),
    ("test.timeout", "{}", r#""1m""#, |options| {
        options.test.timeout = MINUTE;
    }),
    ("test.enable", "{}", "true", |options| {
        options.tests[0] = true;
    }),
    ("test.ignoreFailures", "{}", "true", |options| {
        options.tests[1] = true;
        options.remediations[0].1 = true;
        options.remediations[1].1 = true;
    }),
    (
        "test.filters",
        "{}",
        r#"[{"name": "a"}, {"name": "b", "exclude": true}]"#,
        |options| {
            options.test.includes = vec!["a".to_owned()];
            options.test.excludes = vec!["b".to_owned()];
        },
    ),
    ("timeout", "{}", r#""1m""#, |options| {
        for delivery in [
            &mut options.install.delivery,
            &mut options.upgrade.delivery,
            &mut options.rollback.delivery,
        ] {
            delivery.timeout = MINUTE;
        }
        options.uninstall.timeout = MINUTE;
        options.test.timeout = MINUTE;
    }),
    ("waitStrategy.name", "{}", r#""legacy""#, |options| {
        for delivery in [
            &mut options.install.delivery,
            &mut options.upgrade.delivery,
            &mut options.rollback.delivery,
        ] {
            delivery.wait = WaitStrategy::Legacy;
        }
        options.uninstall.wait = WaitStrategy::Legacy;
    }),
    ("maxHistory", "{}", "2", |options| {
        options.max_history = [0, 2, 2];
    }),
    ("releaseName", "{}", r#""own""#, |options| {
        options.install.name = "own".to_owned();
    }),
    ("targetNamespace", "{}", r#""own""#, |options| {
        options.install.name = "own-web".to_owned();
        options.install.namespace = "own".to_owned();
    }),
];

/// Sets a field of a spec by its path.
fn set(spec: &mut Value, path: &str, value: Value) {
    let mut field = spec;
    for name in path.split('.') {
        if field.is_null() {
            *field = json!({});
        }
        field = &mut field[name];
    }
    *field = value;
}

/// The paths of the fields of a schema.
fn paths(schema: &Value, path: &str, found: &mut Vec<String>) {
    let Some(fields) = schema["properties"].as_object() else {
        found.push(path.to_owned());
        return;
    };
    for (name, field) in fields {
        paths(field, &format!("{path}.{name}"), found);
    }
}

#[test]
fn each_option_of_the_spec_reaches_its_action() {
    for (path, rest, value, change) in FIELDS {
        let mut spec: Value = serde_json::from_str(rest).unwrap();
        spec["targetNamespace"] = json!("apps");
        let mut expected = Options::of(&spec);
        change(&mut expected);
        set(&mut spec, path, serde_json::from_str(value).unwrap());
        let found = Options::of(&spec);
        assert_eq!(format!("{found:#?}"), format!("{expected:#?}"), "{path}");
    }
}

#[test]
fn table_of_options_has_all_fields_of_actions() {
    let definitions = sluice_api::crds("helm-controller").unwrap();
    let definitions = sluice_yaml::v2::documents(definitions).unwrap();
    let versions = &definitions[0]["spec"]["versions"];
    let spec = &versions[0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    let mut fields = Vec::new();
    for action in ["install", "upgrade", "rollback", "uninstall", "test"] {
        paths(&spec[action], action, &mut fields);
    }
    assert!(fields.len() > 50, "{fields:?}");
    let missing = fields
        .iter()
        .filter(|field| FIELDS.iter().all(|(path, ..)| path != field));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn defaults_of_options_are_those_of_the_reference() {
    let options = Options::of(&json!({}));
    let Install { delivery, .. } = &options.install;
    assert_eq!(
        (delivery.server_side, delivery.force_conflicts),
        (true, true)
    );
    assert!(delivery.take_ownership && delivery.validates && delivery.runs_hooks);
    assert!(delivery.waits_for_jobs && options.install.skips_crds);
    assert_eq!(options.upgrade.reuse, Reuse::Reset);
    assert_eq!(options.max_history, [0, 5, 5]);
    assert_eq!(options.moves, Some("chart name"));
    let create = || Ok(CrdPolicy::Create);
    assert_eq!(options.definitions, [create(), create()]);
    // An upgrade and a rollback apply as the revision before.
    let object = release(&json!({}), &json!({}));
    for (last, expected) in [("ssa", ServerSide::On), ("csa", ServerSide::Off)] {
        let upgrade = options::upgrade(&object, &policy(), last);
        let rollback = options::rollback(&object, &policy(), 1, MINUTE, last);
        assert_eq!(
            (upgrade.server_side, rollback.server_side),
            (expected, expected)
        );
    }
    for (mode, expected) in [("enabled", ServerSide::On), ("auto", ServerSide::Off)] {
        let own = json!({"serverSideApply": mode});
        let object = release(&json!({"upgrade": own, "rollback": own}), &json!({}));
        let upgrade = options::upgrade(&object, &policy(), "csa");
        let rollback = options::rollback(&object, &policy(), 1, MINUTE, "csa");
        assert_eq!(
            (upgrade.server_side, rollback.server_side),
            (expected, expected)
        );
    }
}

/// The gate `UseHelm3Defaults`.
#[test]
fn gate_changes_the_defaults_of_an_install() {
    let mut policy = Policy::clone(&policy());
    policy.helm3_defaults = true;
    let object = release(&json!({}), &json!({}));
    let install = options::install(&object, &policy).delivery;
    assert_eq!(
        (install.server_side, install.wait),
        (false, WaitStrategy::Legacy)
    );
    let upgrade = options::upgrade(&object, &policy, "ssa").delivery;
    assert_eq!(
        (upgrade.server_side, upgrade.wait),
        (true, WaitStrategy::Legacy)
    );
}
