//! Templates that would run for ever, take the memory or overflow the stack.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sluice_gotemplate::sprig::{self, Profile};
use sluice_gotemplate::{Budget, Map, Render, TemplateSet, Value};

/// Executes a text; an error of the parser or of the execution is its message.
fn execute(text: &str, budget: &Budget) -> Result<Vec<u8>, String> {
    let functions = Arc::new(sprig::func_map(Profile::Text));
    let mut set = TemplateSet::new("page", functions);
    let parsed = set.parse("page", text.as_bytes());
    parsed.map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let mut render = Render::new(budget);
    let executed = Arc::new(set).execute(&mut render, "page", &Map::new().into(), &mut out);
    executed.map_err(|error| error.to_string())?;
    Ok(out)
}

fn small() -> Budget {
    Budget {
        steps: 1_000_000,
        bytes: 64 << 20,
        ..Budget::default()
    }
}

#[test]
fn nested_loops_end_at_the_steps() {
    let text = "{{ range until 1000000 }}{{ range until 1000000 }}{{ end }}{{ end }}";
    let error = execute(text, &small()).unwrap_err();
    assert!(error.contains("too many steps"), "{error}");
}

#[test]
fn integer_range_ends_at_the_steps() {
    let text = "{{ range $i := 9223372036854775807 }}{{ $i }}{{ end }}";
    let error = execute(text, &small()).unwrap_err();
    assert!(error.contains("too many steps"), "{error}");
}

#[test]
fn deadline_ends_a_loop() {
    let budget = Budget {
        deadline: Some(Instant::now() + Duration::from_millis(20)),
        ..Budget::default()
    };
    let text = "{{ range $i := 9223372036854775807 }}{{ end }}";
    let error = execute(text, &budget).unwrap_err();
    assert!(error.contains("deadline reached"), "{error}");
}

#[test]
fn large_values_are_refused_before_they_are_made() {
    for text in [
        "{{ repeat 1000000000 \"x\" }}",
        "{{ repeat 9223372036854775807 \"xy\" }}",
        "{{ indent 1000000000 \"x\" }}",
        "{{ nindent 9000000000 \"x\" }}",
        "{{ until 1000000000 }}",
        "{{ untilStep 0 9223372036854775807 1 }}",
        "{{ seq 1000000000 }}",
        "{{ $x := repeat 1000000 \"x\" }}{{ replace \"x\" $x $x }}",
        "{{ $x := repeat 1000000 \"x\" }}{{ regexReplaceAll \"x\" $x $x }}",
        "{{ randAlphaNum 1000000000 }}",
    ] {
        assert!(execute(text, &small()).is_err(), "{text}");
    }
}

#[test]
fn printf_width_is_that_of_go() {
    let length = |text: &str| execute(text, &small()).map(|out| out.len());
    assert_eq!(length("{{ printf \"%10000001d\" 1 }}"), Ok(10_000_001));
    let out = execute("{{ printf \"%100000001d\" 1 }}", &small()).unwrap();
    assert_eq!(out, b"%!(NOVERB)%!(EXTRA int=1)");
    let error = execute(
        "{{ range until 100 }}{{ printf \"%1000000d\" 1 }}{{ end }}",
        &small(),
    );
    assert!(error.unwrap_err().contains("output limit exceeded"));
}

#[test]
fn doubled_string_ends_at_the_limit() {
    let text =
        "{{ $s := \"xxxxxxxx\" }}{{ range until 64 }}{{ $s = printf \"%s%s\" $s $s }}{{ end }}";
    let error = execute(text, &small()).unwrap_err();
    assert!(error.contains("limit exceeded"), "{error}");
}

#[test]
fn recursion_ends_at_the_depth() {
    let text = "{{ define \"a\" }}{{ template \"b\" . }}{{ end }}\
                {{ define \"b\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}";
    let error = execute(text, &Budget::default()).unwrap_err();
    assert!(
        error.ends_with("exceeded maximum template depth (10000)"),
        "{error}"
    );
}

#[test]
fn deep_text_is_refused_by_the_parser() {
    let parens = "(".repeat(20_000);
    let error = execute(&format!("{{{{ {parens}1 }}}}"), &small()).unwrap_err();
    assert!(error.contains("max expression depth exceeded"), "{error}");
    let blocks = "{{ if true }}".repeat(20_000);
    let error = execute(&blocks, &small()).unwrap_err();
    assert!(error.contains("max block depth exceeded"), "{error}");
}

#[test]
fn map_that_contains_itself_is_an_error_or_printed_in_part() {
    for function in ["toJson", "toPrettyJson", "toString", "deepCopy", "print"] {
        let text =
            format!("{{{{ $d := dict }}}}{{{{ $_ := set $d \"d\" $d }}}}{{{{ {function} $d }}}}");
        let outcome = execute(&text, &small());
        assert!(outcome.map_or(0, |out| out.len()) <= 64 << 20, "{function}");
    }
}

#[test]
fn pattern_of_nested_stars_ends() {
    let text = "{{ regexMatch \"(a*)*b\" (repeat 100000 \"a\") }}";
    assert_eq!(execute(text, &small()).unwrap(), b"false");
}

#[test]
fn map_that_holds_itself_is_freed() {
    for text in [
        "{{ $_ := set . \"self\" . }}",
        "{{ $_ := set . \"list\" (list (dict \"self\" .)) }}",
        "{{ $a := dict \"f\" .f }}{{ $_ := set $a \"b\" (dict \"a\" $a) }}",
        "{{ range until 5000 }}{{ $a := dict \"f\" $.f }}{{ $_ := set $a \"a\" $a }}{{ end }}",
        "{{ $_ := set . \"self\" . }}{{ fail \"in between\" }}",
    ] {
        let held = Rc::new(*sprig::func_map(Profile::Text).get("list").unwrap());
        let data = Map::new();
        data.set("f", Value::Func(Rc::clone(&held)));
        let mut set = TemplateSet::new("page", Arc::new(sprig::func_map(Profile::Text)));
        set.parse("page", text.as_bytes()).unwrap();
        let set = Arc::new(set);
        let (budget, mut out) = (small(), Vec::new());
        let mut render = Render::new(&budget);
        let executed = set.execute(&mut render, "page", &data.into(), &mut out);
        assert_eq!(executed.is_err(), text.contains("fail"), "{text}");
        drop(render);
        assert_eq!(Rc::strong_count(&held), 1, "{text}");
    }
}
