//! Executes the test functions of the suite as far as they set up objects and run commands.
//!
//! The result is a list of steps per test. Other statements of a test have no step. A check of
//! unknown form is counted as unread. Start at [`tests`].

use std::collections::BTreeMap;

use super::syntax::{Expression, File, Function, Statement, by_name};

/// Most nested calls of functions of the suite.
const MAX_CALLS: usize = 8;
/// The limit of a wait in the suite.
const TIMEOUT: &str = "10s";

/// Values for the placeholders of a file.
pub(super) type Values = BTreeMap<String, String>;

/// Stands for a temporary directory in paths and command lines.
pub(super) const TEMPORARY: &str = "TEMPORARY-DIRECTORY";
/// Stands for the directory of the tests.
pub(super) const PACKAGE: &str = "PACKAGE-DIRECTORY";

/// Replaces the placeholders of a text.
pub(super) fn fill(text: &str, values: &Values) -> String {
    let mut filled = text.to_owned();
    for (name, value) in values {
        for form in [
            format!("{{{{ .{name} }}}}"),
            format!("{{{{.{name}}}}}"),
            format!("{{{{ .{name}}}}}"),
        ] {
            filled = filled.replace(&form, value);
        }
    }
    // Other actions have nothing to print, and there are none without values.
    while let Some((before, (_, after))) = filled
        .split_once("{{")
        .filter(|_| !values.is_empty())
        .and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        filled = format!("{before}{after}");
    }
    filled
}

/// One step of a test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Create a namespace.
    Namespace(String),
    /// Create or replace the objects of a file.
    Create(String, Values),
    /// Apply the objects of a file, as a controller does.
    Apply(String, Values),
    /// Delete the objects of a file.
    Delete(String, Values),
    /// Write a file.
    Write(String, String),
    /// Run a command without a check.
    Run(String),
    /// Run a command and check its result.
    Check(Case),
}

/// A command and the result that the suite expects.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) line: String,
    pub(super) expected: ExpectedResult,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExpectedResult {
    Success,
    Error(String),
    /// The output is the text of a file.
    File(String, Values),
    Output(String),
    /// The suite checks the result in another form.
    Unread,
}

/// The steps of one test function.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

/// The tests of a package.
pub(super) fn tests(files: &[(String, File)]) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut namespaces = 0;
    let parsed: Vec<File> = files
        .iter()
        .map(|(_, file)| File {
            functions: file.functions.clone(),
            variables: file.variables.clone(),
        })
        .collect();
    let functions = by_name(&parsed);
    for (file, content) in files {
        for (name, function) in &content.functions {
            if !name.starts_with("Test") || name == "TestMain" {
                continue;
            }
            let mut run = Execution {
                functions: &functions,
                namespaces,
                steps: Vec::new(),
                label: String::new(),
                has_controller: false,
                calls: 0,
            };
            let mut scope = Scope::new();
            run.block(&content.variables, &mut scope);
            run.block(&function.body, &mut scope);
            namespaces = run.namespaces;
            let name = format!("{}: {name}", file.trim_end_matches("_test.go"));
            tests.push(Test {
                name,
                steps: run.steps,
            });
        }
    }
    tests
}

type Scope = BTreeMap<String, Value>;

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Record(BTreeMap<String, Self>),
    List(Vec<Self>),
    Check(ExpectedResult),
    Closure(Function),
    Nil,
    Unknown,
}

impl Value {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn values(&self) -> Values {
        let Self::Record(fields) = self else {
            return Values::new();
        };
        let text = |(name, value): (&String, &Self)| Some((name.clone(), value.text()?.to_owned()));
        fields.iter().filter_map(text).collect()
    }

    /// Whether two values are equal, if both are known. A missing field is empty and nil.
    fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => None,
            (Self::Nil, Self::Text(text)) | (Self::Text(text), Self::Nil) => Some(text.is_empty()),
            (one, two) => Some(one == two),
        }
    }
}

struct Execution<'a> {
    functions: &'a BTreeMap<String, Function>,
    namespaces: usize,
    steps: Vec<Step>,
    /// The name of the subtest.
    label: String,
    /// Whether the subtest plays a controller.
    has_controller: bool,
    calls: usize,
}

impl Execution<'_> {
    /// Executes statements. Returns the value of a `return`.
    fn block(&mut self, body: &[Statement], scope: &mut Scope) -> Option<Value> {
        for statement in body {
            match statement {
                Statement::Assign(names, value) => {
                    let value = self.evaluate(value, scope);
                    assign(names, value, scope);
                }
                Statement::Evaluate(expression) => drop(self.evaluate(expression, scope)),
                Statement::Range(name, list, body) => {
                    let Value::List(items) = self.evaluate(list, scope) else {
                        continue;
                    };
                    for item in items {
                        scope.insert(name.clone(), item);
                        self.block(body, scope);
                    }
                }
                Statement::If(first, condition, body) => {
                    self.block(first, scope);
                    let holds = self.evaluate(condition, scope);
                    if holds == Value::Text("true".to_owned())
                        && let Some(value) = self.block(body, scope)
                    {
                        return Some(value);
                    }
                }
                Statement::Switch(subject, cases) => {
                    let subject = self.evaluate(subject, scope);
                    for (values, body) in cases {
                        let is_met = values.iter().any(|value| {
                            let value = self.evaluate(value, scope);
                            subject.equals(&value) == Some(true)
                        });
                        if is_met {
                            self.block(body, scope);
                            break;
                        }
                    }
                }
                Statement::Return(value) => return Some(self.evaluate(value, scope)),
            }
        }
        None
    }

    fn evaluate(&mut self, expression: &Expression, scope: &mut Scope) -> Value {
        match expression {
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Name(name) if name == "nil" => Value::Nil,
            Expression::Name(name) => match scope.get(name) {
                Some(value) => value.clone(),
                None if name == "true" || name == "false" => Value::Text(name.clone()),
                None if name.bytes().all(|byte| byte.is_ascii_digit()) => Value::Text(name.clone()),
                None => Value::Unknown,
            },
            Expression::Field(owner, name) => match self.evaluate(owner, scope) {
                // A field that a literal leaves out is empty.
                Value::Record(fields) => fields.get(name).cloned().unwrap_or(Value::Nil),
                _ => Value::Unknown,
            },
            Expression::Index(owner, key) => {
                let key = self.evaluate(key, scope);
                match (self.evaluate(owner, scope), key.text()) {
                    (Value::Record(fields), Some(key)) => {
                        fields.get(key).cloned().unwrap_or(Value::Unknown)
                    }
                    _ => Value::Unknown,
                }
            }
            Expression::Sum(left, right) => {
                let text = |value: Value| match value {
                    Value::Nil => Some(String::new()),
                    value => value.text().map(str::to_owned),
                };
                let left = text(self.evaluate(left, scope));
                let right = text(self.evaluate(right, scope));
                match (left, right) {
                    (Some(left), Some(right)) => Value::Text(left + &right),
                    _ => Value::Unknown,
                }
            }
            Expression::Compare(left, right, is_equal) => {
                let (left, right) = (self.evaluate(left, scope), self.evaluate(right, scope));
                match left.equals(&right) {
                    Some(equal) => Value::Text((equal == *is_equal).to_string()),
                    None => Value::Unknown,
                }
            }
            Expression::Literal(fields, items) => self.literal(fields, items, scope),
            Expression::Closure(function) => Value::Closure(function.clone()),
            Expression::Call(callee, arguments) => self.call(callee, arguments, scope),
            Expression::Unknown => Value::Unknown,
        }
    }

    fn literal(
        &mut self,
        fields: &[String],
        items: &[(Option<Expression>, Expression)],
        scope: &mut Scope,
    ) -> Value {
        let is_record = items.iter().any(|(key, _)| key.is_some());
        if is_record {
            let entries = items.iter().filter_map(|(key, value)| {
                let key = match key.as_ref()? {
                    Expression::Name(name) | Expression::Text(name) => name.clone(),
                    key => self.evaluate(key, scope).text()?.to_owned(),
                };
                Some((key, self.evaluate(value, scope)))
            });
            return Value::Record(entries.collect());
        }
        let mut list = Vec::new();
        for (_, value) in items {
            list.push(match value {
                // An element without the names of its fields.
                Expression::Literal(_, values)
                    if !fields.is_empty() && values.iter().all(|(key, _)| key.is_none()) =>
                {
                    let named = fields.iter().zip(values);
                    let entries =
                        named.map(|(name, (_, value))| (name.clone(), self.evaluate(value, scope)));
                    Value::Record(entries.collect())
                }
                value => self.evaluate(value, scope),
            });
        }
        Value::List(list)
    }

    fn call(&mut self, callee: &Expression, arguments: &[Expression], scope: &mut Scope) -> Value {
        let name = match callee {
            Expression::Name(name) | Expression::Field(_, name) => name.as_str(),
            _ => "",
        };
        if name == "runTestCmd" {
            let Expression::Field(owner, _) = callee else {
                return Value::Unknown;
            };
            let case = self.evaluate(owner, scope);
            self.check(&case);
            return Value::Nil;
        }
        if name == "Run"
            && let [label, Expression::Closure(body)] = arguments
        {
            let label = self.evaluate(label, scope);
            label.text().unwrap_or_default().clone_into(&mut self.label);
            self.has_controller = false;
            self.block(&body.body, &mut scope.clone());
            return Value::Nil;
        }
        // A template that is executed into a buffer.
        if name == "Execute"
            && let (Expression::Field(owner, _), [Expression::Name(buffer), values]) =
                (callee, arguments)
        {
            let values = self.evaluate(values, scope).values();
            if let Value::Text(text) = self.evaluate(owner, scope) {
                scope.insert(buffer.clone(), Value::Text(fill(&text, &values)));
            }
            return Value::Nil;
        }
        if let ("Bytes" | "String", Expression::Field(owner, _)) = (name, callee)
            && let Value::Text(text) = self.evaluate(owner, scope)
        {
            return Value::Text(text);
        }
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.evaluate(argument, scope))
            .collect();
        self.builtin(name, &values)
            .unwrap_or_else(|| self.own_function(callee, values, scope))
    }

    /// A function with a meaning here.
    fn builtin(&mut self, name: &str, values: &[Value]) -> Option<Value> {
        let text = |at: usize| values.get(at).and_then(Value::text);
        let file = || Some((text(0)?.to_owned(), values.get(1)?.values()));
        Some(match name {
            "allocateNamespace" => {
                self.namespaces += 1;
                Value::Text(format!("{}-{}", text(0)?, self.namespaces))
            }
            "setupTestNamespace" => {
                self.steps.push(Step::Namespace(text(0)?.to_owned()));
                Value::Nil
            }
            "CreateObjectFile" => {
                let (file, values) = file()?;
                self.steps.push(Step::Create(file, values));
                Value::Unknown
            }
            "createObjectFromFile" => {
                let (file, values) = file()?;
                self.steps.push(Step::Apply(file, values));
                Value::Unknown
            }
            "DeleteObjectFile" => {
                let (file, values) = file()?;
                self.steps.push(Step::Delete(file, values));
                Value::Unknown
            }
            // The reconciler of the suite is a function that changes an object.
            "run" => {
                self.has_controller = true;
                Value::Nil
            }
            "executeCommand" => {
                self.steps.push(Step::Run(text(0)?.to_owned()));
                Value::Unknown
            }
            "assertSuccess" => Value::Check(ExpectedResult::Success),
            "assertError" => Value::Check(ExpectedResult::Error(text(0)?.to_owned())),
            "assertGoldenValue" => Value::Check(ExpectedResult::Output(text(0)?.to_owned())),
            "assertGoldenFile" => {
                Value::Check(ExpectedResult::File(text(0)?.to_owned(), Values::new()))
            }
            "assertGoldenTemplateFile" => {
                let (file, values) = file()?;
                Value::Check(ExpectedResult::File(file, values))
            }
            "Sprintf" => Value::Text(format_text(text(0)?, &values[1..])?),
            "Parse" => Value::Text(text(0)?.to_owned()),
            "TempDir" => Value::Text(TEMPORARY.to_owned()),
            "Abs" => Value::Text(format!("{PACKAGE}/{}", text(0)?)),
            "Join" => {
                let parts: Option<Vec<&str>> = values.iter().map(Value::text).collect();
                Value::Text(parts?.join("/"))
            }
            "WriteFile" => {
                let step = Step::Write(text(0)?.to_owned(), text(1)?.to_owned());
                self.steps.push(step);
                Value::Nil
            }
            "toLocalTime" => Value::Text(local_time(text(1)?)),
            "String" => Value::Text(TIMEOUT.to_owned()),
            _ => return None,
        })
    }

    /// Calls a function of the suite.
    fn own_function(&mut self, callee: &Expression, values: Vec<Value>, scope: &Scope) -> Value {
        let function = match callee {
            Expression::Name(name) => match scope.get(name) {
                Some(Value::Closure(function)) => Some(function.clone()),
                _ => self.functions.get(name).cloned(),
            },
            _ => None,
        };
        let Some(function) = function.filter(|_| self.calls < MAX_CALLS) else {
            return Value::Unknown;
        };
        self.calls += 1;
        let mut inner = scope.clone();
        inner.extend(function.parameters.iter().cloned().zip(values));
        let value = self.block(&function.body, &mut inner);
        self.calls -= 1;
        value.unwrap_or(Value::Unknown)
    }

    /// Adds the check of a `cmdTestCase`.
    fn check(&mut self, case: &Value) {
        let Value::Record(fields) = case else {
            return;
        };
        let line = match fields.get("args") {
            Some(Value::Text(line)) => line.clone(),
            _ => String::new(),
        };
        let expected = match fields.get("assert") {
            Some(Value::Check(expected)) if !line.is_empty() && !self.has_controller => {
                expected.clone()
            }
            _ => ExpectedResult::Unread,
        };
        self.steps.push(Step::Check(Case {
            name: self.label.clone(),
            line,
            expected,
        }));
    }
}

/// Assigns a value to names, and to fields of records. Only the first of several names gets it.
fn assign(names: &[Expression], value: Value, scope: &mut Scope) {
    match names.first() {
        Some(Expression::Name(name)) => {
            scope.insert(name.clone(), value);
        }
        Some(Expression::Field(owner, field)) => {
            if let Expression::Name(owner) = &**owner
                && let Some(Value::Record(fields)) = scope.get_mut(owner)
            {
                fields.insert(field.clone(), value);
            }
        }
        _ => {}
    }
}

/// Replaces the verbs of a format by texts.
fn format_text(format: &str, values: &[Value]) -> Option<String> {
    let mut values = values.iter();
    let mut parts = format.split('%');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        text.push_str(values.next()?.text()?);
        text.push_str(part.get(1..)?);
    }
    Some(text)
}

/// A time as Go prints a local one, where the time zone is UTC.
fn local_time(time: &str) -> String {
    format!("{} +0000 UTC", time.trim_end_matches('Z').replace('T', " "))
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;
    use super::*;

    #[test]
    fn tables_become_steps() {
        let text = r#"
            package main
            var command = "create x --timeout=" + testTimeout.String()
            func setup(t *testing.T, tmpl map[string]string) {
                testEnv.CreateObjectFile("./objects.yaml", tmpl, t)
            }
            func TestTable(t *testing.T) {
                tmpl := map[string]string{
                    "fluxns": allocateNamespace("flux-system"),
                }
                setup(t, tmpl)
                tests := []struct {
                    name, args string
                    resultFile string
                    assertFunc string
                }{
                    {"first", command, "a.golden", "assertGoldenTemplateFile"},
                    {
                        name:       "second",
                        args:       "get x", // a comment
                        resultFile: "no \"x\"",
                        assertFunc: "assertError",
                    },
                }
                for _, tt := range tests {
                    t.Run(tt.name, func(t *testing.T) {
                        var assert assertFunc
                        switch tt.assertFunc {
                        case "assertGoldenTemplateFile":
                            assert = assertGoldenTemplateFile(tt.resultFile, tmpl)
                        case "assertError":
                            assert = assertError(tt.resultFile)
                        }
                        if tt.missing != "" {
                            executeCommand("never")
                        }
                        cmd := cmdTestCase{
                            args:   tt.args + " -n " + tmpl["fluxns"],
                            assert: assert,
                        }
                        cmd.runTestCmd(t)
                    })
                }
            }
        "#;
        let values: Values = [("fluxns".to_owned(), "flux-system-1".to_owned())].into();
        let case = |name: &str, line: &str, expected| {
            Step::Check(Case {
                name: name.to_owned(),
                line: line.to_owned(),
                expected,
            })
        };
        let expected = Test {
            name: "x: TestTable".to_owned(),
            steps: vec![
                Step::Create("./objects.yaml".to_owned(), values.clone()),
                case(
                    "first",
                    "create x --timeout=10s -n flux-system-1",
                    ExpectedResult::File("a.golden".to_owned(), values),
                ),
                case(
                    "second",
                    "get x -n flux-system-1",
                    ExpectedResult::Error("no \"x\"".to_owned()),
                ),
            ],
        };
        assert_eq!(tests(&[("x_test.go".to_owned(), parse(text))]), [expected]);
    }
}
