//! Signatures of all functions, read from `signatures.txt`. A leading dot marks a method, and a
//! capital letter is a type variable.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::types::Type;

/// One overload of a function. Type variables are numbered from zero.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) is_member: bool,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
}

pub(super) static SIGNATURES: LazyLock<HashMap<&'static str, Vec<Signature>>> =
    LazyLock::new(|| {
        let mut signatures: HashMap<_, Vec<_>> = HashMap::new();
        for line in include_str!("../signatures.txt").lines() {
            let (left, result) = line.split_once(" -> ").expect("each line has a result");
            let mut words = left.split(' ');
            let name = words.next().expect("each line has a name");
            let (name, is_member) = match name.strip_prefix('.') {
                Some(name) => (name, true),
                None => (name, false),
            };
            let signature = Signature {
                is_member,
                parameters: words.map(read_type).collect(),
                result: read_type(result),
            };
            signatures.entry(name).or_default().push(signature);
        }
        // Numbers are ordered across types, other values within their type.
        for name in ["_<_", "_<=_", "_>_", "_>=_"] {
            let numbers = [Type::Int, Type::Uint, Type::Double];
            let others = [
                Type::Bool,
                Type::String,
                Type::Bytes,
                Type::Timestamp,
                Type::Duration,
            ];
            let mixed = numbers
                .iter()
                .flat_map(|left| numbers.iter().map(move |right| (left, right)));
            let pairs = mixed.chain(others.iter().map(|of| (of, of)));
            let ordered = pairs.map(|(left, right)| Signature {
                is_member: false,
                parameters: vec![left.clone(), right.clone()],
                result: Type::Bool,
            });
            signatures.insert(name, ordered.collect());
        }
        signatures
    });

pub(super) fn read_type(text: &str) -> Type {
    let inner = |text: &str| Box::new(read_type(text));
    if let Some((outer, rest)) = text.split_once('<') {
        let arguments = rest.strip_suffix('>').expect("brackets match");
        return match outer {
            "list" => Type::List(inner(arguments)),
            "opt" => Type::Optional(inner(arguments)),
            "type" => Type::Type(inner(arguments)),
            _ => {
                let (key, value) = arguments.split_once(',').expect("a map has two types");
                Type::Map(inner(key), inner(value))
            }
        };
    }
    match text {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "A" => Type::Open(0),
        "B" => Type::Open(1),
        _ => Type::Dyn,
    }
}
