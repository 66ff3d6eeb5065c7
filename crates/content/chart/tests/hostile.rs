//! Hostile charts: bombs and loops in schemas, values and files end with an error.

use std::fmt::Write as _;

use sluice_chart::load::{self, Limits};
use sluice_chart::{Error, File, TemplateOptions, Values, strvals, template, values};

/// Renders a chart of some files.
fn render(files: &[(&str, &str)], user: &str) -> Result<String, Error> {
    let metadata = ("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    let has_metadata = files.iter().any(|(name, _)| *name == metadata.0);
    let metadata = (!has_metadata).then_some(&metadata);
    let files = files.iter().chain(metadata).map(|(name, data)| File {
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
    let referring =
        |reference: &str| format!(r#"{{"properties": {{"a": {{"$ref": "{reference}"}}}}}}"#);
    let file = "file:///etc/hostname";
    let error = check(&referring(file), "a: 1\n").unwrap_err().to_string();
    assert!(error.contains(file), "{error}");
    // A closed port would be an error, so nothing has asked it.
    check(&referring("http://127.0.0.1:1/schema.json"), "a: 1\n").unwrap();
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
fn duplicate_and_many_keys_are_read() {
    let last = values::parse(b"a: 1\nb: 2\na: 3\n").unwrap();
    assert_eq!(last["a"], 3.0);
    let mut text = String::new();
    for number in 0..100_000 {
        writeln!(text, "key{number}: {number}").unwrap();
    }
    let template = "a: {{ len .Values }}\n";
    let rendered = render(&[("templates/a.yaml", template)], &text).unwrap();
    assert!(rendered.ends_with("a: 100000\n"), "{rendered}");
}

#[test]
fn schema_with_faults_is_refused() {
    for schema in [
        "{",
        "plain text",
        r#"{"properties": {"a": {"pattern": "["}}}"#,
        r#"{"properties": {"a": {"pattern": "((a{100}){100}){100}"}}}"#,
        r#"{"patternProperties": {"a{1001}": {}}}"#,
    ] {
        assert!(check(schema, "a: text\n").is_err(), "{schema}");
    }
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

#[test]
fn include_chain_of_many_names_renders_to_a_depth() {
    let chain = |depth: usize| {
        let mut helpers = String::new();
        for level in 0..depth {
            let next = level + 1;
            write!(
                helpers,
                "{{{{ define \"n{level}\" }}}}{{{{ include \"n{next}\" . }}}}{{{{ end }}}}"
            )
            .unwrap();
        }
        write!(helpers, "{{{{ define \"n{depth}\" }}}}end{{{{ end }}}}").unwrap();
        let files = [
            ("templates/_helpers.tpl", &*helpers),
            ("templates/a.yaml", "a: {{ include \"n0\" . }}\n"),
        ];
        render(&files, "")
    };
    // Helm counts the uses of one name only.
    assert!(chain(1_000).unwrap().ends_with("a: end\n"));
    let error = chain(10_100).unwrap_err().to_string();
    assert!(error.contains("web/templates/a.yaml"), "{}", error.len());
    assert!(error.len() < 4 << 20, "{}", error.len());
}

#[test]
fn recursion_of_large_texts_has_a_short_error() {
    let large = "x".repeat(1 << 19);
    let node = format!("{{{{ define \"a\" }}}}{{{{ include \"a\" \"{large}\" }}}}{{{{ end }}}}");
    let name = format!(
        "{{{{ define \"{large}\" }}}}{{{{ include . . }}}}{{{{ end }}}}{{{{ define \"a\" }}}}{{{{ \
         include \"{large}\" \"{large}\" }}}}{{{{ end }}}}"
    );
    let again = format!("{{{{ define \"a\" }}}}{{{{ tpl $.Values.again $ }}}}{{{{ end }}}}{large}");
    let user = format!("again: '{{{{ tpl $.Values.again $ }}}}{large}'\n");
    for (helpers, user) in [(&node, ""), (&name, ""), (&again, &*user)] {
        let files = [
            ("templates/_helpers.tpl", &**helpers),
            ("templates/a.yaml", "a: {{ include \"a\" . }}\n"),
        ];
        let error = render(&files, user).unwrap_err().to_string();
        assert!(error.contains("web/templates/a.yaml"), "{}", error.len());
        assert!(error.len() < 4 << 20, "{}", error.len());
    }
}

#[test]
fn files_of_many_copies_end_at_the_limit() {
    let large = "x".repeat(4 << 20);
    let text = "{{ $all := list }}{{ range until 1000 }}{{ $all = append $all ($.Files.Get \
                \"large.txt\") }}{{ end }}{{ join \"\" $all }}";
    let files = [("large.txt", &*large), ("templates/a.yaml", text)];
    let error = render(&files, "").unwrap_err().to_string();
    assert!(error.contains("web/templates/a.yaml"), "{error}");
    assert!(error.len() < 4096, "{}", error.len());
}

#[test]
fn slow_and_large_patterns_end() {
    let slow = "a: {{ regexMatch \"(x+x+)+y\" (repeat 100000 \"x\") }}\n";
    let rendered = render(&[("templates/a.yaml", slow)], "").unwrap();
    assert!(rendered.ends_with("a: false\n"), "{rendered}");
    for pattern in ["((a{100}){100}){100}", "a{1001}", "(?P<n>a", "\\\\8"] {
        let text = format!("a: {{{{ regexFind \"{pattern}\" \"a\" }}}}\n");
        let error = render(&[("templates/a.yaml", &text)], "").unwrap_err();
        let error = error.to_string();
        // The text is that of Go.
        assert!(error.contains("error parsing regexp: "), "{error}");
    }
}

#[test]
fn assignments_of_large_indexes_are_refused() {
    let mut values = Values::new();
    for line in ["a[99999999]=1", "a[65537]=1", "a[-1]=1", "a[0x10]=1"] {
        assert!(strvals::set(line, &mut values).is_err(), "{line}");
    }
    let deep = format!("{}=1", vec!["a"; 100].join("."));
    assert!(strvals::set(&deep, &mut values).is_err());
    assert!(values.len() < 2);
}

#[test]
fn many_assignments_take_linear_time() {
    // A copy of the rest of the line, or of the list, for each of them would take minutes.
    let json = format!("a[0]=1{}", "]=1".repeat(100_000));
    let mut values = Values::new();
    strvals::set_json(&json, &mut values).unwrap();
    assert_eq!(values["]"], 1.0);
    let items = format!("a[65535]=1{}", ",a[0]=1".repeat(50_000));
    strvals::set(&items, &mut values).unwrap();
    assert_eq!(values["a"][0], 1);
}

#[test]
fn metadata_with_bad_parts_is_rejected_in_helms_words() {
    let base = "apiVersion: v2\nversion: 1.0.0\n";
    for (metadata, expected) in [
        ("name: ..\n", "chart.metadata.name \"..\" is not allowed"),
        ("name: .\n", "chart.metadata.name \".\" is not allowed"),
        ("name: ../a\n", "chart.metadata.name \"../a\" is invalid"),
        (
            "name: a\nmaintainers: [null]\n",
            "maintainers must not contain empty or null nodes",
        ),
        (
            "name: a\ndependencies: [~]\n",
            "dependencies must not contain empty or null nodes",
        ),
        (
            "name: a\ndependencies: [{name: b, alias: ../c}]\n",
            "dependency \"b\" has disallowed characters in the alias",
        ),
        (
            "name: a\ntype: plugin\n",
            "chart.metadata.type must be application or library",
        ),
    ] {
        let metadata = format!("{base}{metadata}");
        let error = render(&[("Chart.yaml", &metadata)], "").unwrap_err();
        assert_eq!(error.to_string(), format!("validation: {expected}"));
    }
}
