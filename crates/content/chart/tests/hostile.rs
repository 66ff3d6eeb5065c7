//! Hostile charts: bombs and loops in schemas, values and files end with an error.

use std::fmt::Write as _;

use sluice_chart::load::{self, Limits};
use sluice_chart::{Error, File, TemplateOptions, Values, template, values};

/// Renders a chart of some files.
fn render(files: &[(&str, &str)], user: &str) -> Result<String, Error> {
    let metadata = ("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    let files = files.iter().chain([&metadata]).map(|(name, data)| File {
        name: (*name).to_owned(),
        data: (*data).into(),
        modified: None,
    });
    let rendered = (|| {
        let chart = load::files(files.collect(), &Limits::default())?;
        let user = values::parse(user.as_bytes()).map_err(Error::Values)?;
        let mut options = TemplateOptions::default();
        options.budget.steps = 10_000_000;
        Ok(template(chart, &user, &options, None)?.to_text())
    })();
    rendered.map(|text| String::from_utf8_lossy(&text).into_owned())
}

fn check(schema: &str, user: &str) -> Result<String, Error> {
    render(&[("values.schema.json", schema)], user)
}

#[test]
fn schema_that_is_itself_ends() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##,
        r##"{"not": {"$ref": "#"}}"##,
        r##"{"$dynamicRef": "#"}"##,
    ] {
        drop(check(schema, "a: 1\n"));
    }
}

#[test]
fn schema_of_a_tree_checks_each_level() {
    let schema = r##"{"type": "object", "properties": {"next": {"$ref": "#"}}}"##;
    let values = format!("{}1{}", "{next: ".repeat(100), "}".repeat(100));
    let error = check(schema, &values).unwrap_err().to_string();
    assert!(error.contains("got number, want object"), "{error}");
}

#[test]
fn schema_that_doubles_at_each_reference_ends() {
    let mut schema = r#"{"$defs": {"a0": {"type": "object"}"#.to_owned();
    for level in 1..40 {
        let below = level - 1;
        write!(
            schema,
            r##", "a{level}": {{"allOf": [{{"$ref": "#/$defs/a{below}"}}, {{"$ref": "#/$defs/a{below}"}}]}}"##,
        )
        .unwrap();
    }
    schema.push_str(r##"}, "$ref": "#/$defs/a39"}"##);
    let error = check(&schema, "a: 1\n").unwrap_err().to_string();
    assert!(
        error.contains("the schema needs more than 1000000 steps"),
        "{error}"
    );
}

#[test]
fn schema_elsewhere_is_not_fetched() {
    for reference in ["http://127.0.0.1:1/schema.json", "file:///etc/hostname"] {
        let schema = format!(r#"{{"properties": {{"a": {{"$ref": "{reference}"}}}}}}"#);
        let error = check(&schema, "a: 1\n").unwrap_err().to_string();
        assert!(error.contains(reference), "{error}");
    }
}

#[test]
fn aliases_that_double_are_rejected() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = level - 1;
        let items = vec![format!("*a{below}"); 9].join(", ");
        writeln!(text, "a{level}: &a{level} [{items}]").unwrap();
    }
    let error = render(&[], &text).unwrap_err().to_string();
    assert!(error.contains("excessive aliasing"), "{error}");
}

#[test]
fn values_that_nest_too_deep_are_rejected() {
    let text = format!("a: {}{}", "[".repeat(20_000), "]".repeat(20_000));
    assert!(render(&[], &text).is_err());
}

#[test]
fn environment_of_the_machine_is_hidden() {
    for name in ["env", "expandenv"] {
        let text = format!("a: {{{{ {name} \"HOME\" }}}}\n");
        let error = render(&[("templates/a.yaml", &text)], "").unwrap_err();
        let expected =
            format!("parse error at (web/templates/a.yaml:1): function \"{name}\" not defined");
        assert_eq!(error.to_string(), expected);
    }
    let text = "a: {{ getHostByName \"localhost\" | quote }}\n";
    let rendered = render(&[("templates/a.yaml", text)], "").unwrap();
    assert!(rendered.ends_with("a: \"\"\n"), "{rendered}");
}

#[test]
fn files_of_the_chart_only_are_visible() {
    let text = "a: {{ .Files.Get \"../../etc/hostname\" | quote }}\nb: {{ .Files.Get \
                \"/etc/hostname\" | quote }}\n";
    let rendered = render(&[("templates/a.yaml", text)], "").unwrap();
    assert!(rendered.ends_with("a: \"\"\nb: \"\"\n"), "{rendered}");
}

#[test]
fn bombs_of_values_end_at_the_limit() {
    for text in [
        "{{ repeat 2000 .Values.text | indent 100000 }}",
        "{{ nindent 1000000000 .Values.text }}",
        "{{ $x := .Values.text }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}",
        "{{ $l := list 1 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}{{ len $l }}",
        "{{ regexReplaceAll \"a*\" (repeat 1000000 \"a\") (repeat 1000000 \"b\") }}",
        "{{ wrapWith 1 (repeat 1000000 \"x\") (repeat 1000 \"a \") }}",
        "{{ .Values.text | replace \"\" (repeat 60000000 \"x\") }}",
        "{{ join (repeat 1000000 \"x\") (until 1000000) }}",
        "{{ cat (until 9999999) | splitList \"\" | join \"x\" | repeat 100000 }}",
    ] {
        let rendered = render(&[("templates/a.yaml", text)], "text: \"a\\nb\"\n");
        let error = rendered.expect_err(text).to_string();
        assert!(error.contains("web/templates/a.yaml"), "{error}");
        assert!(error.len() < 1 << 20, "{text}");
    }
}

#[test]
fn panic_of_go_is_an_error() {
    let helpers = "{{ define \"a\" }}{{ include \"b\" . }}{{ end }}{{ define \"b\" }}{{ regexFind \
                   \"[\" \"x\" }}{{ end }}";
    let files = [
        ("templates/_helpers.tpl", helpers),
        ("templates/a.yaml", "a: {{ include \"a\" . }}\n"),
    ];
    let error = render(&files, "").unwrap_err().to_string();
    assert!(error.contains("executing \"b\" at <regexFind"), "{error}");
    assert!(error.contains("missing closing ]"), "{error}");
}

#[test]
fn user_values_of_the_wrong_kind_are_errors() {
    assert!(values::parse(b"- a\n").is_err());
    assert!(values::parse(b"a: [\n").is_err());
    assert_eq!(values::parse(b"").unwrap(), Values::new());
}

#[test]
fn subcharts_share_the_steps_of_schemas() {
    let mut schema = r#"{"$defs": {"a0": {"type": "object"}"#.to_owned();
    for level in 1..18 {
        let below = level - 1;
        write!(
            schema,
            r##", "a{level}": {{"allOf": [{{"$ref": "#/$defs/a{below}"}}, {{"$ref": "#/$defs/a{below}"}}]}}"##,
        )
        .unwrap();
    }
    schema.push_str(r##"}, "$ref": "#/$defs/a17"}"##);
    assert!(check(&schema, "a: 1\n").is_ok(), "one chart may do so");
    let mut files = Vec::new();
    for number in 0..5 {
        let chart = format!("apiVersion: v2\nname: sub{number}\nversion: 1.0.0\n");
        files.push((format!("charts/sub{number}/Chart.yaml"), chart));
        files.push((
            format!("charts/sub{number}/values.schema.json"),
            schema.clone(),
        ));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let error = render(&files, "").unwrap_err().to_string();
    assert!(error.contains("the schema needs more than"), "{error}");
}
