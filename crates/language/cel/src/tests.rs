//! Tests of expressions, with recorded answers of cel-go.

use super::{CelError, Expression, Type};

/// Replays cel-go's recorded answers. Syntax errors only need the same position.
#[test]
fn recorded_expressions_match_the_reference() {
    let vectors = include_str!("../tests/vectors/cel.jsonl");
    let mut documents = std::collections::HashMap::new();
    let mut faults = Vec::new();
    for line in vectors.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).expect("a vector is JSON");
        let text = |field: &str| vector[field].as_str().unwrap_or_default();
        if let Some(name) = vector["define"].as_str() {
            documents.insert(name.to_owned(), vector["as"].clone());
            continue;
        }
        let document = &documents[text("document")];
        let variables = document.as_object().expect("an object");
        let found = match vector["declare"].as_array() {
            None => Expression::parse(text("expr")).and_then(|expression| {
                let value = expression.evaluate(variables)?;
                Ok(shown(&value))
            }),
            Some(names) => {
                let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).collect();
                Expression::check(text("expr"), &names).and_then(|(expression, of)| {
                    let value = expression.evaluate(variables)?;
                    Ok(format!("{of}: {}", shown(&value)))
                })
            }
        };
        let problem = |error: CelError| match error {
            CelError::Invalid { issues, .. } => issues,
            CelError::Failed { problem, .. } => problem,
            other => other.to_string(),
        };
        let found = found.map_err(problem);
        let wanted = match text("error") {
            "" => Ok(text("result").to_owned()),
            error => Err(error.to_owned()),
        };
        let is_alike = |found: &str, wanted: &str| {
            let lead = |text: &str| text.split(": Syntax error").next().map(str::to_owned);
            let is_pattern = |text: &str| text.contains("error parsing regexp");
            wanted.contains("Syntax error") && lead(found) == lead(wanted)
                || is_pattern(found) && is_pattern(wanted)
        };
        match (&found, &wanted) {
            _ if found == wanted => {}
            (Err(found), Err(wanted)) if is_alike(found, wanted) => {}
            _ => faults.push(format!(
                "{}\n  wanted {wanted:?}\n  found  {found:?}",
                text("expr")
            )),
        }
    }
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Prints a value like the oracle: its type, and text without quotes.
fn shown(value: &super::Value) -> String {
    let text = match value {
        super::Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    let text = text.unwrap_or_else(|| value.plain());
    format!("{} {text}", value.type_name())
}

#[test]
fn compile_rejects_a_different_output_type() {
    let names = ["self", "dep"];
    let compile = |text| Expression::compile(text, &names, &Type::Bool);
    assert!(compile("self.metadata.name == dep.metadata.name").is_ok());
    for (text, error) in [
        (
            "'foo'",
            "CEL expression output type mismatch: expected bool, got string",
        ),
        (
            "dep.x",
            "CEL expression output type mismatch: expected bool, got dyn",
        ),
        (
            "self",
            "CEL expression output type mismatch: expected bool, got map(string, dyn)",
        ),
    ] {
        assert_eq!(compile(text).unwrap_err().to_string(), error);
    }
}

#[test]
fn evaluate_boolean_rejects_other_values() {
    let expression = Expression::parse("'some-value'").expect("a literal");
    assert_eq!(
        expression
            .evaluate_boolean(&super::Variables::new())
            .unwrap_err()
            .to_string(),
        "failed to evaluate CEL expression as boolean: ''some-value''"
    );
}

#[test]
fn expressions_over_a_limit_are_stopped() {
    let list = format!("[{}]", vec!["1"; 200].join(","));
    let loops = format!("{list}.all(a, {list}.all(b, {list}.all(c, {list}.all(d, true))))");
    let grows = format!(
        "'{}'{}",
        "a".repeat(100),
        format!(".replace('a', '{}')", "a".repeat(100)).repeat(9)
    );
    let nested = format!("{}1{}", "(".repeat(300), ")".repeat(300));
    let chain = vec!["1"; 300].join(" + ");
    for (text, message) in [
        (loops, "operation interrupted"),
        (grows, "operation interrupted"),
        (nested, "expression recursion limit exceeded: 250"),
        (chain, "expression recursion limit exceeded: 250"),
        (
            "a".repeat(100_001),
            "expression code point size exceeds limit",
        ),
    ] {
        let found = Expression::parse(&text)
            .and_then(|expression| expression.evaluate(&super::Variables::new()));
        let error = found.unwrap_err().to_string();
        assert!(
            error.contains(message),
            "{}",
            &error[error.len().saturating_sub(300)..]
        );
    }
}

/// Nested list literals.
fn nest(of: &str, depth: usize) -> String {
    format!("{}{of}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn check_rejects_types_that_grow_exponentially() {
    let steps = |first: &str, step: &str| format!("{first}{}", step.repeat(100));
    let problem = |text: &str| match Expression::check(text, &["self"]) {
        Ok(_) => String::new(),
        Err(CelError::Invalid { issues, .. }) => issues,
        Err(other) => other.to_string(),
    };
    let fine = problem(&steps("optional.of([1, 2])", ".optMap(x, x)"));
    assert_eq!(fine, "");
    let large = "ERROR: <input>:1:1: the types of the expression are too many or too large";
    // The parts of a type may become known long after its use.
    let locals: Vec<String> = (0..40).map(|n| format!("a{n}")).collect();
    let pairs = locals.windows(2);
    let clauses: Vec<String> = pairs
        .map(|two| format!("{0} == [{{{1}: {1}}}]", two[0], two[1]))
        .collect();
    let within = |kind: &str, inner: &str, from: &str| {
        let heads = locals
            .iter()
            .map(|local| format!("{from}.{kind}({local}, "));
        let heads: String = heads.collect();
        format!("{heads}{inner}{}", ")".repeat(locals.len()))
    };
    let chain = clauses.join(" && ");
    let deep = |local: usize| format!("a{local} == {}", nest(&format!("a{}", local + 1), 80));
    let deeper: Vec<String> = (0..39).map(deep).collect();
    let mut grown = nest("1", 120);
    for _ in 0..8 {
        grown.push_str(".map(x, {x: x})");
    }
    for text in [
        steps("[1]", ".map(x, {x: x})"),
        within("all", &chain, "[[]]"),
        within("filter", &chain, "[[]]"),
        within(
            "all",
            &format!("[a0, 1] == [] && {}", deeper.join(" && ")),
            "[[]]",
        ),
        format!(
            "{grown}.all(x, [{}].size() >= 0)",
            vec!["x"; 40_000].join(",")
        ),
        format!("{grown}.all(x, {})", vec!["-x"; 20_000].join("||")),
    ] {
        let issues = problem(&text);
        assert!(
            issues.starts_with(large),
            "{}",
            &issues[..issues.len().min(300)]
        );
    }
    for wrong in ["nope", "optional.of([1, 'a'])"] {
        let issues = problem(&steps(wrong, ".optMap(x, x)"));
        assert_eq!(issues.matches("ERROR: <input>").count(), 100);
        assert!(issues.ends_with(" more errors were truncated"), "{wrong}");
    }
}

#[test]
fn parse_rejects_loops_that_nest_values_too_deeply() {
    let loops = |count: usize, depth: usize| {
        let first = format!("{}.all(a0, ", nest("1", depth));
        let others =
            (1..count).map(|n| format!("{}.all(a{n}, ", nest(&format!("a{}", n - 1), depth)));
        let heads: String = std::iter::once(first).chain(others).collect();
        let last = format!("a{}", count - 1);
        format!("{heads}{last} == {last}{}", ")".repeat(count))
    };
    let none = super::Variables::new();
    let fine = Expression::parse(&loops(8, 100)).and_then(|fine| fine.evaluate_boolean(&none));
    assert_eq!(fine, Ok(true));
    let problem = Expression::parse(&loops(110, 120)).unwrap_err().to_string();
    assert_eq!(
        problem,
        "failed to create CEL program: the values of the expression may nest more than 1000 levels deep"
    );
    let grown = format!("[1]{}", format!(".map(x, {})", nest("x", 100)).repeat(20));
    assert!(Expression::parse(&grown).is_err());
}

#[test]
fn deepest_allowed_expressions_are_evaluated() {
    let deep = |before: &str, count: usize, inner: &str, after: &str| {
        format!("{}{inner}{}", before.repeat(count), after.repeat(count))
    };
    for text in [
        deep("(", 240, "1", ")"),
        deep("[", 120, "1", "][0]"),
        deep("{1: ", 240, "1", "}"),
        deep("true ? (", 120, "1", ") : 2"),
        deep("1 + (2 * ", 80, "1", ")"),
        deep("[1].map(x, ", 120, "x", ")[0]"),
        format!("size([{}])", "[".repeat(120) + &"]".repeat(120)),
        format!("true{}", " && true".repeat(5000)),
        format!("1{}", " + 1".repeat(240)),
        deep("optional.of(1).optMap(x, ", 120, "x", ").value()"),
        deep("-(", 120, "1", ")"),
    ] {
        let shown = &text[..text.len().min(40)];

        let expression = Expression::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            expression.evaluate(&super::Variables::new()).is_ok(),
            "{shown}"
        );
        let checked = Expression::check(&text, &["self"]);
        assert!(checked.is_ok(), "{shown}");
    }
}

#[test]
fn evaluation_budget_counts_reads_and_results() {
    let variables = serde_json::json!({
        "texts": vec!["a".repeat(1000); 1000],
        "numbers": (0..3000).collect::<Vec<_>>(),
    });
    let variables = variables.as_object().expect("an object");
    for text in [
        "texts.map(a, texts.map(b, a + b)).size() > 0",
        "sets.contains(numbers, numbers.map(x, x + 1))",
        "numbers.all(x, numbers == numbers)",
        "texts.all(a, texts.all(b, !a.matches('b$')))",
        "numbers.exists(x, numbers.all(y, y in numbers)) || true",
    ] {
        let expression = Expression::parse(text).expect("an expression");
        let error = expression.evaluate(variables).unwrap_err().to_string();
        assert!(error.contains("actual cost limit exceeded"), "{error}");
    }
    // A large but ordinary object stays within the budget.
    let expression = Expression::parse("texts.all(a, a.startsWith('a') && a.matches('^a+$'))");
    let value = expression.and_then(|expression| expression.evaluate_boolean(variables));
    assert_eq!(value, Ok(true));
}

#[test]
fn format_rejects_precision_over_the_maximum() {
    let evaluate = |text: &str| {
        let expression = Expression::parse(text).expect("an expression");
        expression.evaluate(&super::Variables::new())
    };
    for clause in ["f", "e"] {
        for item in ["1.0", "-1", "1u", "0"] {
            for precision in [4097, 65_535, 65_536, 70_000, 10 << 20, 1_i64 << 40] {
                let text = format!("'%.{precision}{clause}'.format([{item}])");
                let error = evaluate(&text).unwrap_err().to_string();
                assert!(error.contains("actual cost limit exceeded"), "{error}");
            }
            let text = format!("'%.4096{clause}'.format([{item}]).size() > 4096");
            assert_eq!(evaluate(&text), Ok(super::Value::Bool(true)), "{text}");
        }
    }
    // Other verbs ignore the precision.
    for (text, printed) in [
        ("'%.70000s'.format(['a'])", "a"),
        ("'%.70000d'.format([1])", "1"),
        ("'%.70000x'.format([255])", "ff"),
        ("'%.70000b'.format([true])", "1"),
        ("'%.70000o'.format([8u])", "10"),
    ] {
        assert_eq!(evaluate(text), Ok(super::Value::string(printed)), "{text}");
    }
}

/// The cost of an evaluation, and whether it ends within the budget.
fn cost(text: &str, variables: &super::Variables) -> (usize, bool) {
    let expression = Expression::parse(text).expect("an expression");
    let found = expression.evaluate(variables);
    let is_over = |error: &CelError| error.to_string().contains("actual cost limit exceeded");
    let ends = found.as_ref().err().is_none_or(|error| !is_over(error));
    (super::evaluate::cost_of(&expression.root, variables), ends)
}

#[test]
fn computed_pattern_is_compiled_once() {
    let texts = |pattern: &str, count: usize| -> Vec<String> {
        (0..count)
            .map(|n| pattern.replace('N', &n.to_string()))
            .collect()
    };
    let variables = serde_json::json!({
        "texts": texts("text N", 1000), "few": texts("text N", 500),
        "pattern": "^text", "large": "\\pL{20}", "wrong": "(",
        "patterns": texts("^text N$", 300), "classes": texts("\\pLN", 300),
        "larges": texts("\\pL{2N}", 10),
    });
    let variables = variables.as_object().expect("an object");
    let cost = |text: &str| cost(text, variables);

    let (written_out, _) = cost("'text'.matches('^text')");
    let (computed, _) = cost("'text'.matches(pattern)");
    assert!((4000..6000).contains(&(computed - written_out)));
    let (wrong, _) = cost("'text'.matches(wrong)");
    assert!((4000..6000).contains(&wrong), "{wrong}");
    let (large, _) = cost("'text'.matches(large)");
    assert!((150_000..200_000).contains(&large), "{large}");

    let (few, _) = cost("few.all(text, text.matches(pattern))");
    let (many, _) = cost("texts.all(text, text.matches(pattern))");
    let (one_by_one, _) = cost("texts.all(text, text.matches('^text'))");
    assert!(few > 4000 && many - few < 500 * 15, "{few} {many}");
    assert!(many - one_by_one < 7000, "{many} {one_by_one}");

    // Many different patterns exceed the budget.
    for text in [
        "patterns.all(pattern, !'x'.matches(pattern))",
        "classes.all(pattern, !'1'.matches(pattern))",
        "larges.all(pattern, !'1'.matches(pattern))",
    ] {
        assert!(!cost(text).1, "{text}");
    }
}

#[test]
fn cost_counts_only_what_a_call_visits() {
    let variables = serde_json::json!({
        "numbers": (0..2000).collect::<Vec<_>>(), "half": (0..1000).collect::<Vec<_>>(),
        "map": (0..500).map(|n| (n.to_string(), n.into())).collect::<super::Variables>(),
        "text": "a".repeat(100_000),
    });
    let variables = variables.as_object().expect("an object");
    let cost = |text: &str| cost(text, variables);
    let (half, _) = cost("half.all(x, half != x)");
    let (all, ends) = cost("numbers.all(x, numbers != x)");
    assert!(ends && all < 2 * half && all < 2000 * 10, "{half} {all}");
    assert!(!cost("numbers.all(x, numbers == numbers)").1);

    // Each key of a map costs a step, and lookups of other keys than strings scan all of them.
    assert!(cost("map.all(key, true)").0 > 1000);
    let keys: Vec<String> = (0..500).map(|n| format!("{n}: {n}")).collect();
    let keys = keys.join(", ");
    assert!(cost(&format!("{{{keys}}}[499]")).0 > 500);
    assert!(cost(&format!("499 in {{{keys}}}")).0 > 500);
    assert!(cost(&format!("{{{keys}}} == {{{keys}}}")).0 > 500 * 500);
    let made = keys.replace("499: 499", "499: half[4]");
    assert!(cost(&format!("{{{made}}}.size()")).0 > 500 * 500 / 2);
    assert!(cost("map['499'] + map['1']").0 < 20);
    assert!((100..200).contains(&cost("size(text)").0));
    assert!(cost("size(map) + size(numbers)").0 < 20);
    let long = "n".repeat(40_000);
    for text in ["map.NAME", "has(map.NAME)", "[1].exists(NAME, NAME > 0)"] {
        assert!(cost(&text.replace("NAME", "status")).0 < 20, "{text}");
        assert!(cost(&text.replace("NAME", &long)).0 >= 400, "{text}");
    }
    // Parts of a split text cost before and after the call.
    assert!(cost("text.split('')").0 > 2 * 100_000);
}

#[test]
fn oversized_values_are_neither_walked_nor_printed() {
    let list = |of: &str| format!("[{}]", [of; 10].join(", "));
    let grown = format!("[1]{}", format!(".map(x, {})", list("x")).repeat(20));
    let none = super::Variables::new();
    for test in [
        "x == x",
        "x != x",
        "x in [x]",
        "x in {1: 2}",
        "sets.contains(x, x)",
        "sets.intersects([1], x)",
        "'%s'.format([x]) == ''",
        "{x: 1}.size() == 1",
        "[{'a': x}] == [{'a': x}] || true",
    ] {
        let (_, ends) = cost(&format!("{grown}.exists(x, {test})"), &none);
        assert!(!ends, "{test}");
    }
    for test in ["x != 1", "x != [x]", "!([x] == [])", "x.size() == 10"] {
        let (cost, ends) = cost(&format!("{grown}.all(x, {test})"), &none);
        assert!(ends && cost < 1000, "{test}: {cost}");
    }
    for (test, message) in [
        ("['a', x].join() == ''", "join: invalid input: [["),
        ("[?x] == []", "from non-optional value [["),
        ("{?'a': x} == {}", "from non-optional value [["),
    ] {
        let expression = Expression::parse(&format!("{grown}.all(x, {test})"));
        let found = expression.and_then(|expression| expression.evaluate(&none));
        let CelError::Failed { problem, .. } = found.unwrap_err() else {
            panic!("{test}");
        };
        assert!(problem.contains(message), "{test}: {problem}");
        assert!(problem.len() < 5000 && problem.ends_with('…'), "{problem}");
    }
}

#[test]
fn literal_patterns_share_a_budget_per_expression() {
    let of = |pattern: &str, count: usize| {
        let calls: Vec<String> = (0..count)
            .map(|n| format!("'a'.matches('{}')", pattern.replace('N', &n.to_string())))
            .collect();
        Expression::parse(&calls.join(" || ")).map(|expression| {
            let found = expression.evaluate_boolean(&super::Variables::new());
            assert_eq!(found, Ok(true), "{pattern}");
        })
    };
    assert_eq!(of("^(a|bN)+$", 500), Ok(()));
    assert_eq!(of("\\\\pL{1}|N", 20), Ok(()));
    for (pattern, count) in [("^(a|bN)+$", 1000), ("\\\\pL{1}|N", 30)] {
        assert_eq!(
            of(pattern, count).unwrap_err().to_string(),
            "failed to create CEL program: the patterns of the expression are too many or too large"
        );
    }
}
