//! Generates config maps and secrets for `configMapGenerator` and `secretGenerator`.
//!
//! Sources are read in upstream's order: files of variables, literals, files. A key must
//! come from one source only. Keys are not validated, as in upstream's command. Errors
//! never quote the content of a secret.
//!
//! Parity: kustomize: `api/internal/generators`, `api/kv`, `kyaml/yaml/datamap.go`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_yaml::tree::{Node, Text};

use crate::error::{Code, Error};
use crate::kustomization::fields::{GeneratorArguments, GeneratorOptions, Pairs};
use crate::resource::{Behavior, Resource};
use crate::schema::Schema;

/// The kind of a generated object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generator {
    ConfigMap,
    Secret,
}

impl Generator {
    /// Returns the name of the builtin.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ConfigMap => "ConfigMapGenerator",
            Self::Secret => "SecretGenerator",
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::ConfigMap => "ConfigMap",
            Self::Secret => "Secret",
        }
    }
}

/// The line length of upstream's base64, in bytes.
const BASE64_LINE_LENGTH: usize = 70;
/// The maximum length of a line of variables. A longer line silently ends the file.
const MAX_LINE_LENGTH: usize = 64 * 1024 - 1;

/// Merges the options of a generator into the options for all generators. Labels and
/// annotations of the generator win; flags are combined with "or".
pub(crate) fn merge_options(
    local: Option<&GeneratorOptions>,
    global: Option<&GeneratorOptions>,
) -> Option<GeneratorOptions> {
    let Some(global) = global else {
        return local.cloned();
    };
    let mut merged = local.cloned().unwrap_or_default();
    let merge = |local: &mut Option<Pairs>, global: &Option<Pairs>| match (local, global) {
        (Some(local), Some(global)) => {
            for (key, value) in global {
                local.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        (local @ None, global) => local.clone_from(global),
        (Some(_), None) => {}
    };
    merge(&mut merged.labels, &global.labels);
    merge(&mut merged.annotations, &global.annotations);
    merged.disable_name_suffix_hash |= global.disable_name_suffix_hash;
    merged.immutable |= global.immutable;
    Some(merged)
}

/// Generates an object; `read` returns the contents of a file.
pub(crate) fn generate(
    generator: Generator,
    arguments: &GeneratorArguments,
    schema: &Arc<Schema>,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, Error>,
) -> Result<Resource, Error> {
    if arguments.name.is_empty() {
        return Err(invalid("a configmap must have a name"));
    }
    let data = collect(generator, arguments, read)?;
    let options = arguments.options.as_ref();
    let mut node = Node::map([
        ("apiVersion", Node::string("v1")),
        ("kind", Node::string(generator.kind())),
        ("metadata", metadata(arguments, options)),
    ]);
    match generator {
        Generator::ConfigMap => {
            let (text, binary): (Vec<_>, Vec<_>) = data
                .into_iter()
                .map(|(key, value)| (key, String::from_utf8(value)))
                .partition(|(_, value)| value.is_ok());
            let text = text
                .into_iter()
                .filter_map(|(key, value)| Some((key, value.ok()?)));
            let binary = binary
                .into_iter()
                .filter_map(|(key, value)| Some((key, encode(value.err()?.as_bytes()))));
            put(&mut node, "data", text.collect());
            put(&mut node, "binaryData", binary.collect());
        }
        Generator::Secret => {
            let kind = match arguments.secret_type.as_str() {
                "" => "Opaque",
                kind => kind,
            };
            node.set("type", Node::string(kind));
            let data = data
                .iter()
                .map(|(key, value)| (key.as_str(), Node::string(encode(value))));
            node.set("data", Node::map(data));
        }
    }
    if options.is_some_and(|options| options.immutable) {
        node.set("immutable", Node::bool(true));
    }
    let mut resource = Resource::new(node, Arc::clone(schema));
    resource.set_needs_hash(!options.is_some_and(|options| options.disable_name_suffix_hash));
    resource.set_behavior(Behavior::parse(&arguments.behavior));
    Ok(resource)
}

fn metadata(arguments: &GeneratorArguments, options: Option<&GeneratorOptions>) -> Node {
    let mut metadata = Node::map([("name", Node::string(arguments.name.as_str()))]);
    if !arguments.namespace.is_empty() {
        metadata.set("namespace", Node::string(arguments.namespace.as_str()));
    }
    let labels = options.and_then(|options| options.labels.as_ref());
    let annotations = options.and_then(|options| options.annotations.as_ref());
    for (field, pairs) in [("labels", labels), ("annotations", annotations)] {
        if let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| (key.as_str(), Node::string(value.as_str())));
            metadata.set(field, Node::map(pairs));
        }
    }
    metadata
}

fn put(node: &mut Node, field: &str, data: Vec<(String, String)>) {
    if !data.is_empty() {
        let data = data
            .into_iter()
            .map(|(key, value)| (key, Node::string(Text::from(value))));
        node.set(field, Node::map(data));
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::GeneratorInvalid, message)
}

/// Encodes base64 like upstream's command: text of one line has no line feed; in longer
/// text, each line ends with one.
fn encode(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    if encoded.len() < BASE64_LINE_LENGTH {
        return encoded;
    }
    let mut lines = String::with_capacity(encoded.len() + encoded.len() / BASE64_LINE_LENGTH + 1);
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(BASE64_LINE_LENGTH));
        lines.push_str(line);
        lines.push('\n');
        rest = after;
    }
    lines
}

type Data = BTreeMap<String, Vec<u8>>;

fn collect(
    generator: Generator,
    arguments: &GeneratorArguments,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, Error>,
) -> Result<Data, Error> {
    let loading = |context: String| {
        move |error: Error| error.with_context(format!("loading KV pairs: {context}"))
    };
    let mut data = Data::new();
    let mut add = |key: String, value: Vec<u8>| {
        let repeated = data.contains_key(&key);
        if repeated {
            let name = &arguments.name;
            let message = format!("configmap {name} illegally repeats the key `{key}`");
            return Err(Error::new(Code::GeneratorKey, message));
        }
        data.insert(key, value);
        Ok(())
    };
    let mut pairs = Vec::new();
    for path in &arguments.envs {
        let context = || format!("env source files: [{}]", arguments.envs.join(" "));
        let contents = read(path).map_err(loading(context()))?;
        variables(&contents, &mut pairs).map_err(loading(context()))?;
    }
    for source in &arguments.literals {
        pairs.push(literal(source).map_err(|message| match generator {
            Generator::ConfigMap => {
                let context = format!("literal sources [{}]", arguments.literals.join(" "));
                loading(context)(invalid(format!(
                    "invalid literal source {source}, expected key=value"
                )))
            }
            // The literal may be a secret, so the message does not quote it.
            Generator::Secret => loading("literal sources".to_owned())(invalid(message)),
        })?);
    }
    for source in &arguments.files {
        let context = || format!("file sources: [{}]", arguments.files.join(" "));
        let (key, path) = file(source).map_err(loading(context()))?;
        let contents = read(path).map_err(loading(context()))?;
        pairs.push((key.to_owned(), contents));
    }
    for (key, value) in pairs {
        add(key, value)?;
    }
    Ok(data)
}

/// Parses `key=value`, where the value may be quoted.
fn literal(source: &str) -> Result<(String, Vec<u8>), &'static str> {
    match source.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), unquote(value).into())),
        _ => Err("invalid literal source, expected key=value"),
    }
}

fn unquote(text: &str) -> &str {
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

/// Parses `key=path`, or a path whose file name is the key.
fn file(source: &str) -> Result<(&str, &str), Error> {
    match source.split_once('=') {
        None => Ok((base_name(source), source)),
        Some((_, path)) if path.contains('=') => Err(invalid(format!(
            "source {source:?} key name or file path contains '='"
        ))),
        Some(("", path)) => Err(invalid(format!(
            "missing key name for file path {path:?} in source {source:?}"
        ))),
        Some((key, "")) => Err(invalid(format!(
            "missing file path for key name {key:?} in source {source:?}"
        ))),
        Some((key, path)) => Ok((key, path)),
    }
}

/// Returns the last part of a path, like Go's `path.Base`.
fn base_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        _ if path.is_empty() => ".",
        Some(name) if !name.is_empty() => name,
        _ => "/",
    }
}

/// Parses a file with one variable per line.
fn variables(contents: &[u8], pairs: &mut Vec<(String, Vec<u8>)>) -> Result<(), Error> {
    let contents_end = contents.strip_suffix(b"\n").unwrap_or(contents);
    if contents.is_empty() {
        return Ok(());
    }
    for (number, line) in contents_end.split(|byte| *byte == b'\n').enumerate() {
        if line.len() > MAX_LINE_LENGTH {
            break;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // The line may be a secret, so the message shows only its number.
        let line = std::str::from_utf8(line)
            .map_err(|_| invalid(format!("line {} has invalid utf8 bytes", number + 1)))?;
        let line = if number == 0 {
            line.strip_prefix('\u{feff}').unwrap_or(line)
        } else {
            line
        };
        let line = line.trim_start_matches(is_space);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        if !key.is_empty() {
            pairs.push((key.to_owned(), value.into()));
        }
    }
    Ok(())
}

/// White space, as in Go.
fn is_space(character: char) -> bool {
    character.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::{Generator, base_name, encode, file, generate, merge_options, variables};
    use crate::error::Code;
    use crate::kustomization::fields::{GeneratorArguments, GeneratorOptions};
    use crate::schema::Schema;

    #[test]
    fn base64_that_fills_a_line_ends_with_a_line_feed() {
        assert_eq!(encode(&[0; 51]), "A".repeat(68));
        assert_eq!(encode(&[0; 54]), format!("{}\nAA\n", "A".repeat(70)));
        assert_eq!(encode(b""), "");
    }

    #[test]
    fn variables_are_read_line_by_line() {
        let mut pairs = Vec::new();
        let text = "\u{feff}A=1\r\n  B = 2\n# C=3\n\nD\n=E\nF=a=b";
        variables(text.as_bytes(), &mut pairs).unwrap();
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(key, value)| (key.as_str(), str::from_utf8(value).unwrap()))
            .collect();
        assert_eq!(pairs, [("A", "1"), ("B ", " 2"), ("D", ""), ("F", "a=b")]);
    }

    #[test]
    fn too_long_line_ends_the_file() {
        let mut pairs = Vec::new();
        let text = format!("A=1\nB={}\nC=3\n", "x".repeat(65_534));
        variables(text.as_bytes(), &mut pairs).unwrap();
        assert_eq!(pairs.len(), 1);
        let text = format!("A=1\nB={}\nC=3\n", "x".repeat(65_533));
        pairs.clear();
        variables(text.as_bytes(), &mut pairs).unwrap();
        assert_eq!(pairs.len(), 3);
    }

    #[test]
    fn file_key_defaults_to_the_file_name() {
        assert_eq!(file("a/b.txt").unwrap(), ("b.txt", "a/b.txt"));
        assert_eq!(file("k=a/b.txt").unwrap(), ("k", "a/b.txt"));
        for source in ["=a", "k=", "a=b=c"] {
            assert_eq!(file(source).unwrap_err().code(), Code::GeneratorInvalid);
        }
        assert_eq!(base_name("a/b/"), "b");
    }

    #[test]
    fn error_does_not_quote_a_secret() {
        let arguments = GeneratorArguments {
            name: "s".to_owned(),
            literals: vec!["hunter2".to_owned()],
            ..GeneratorArguments::default()
        };
        let schema = Schema::default().into();
        let error = generate(Generator::Secret, &arguments, &schema, &mut |_| {
            unreachable!("the literal fails before any file is read")
        })
        .unwrap_err();
        assert_eq!(error.code(), Code::GeneratorInvalid);
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }

    #[test]
    fn global_flags_cannot_be_unset_by_a_generator() {
        let global = GeneratorOptions {
            labels: Some([("a".to_owned(), "1".to_owned())].into()),
            disable_name_suffix_hash: true,
            ..GeneratorOptions::default()
        };
        let local = GeneratorOptions {
            labels: Some([("a".to_owned(), "2".to_owned())].into()),
            immutable: true,
            ..GeneratorOptions::default()
        };
        let merged = merge_options(Some(&local), Some(&global)).unwrap();
        assert_eq!(merged.labels, local.labels);
        assert!(merged.disable_name_suffix_hash && merged.immutable);
    }
}
