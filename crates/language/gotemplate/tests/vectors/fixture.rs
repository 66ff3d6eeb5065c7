//! The object and the functions that the oracle adds for its templates, too.

use std::any::Any;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use sluice_gotemplate::func::Signature;
use sluice_gotemplate::sprig::{Profile, func_map};
use sluice_gotemplate::value::CompositeType;
use sluice_gotemplate::{
    Args, Call, Failure, Func, FuncMap, Kind, Map, Object, Outcome, Type, Value,
};

pub(super) static FUNCTIONS: LazyLock<Arc<FuncMap>> = LazyLock::new(|| {
    let mut functions = func_map(Profile::Text);
    functions.insert("include", Func::fixed(&[Type::String, Type::Any], include));
    Arc::new(functions)
});

/// Without the functions of sprig.
pub(super) static PLAIN: LazyLock<Arc<FuncMap>> = LazyLock::new(|| {
    let mut functions = FuncMap::new();
    functions.insert("include", Func::fixed(&[Type::String, Type::Any], include));
    Arc::new(functions)
});

fn include(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(call.execute(args.text(0), args.value(1))?.into())
}

fn repeat(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let count = usize::try_from(args.int(1)).map_err(|_| "strings: negative Repeat count")?;
    Ok(Value::string(args.text(0).repeat(count)))
}

/// Adds the fixtures to data that is a map.
pub(super) fn with_fixtures(data: Value) -> Value {
    if let Value::Map(map) = &data {
        map.set("fix", Value::Object(Rc::new(Fixture)));
        let func = Func::fixed(&[Type::String, Type::Int], repeat).returning(Type::String);
        map.set("fn", Value::Func(Rc::new(func)));
    }
    data
}

struct Fixture;

impl Object for Fixture {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("*main.Fixture")
    }

    fn kind(&self) -> Kind {
        Kind::Pointer
    }

    fn field(&self, name: &str) -> Option<Value> {
        let fields = self.fields().into_iter();
        let mut exported = fields.filter(|(known, _)| known.starts_with(char::is_uppercase));
        exported
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let map = Map::of_type(&CompositeType::STRING_MAP);
        map.set("k", "v");
        vec![
            ("Name", "fix".into()),
            ("Count", Value::int(3)),
            ("Any", Value::Nil),
            ("Map", map.into()),
            ("hidden", Value::int(1)),
        ]
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        const HELLO: &Signature = &Signature::fixed(&[Type::String]);
        const FAIL: &Signature = &Signature::fixed(&[]);
        const SUM: &Signature = &Signature::variadic(&[Type::Int, Type::Int]);
        match name {
            "Hello" => Some(HELLO),
            "Fail" => Some(FAIL),
            "Sum" => Some(SUM),
            _ => None,
        }
    }

    fn call(&self, name: &str, _: &mut Call<'_, '_>, args: &Args<'_>) -> Result<Value, Failure> {
        match name {
            "Hello" => {
                let name = String::from_utf8_lossy(args.text(0));
                Ok(format!("fix greets {name}").into())
            }
            "Sum" => Ok(Value::int(
                (0..args.len()).map(|index| args.int(index)).sum(),
            )),
            _ => Err("fixture failed".into()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
