//! Templates: no text makes parsing, execution or formatting panic, hang or use unbounded memory.
//! An execution stays within its budget.

use std::cell::OnceCell;
use std::sync::Arc;

use serde_json::Value as Json;
use sluice_gotemplate::fmt::sprintf;
use sluice_gotemplate::sprig::{self, Profile};
use sluice_gotemplate::value::CompositeType;
use sluice_gotemplate::{Budget, FuncMap, List, Map, Render, TemplateSet, Value};

use super::Target;

/// Limits of one execution: smaller than those of a chart, because an input is small too.
const BUDGET: Budget = Budget {
    steps: 1_000_000,
    bytes: 32 << 20,
    value_bytes: 8 << 20,
    depth: 100,
    deadline: None,
};

/// Maximum bytes of a formatted text.
const MAX_TEXT: usize = 1 << 20;

thread_local! {
    static FUNCTIONS: OnceCell<Arc<FuncMap>> = const { OnceCell::new() };
}

/// Parses and executes a template with the functions of sprig.
pub(super) const TEMPLATES: Target = Target {
    name: "templates",
    run: |bytes| {
        let make = || Arc::new(sprig::func_map(Profile::Text));
        let functions = FUNCTIONS.with(|functions| Arc::clone(functions.get_or_init(make)));
        let mut set = TemplateSet::new("page", functions);
        if let Err(error) = set.parse("page", bytes) {
            drop(error.to_string());
            return;
        }
        let mut out = Vec::new();
        let mut render = Render::new(&BUDGET);
        let executed = Arc::new(set).execute(&mut render, "page", &data(), &mut out);
        if let Err(error) = executed {
            drop(error.to_string());
        }
        assert!(out.len() as u64 <= BUDGET.bytes, "more than the budget");
    },
    seeds: || {
        let files = [
            "dates", "dicts", "exec", "lists", "math", "merge", "regex", "semver", "strings",
            "syntax", "url", "values",
        ];
        files.into_iter().flat_map(vectors).collect()
    },
    words: &[
        "{{ ",
        " }}",
        "{{- ",
        " -}}",
        "{{ end }}",
        "{{ else }}",
        "{{ if ",
        "{{ range ",
        "{{ range $i, $e := ",
        "{{ with ",
        "{{ define \"x\" }}",
        "{{ template \"x\" . }}",
        "{{ block \"x\" . }}",
        "{{ break }}",
        "{{ continue }}",
        "{{/* ",
        " */}}",
        " | ",
        "(",
        ")",
        "$x := ",
        "$x = ",
        "$",
        ".",
        ".m.k",
        ".l",
        ".s",
        "nil",
        "true",
        "1e308",
        "0x7fffffffffffffff",
        "-1",
        "'\\u00e9'",
        "`raw`",
        "\"text\"",
        "\\",
        "and ",
        "index .l ",
        "printf \"%*.*d\" ",
        "until 100000",
        "untilStep 0 9223372036854775807 1",
        "seq 1 100000",
        "repeat 1000000 \"x\"",
        "list ",
        "dict \"a\" ",
        "merge .m ",
        "mergeOverwrite .m ",
        "deepCopy .m",
        "set .m \"k\" .m",
        "append .l .l",
        "concat .l .l",
        "chunk 1 .l",
        "toJson ",
        "toPrettyJson .m",
        "fromJson ",
        "regexReplaceAll \"(a+)+\" ",
        "regexSplit \"\" .s -1",
        "regexFindAll \".*\" .s -1",
        "semverCompare \"^1 || >=2 <3\" ",
        "date \"2006-01-02T15:04:05Z07:00\" now",
        "toDate \"2006\" .s",
        "wrap 1 .s",
        "wrapWith 0 \"\" .s",
        "indent 100000 .s",
        "nindent 9223372036854775807 .s",
        "abbrev 5 .s",
        "substr -1 5 .s",
        "splitList \"\" .s",
        "sortAlpha .l",
        "adler32sum .s",
        "b32dec .s",
        "urlParse .s",
        "ternary ",
        "fail .s",
        "kindOf ",
        "slice .l 1 9",
    ],
};

/// Uses the input as a format of `printf`.
pub(super) const FORMATS: Target = Target {
    name: "formats",
    run: |bytes| {
        let values = [data(), Value::from("text"), Value::Nil, Value::from(true)];
        for values in [&values[..], &values[1..], &[]] {
            let printed = sprintf(bytes, values, MAX_TEXT);
            assert!(printed.is_err() || printed.is_ok_and(|text| text.len() <= MAX_TEXT));
        }
    },
    seeds: || {
        let seeds = vectors("fmt").into_iter();
        seeds
            .chain(
                [
                    "%v %+v %#v %T",
                    "%[2]*[1]d",
                    "%-10.3s|%x|% X",
                    "%q%U%c%e%g%08b",
                ]
                .map(Into::into),
            )
            .collect()
    },
    words: &[
        "%",
        "%%",
        "%v",
        "%+v",
        "%#v",
        "%T",
        "%d",
        "%s",
        "%q",
        "%x",
        "% x",
        "%X",
        "%o",
        "%b",
        "%e",
        "%g",
        "%f",
        "%t",
        "%p",
        "%c",
        "%U",
        "%*d",
        "%[1]",
        "%[9223372036854775807]d",
        "%999999999d",
        "%.999999999f",
        "%-",
        "%0",
        "%+",
        "%#",
        ".",
        "*",
        "[",
        "]",
        "!",
    ],
};

/// The templates of a recorded table.
fn vectors(table: &str) -> Vec<Vec<u8>> {
    let path = format!("crates/language/gotemplate/tests/vectors/{table}.jsonl");
    let text = std::fs::read_to_string(crate::repository().join(path))
        .expect("the vectors are in the repository");
    let read = |line: &str| serde_json::from_str::<Json>(line).expect("a vector is JSON");
    let templates = text.lines().map(read);
    templates
        .filter_map(|vector| {
            vector["template"]
                .as_str()
                .map(|text| text.as_bytes().to_vec())
        })
        .collect()
}

/// Values of several types.
fn data() -> Value {
    let inner = Map::new();
    inner.set("k", "v");
    let map = Map::new();
    map.set("s", "hello 1.2.3");
    map.set("t", true);
    map.set("nil", Value::Nil);
    map.set("m", inner.clone());
    let items = vec![Value::from("a"), Value::from("b"), Value::Map(inner)];
    map.set("l", List::new(&CompositeType::ANY_LIST, items));
    map.into()
}
