//! The functions of Helm beside those of sprig.

mod encode;
mod toml;

pub(super) use encode::yaml;

use std::collections::HashMap;

use sluice_gotemplate::sprig::{self, Profile};
use sluice_gotemplate::{
    Args, Call, Failure, Func, FuncMap, GoString, Map, Outcome, TextError, Type, Value,
};

use super::{Cluster, SET, without_no_value};

/// How often a template may be included within itself.
const MAX_INCLUDES: u32 = 1000;
/// The marks around the text of `required` and `fail`, by which errors find it.
pub(super) const MARKS: (&str, &str) = ("HELM_ERR_START", "HELM_ERR_END");

/// The state of a render that functions share.
#[derive(Default)]
pub(super) struct State {
    /// How often each template is being included.
    includes: HashMap<GoString, u32>,
    cluster: Option<Box<dyn Cluster>>,
}

impl State {
    pub(super) fn new(cluster: Option<Box<dyn Cluster>>) -> Self {
        Self {
            cluster,
            ..Self::default()
        }
    }
}

/// All functions of templates.
pub(super) fn func_map() -> FuncMap {
    const TEXT: &[Type] = &[Type::String];
    const TEXT_ANY: &[Type] = &[Type::String, Type::Any];
    let mut functions = sprig::func_map(Profile::Text);
    functions.extend(&[
        ("include", Func::fixed(TEXT_ANY, include)),
        ("tpl", Func::fixed(TEXT_ANY, tpl)),
        ("required", Func::fixed(TEXT_ANY, required)),
        ("fail", Func::fixed(TEXT, fail)),
        ("lookup", Func::fixed(&[Type::String; 4], lookup)),
        ("getHostByName", Func::fixed(TEXT, host_by_name)),
    ]);
    functions.extend(encode::TABLE);
    functions
}

/// The state of the render.
fn state<'c>(call: &'c mut Call<'_, '_>) -> Result<&'c mut State, Failure> {
    let state = call.host::<State>();
    state.ok_or_else(|| "the render has no state of an engine".into())
}

fn include(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let name = args.string(0);
    let count = state(call)?.includes.entry(name.clone()).or_default();
    if *count > MAX_INCLUDES {
        return Err(format!(
            "rendering template has a nested reference name: {name}: unable to execute template"
        )
        .into());
    }
    *count += 1;
    let outcome = call.execute(&name, args.value(1));
    if let Some(count) = state(call)?.includes.get_mut(&name) {
        *count -= 1;
    }
    Ok(outcome?.into())
}

/// Why `tpl` failed.
#[derive(Debug, thiserror::Error)]
enum TplError {
    #[error("cannot parse template {text:?}: {cause}")]
    Parse {
        text: GoString,
        #[source]
        cause: Failure,
    },
    #[error("error during tpl function execution for {text:?}: {cause}")]
    Execute {
        text: GoString,
        #[source]
        cause: Failure,
    },
}

fn tpl(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.string(0);
    // The text as it is, without a look at its templates.
    if !text.windows(2).any(|window| window == b"{{") {
        return Ok(without_no_value(text.to_vec()).into_value());
    }
    let outcome = call.execute_text(SET, &text, args.value(1));
    // The text is shared with the value, because each level of a recursion has an error.
    let out = outcome.map_err(|error| match error {
        TextError::Parse(cause) => TplError::Parse { text, cause },
        TextError::Execute(cause) => TplError::Execute { text, cause },
    })?;
    Ok(without_no_value(out.to_vec()).into_value())
}

/// Bytes as a string of Go.
trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for Vec<u8> {
    fn into_value(self) -> Value {
        Value::string(self)
    }
}

/// An error with the text of the chart's author.
fn marked(text: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(text);
    format!("{}{text}{}", MARKS.0, MARKS.1).into()
}

fn required(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    match args.value(1) {
        Value::Nil => Err(marked(args.text(0))),
        Value::String(text) if text.is_empty() => Err(marked(args.text(0))),
        value => Ok(value.clone()),
    }
}

fn fail(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Err(marked(args.text(0)))
}

fn lookup(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = |index: usize| String::from_utf8_lossy(args.text(index));
    let (api_version, kind, namespace, name) = (text(0), text(1), text(2), text(3));
    let Some(cluster) = &mut state(call)?.cluster else {
        return Ok(Map::new().into());
    };
    let found = cluster.lookup(&api_version, &kind, &namespace, &name)?;
    Ok(found.map_or_else(|| Map::new().into(), |object| Value::from_object(&object)))
}

/// Without the right to look up names, every name is unknown. Go picks one address at random, and
/// fails without any.
fn host_by_name(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let host = String::from_utf8_lossy(args.text(0));
    let cluster = &mut state(call)?.cluster;
    let Some(addresses) = cluster.as_mut().and_then(|cluster| cluster.resolve(&host)) else {
        return Ok("".into());
    };
    let address = addresses.first();
    let address = address.ok_or_else(|| Failure::from("invalid argument to Intn"))?;
    Ok(address.as_str().into())
}
