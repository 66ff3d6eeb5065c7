//! Tests beyond the recorded vectors: limits, and Flux's handling of objects.

use sluice_testkit::wait;
use sluice_yaml::json;

use super::{Budget, Error, Options, SubstituteError, Variables, expand, expand_object};

fn expanded(template: &str, value: &str) -> Result<String, Error> {
    let named = |name: &str| (name == "v").then_some(value);
    let bytes = expand(template.as_bytes(), false, named, &mut Budget::default())?;
    Ok(String::from_utf8(bytes).unwrap())
}

#[test]
fn functions_evaluate_as_in_upstream() {
    for (template, result) in [
        ("${v}", "Hello.World"),
        ("$v and $$v and $${v}", "$v and $v and ${v}"),
        ("${#v}", "11"),
        (
            "${v^^} ${v,,} ${v^} ${v,}",
            "HELLO.WORLD hello.world Hello.World hello.World",
        ),
        ("${v:6} ${v:0:5} ${v:-5:2}", "World Hello Hello.World"),
        (
            "${v#*l} ${v##*l} ${v%l*} ${v%%l*}",
            "lo.World d Hello.Wor He",
        ),
        (
            "${v/l/L} ${v//l/L} ${v/#He/he} ${v/%ld/LD}",
            "HeLlo.World HeLLo.WorLd hello.World Hello.WorLD",
        ),
        ("${w:-x} ${w:=x} ${w=x} ${w:?x} ${w:+x}", "x x x x x"),
        ("${w:-a${v}b${w:-c}}", "aHello.Worldbc"),
        ("${v//l/}", "Heo.Word"),
        ("${v/[.]/\\/}", "Hello.World"),
        ("${v/./\\/}", "Hello/World"),
    ] {
        assert_eq!(
            expanded(template, "Hello.World").as_deref(),
            Ok(result),
            "{template}"
        );
    }
}

/// Forms of bash that upstream does not parse.
#[test]
fn forms_that_upstream_rejects_are_rejected() {
    for (template, error) in [
        ("${v-x}", Error::MissingBrace),
        ("${v+x}", Error::MissingBrace),
        ("${v?x}", Error::MissingBrace),
        ("${v", Error::MissingBrace),
        ("${}", Error::VariableName),
        ("${ v}", Error::VariableName),
        ("${v.x}", Error::MissingBrace),
        ("${v#}", Error::FunctionArgument),
        ("${v:", Error::BadSubstitution),
        ("${v:é}", Error::BadSubstitution),
        ("${#v", Error::BadSubstitution),
    ] {
        assert_eq!(expanded(template, "x"), Err(error), "{template}");
    }
}

#[test]
fn substring_out_of_range_is_an_error() {
    for template in [
        "${v:3:-1}",
        "${v:10:-9}",
        "${v:9223372036854775807:9223372036854775807}",
    ] {
        assert_eq!(
            expanded(template, "abcde"),
            Err(Error::OutOfRange),
            "{template}"
        );
    }
    let variables: Variables = [("v", "é")].into_iter().collect();
    let split = expand_object(
        "a: \"${v:1}\"",
        &variables,
        Options::default(),
        &mut Budget::default(),
    );
    assert_eq!(split, Err(SubstituteError::Expand(Error::SplitCharacter)));
}

#[test]
fn nul_ends_the_text() {
    assert_eq!(expanded("a${v}\0b${v}", "x").as_deref(), Ok("ax"));
}

#[test]
fn depth_size_and_effort_are_limited() {
    let deep = format!("{}x{}", "${v:-".repeat(501), "}".repeat(501));
    assert_eq!(expanded(&deep, ""), Err(Error::TooDeep(500)));
    let within = format!("{}x{}", "${w:-".repeat(500), "}".repeat(500));
    assert_eq!(expanded(&within, "").as_deref(), Ok("x"));
    let large = "a".repeat(1 << 20);
    assert_eq!(
        expanded(&format!("${{v//a/{}}}", "b".repeat(100)), &large),
        Err(Error::TooLarge(64 << 20))
    );
    assert_eq!(
        expanded(&"${v}".repeat(65), &large),
        Err(Error::TooLarge(64 << 20))
    );
    let outcome = expanded("${v##*b*c}", &large).map(|text| text.len());
    assert_eq!(outcome, Err(Error::TooComplex));
    // Many escapes and expressions take linear time.
    let escapes = "$$".repeat(1 << 20);
    assert_eq!(expanded(&escapes, "").unwrap().len(), 1 << 20);
}

#[test]
fn objects_of_a_build_share_one_budget() {
    let large = "a".repeat(1 << 20);
    let variables: Variables = [("v", &large)].into_iter().collect();
    let mut budget = Budget::default();
    let mut expand = |yaml: &str| expand_object(yaml, &variables, Options::default(), &mut budget);
    let outcome = (0..100).find_map(|_| expand("a: ${v}").err());
    let too_large = SubstituteError::Expand(Error::TooLarge(64 << 20));
    assert_eq!(outcome, Some(too_large));
    let mut budget = Budget::default();
    let mut expand = |yaml: &str| expand_object(yaml, &variables, Options::default(), &mut budget);
    let outcome = (0..200).find_map(|_| expand("a: ${#v}").err());
    assert_eq!(outcome, Some(SubstituteError::Expand(Error::TooComplex)));
}

#[test]
fn replacement_takes_linear_time() {
    // A comparison at each position would take 2^38 steps.
    let value = "a".repeat(1 << 20);
    let old = format!("{}b", "a".repeat(1 << 18));
    let template = format!("${{v//{old}/c}}");
    let unchanged = wait::until_done("the replacement", move || {
        expanded(&template, &value).is_ok_and(|result| result == value)
    });
    assert!(unchanged);
}

fn built(yaml: &str, variables: &[(&str, &str)]) -> String {
    let variables: Variables = variables.iter().copied().collect();
    let object = expand_object(yaml, &variables, Options::default(), &mut Budget::default())
        .unwrap()
        .unwrap();
    json::to_string(&object.into())
}

#[test]
fn result_is_parsed_as_yaml_1_1() {
    let yaml = "a: ${yes}\nb: ${one}\nc: ${quote}1${quote}\nd: \"${one}\"\ne: ${map}\n";
    let variables = [
        ("yes", "yes"),
        ("one", "1"),
        ("quote", "\""),
        ("map", "{x: on}"),
    ];
    assert_eq!(
        built(yaml, &variables),
        r#"{"a":true,"b":1,"c":"1","d":"1","e":{"x":true}}"#
    );
}

#[test]
fn large_integers_lose_precision() {
    assert_eq!(
        built(
            "a: 9007199254740993\nb: 9007199254740992\nc: 18446744073709551615\nd: ${v}\n",
            &[("v", "5")]
        ),
        r#"{"a":9007199254740992,"b":9007199254740992,"c":18446744073709552000,"d":5}"#
    );
}

#[test]
fn values_lose_line_feeds_and_are_expanded_once() {
    assert_eq!(
        built("a: ${v}\n", &[("v", "x\ny${w}\n"), ("w", "z")]),
        r#"{"a":"xy${w}"}"#
    );
}

#[test]
fn later_values_win() {
    let mut variables = Variables::default();
    variables.set("v", "from a Secret");
    variables.set("v", "inline");
    assert_eq!(variables.value("v"), Some("inline"));
}

#[test]
fn invalid_variable_name_is_rejected() {
    for name in ["a-b", "1a", "", "é", "a.b"] {
        let variables: Variables = [(name, "x")].into_iter().collect();
        assert_eq!(
            expand_object(
                "a: b\n",
                &variables,
                Options::default(),
                &mut Budget::default()
            )
            .unwrap_err()
            .to_string(),
            format!(
                "'{name}' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'"
            )
        );
    }
    for name in ["a", "_", "A_1"] {
        let variables: Variables = [(name, "x")].into_iter().collect();
        assert_eq!(variables.check(), Ok(()));
    }
}

#[test]
fn expand_without_variables_needs_always() {
    let none = Variables::default();
    let yaml = "a: ${v:=x}\n";
    assert_eq!(
        expand_object(yaml, &none, Options::default(), &mut Budget::default()),
        Ok(None)
    );
    let always = Options {
        always: true,
        ..Options::default()
    };
    let object = expand_object(yaml, &none, always, &mut Budget::default())
        .unwrap()
        .unwrap();
    assert_eq!(json::to_string(&object.into()), r#"{"a":"x"}"#);
}

#[test]
fn strict_mode_rejects_unset_variables_without_default() {
    let strict = Options {
        strict: true,
        always: true,
    };
    let variables: Variables = [("empty", "")].into_iter().collect();
    let strict_result = |yaml: &str| {
        expand_object(yaml, &variables, strict, &mut Budget::default())
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        strict_result("a: x${empty}${v:-d}${v:=d}${v=d}${v:?d}${v:+d}\n"),
        Ok(())
    );
    for yaml in [
        "a: ${v}\n",
        "a: ${#v}\n",
        "a: ${v^^}\n",
        "a: ${v:1}\n",
        "a: ${v/x/y}\n",
    ] {
        assert_eq!(
            strict_result(yaml),
            Err("variable substitution failed: variable not set (strict mode): \"v\"".to_owned())
        );
    }
}

#[test]
fn debug_output_hides_values() {
    let variables: Variables = [("password", "hunter2")].into_iter().collect();
    assert_eq!(format!("{variables:?}"), "{\"password\"}");
}
