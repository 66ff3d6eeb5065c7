//! Substitutes vars in a text: `$(NAME)`, and `$$` for a dollar.

use sluice_golang::number;

use super::Value;

/// The result of a substitution.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expansion {
    Text(String),
    /// The text was a single var, so the type of the value is kept.
    Value(Value),
}

/// Substitutes the vars of a text. Keeps unknown ones.
pub(super) fn expand(text: &str, look_up: &mut dyn FnMut(&str) -> Option<Value>) -> Expansion {
    let mut out = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        let after = &rest[dollar + 1..];
        if after.is_empty() {
            break;
        }
        out.push_str(&rest[..dollar]);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let variable = after
            .strip_prefix('(')
            .and_then(|inner| inner.split_once(')'));
        let Some((name, after_variable)) = variable else {
            // Not a var: copy the dollar and the next character.
            out.push('$');
            let length = after.chars().next().map_or(0, char::len_utf8);
            out.push_str(&after[..length]);
            rest = &after[length..];
            continue;
        };
        let is_all = name.len() + 3 == text.len();
        match look_up(name) {
            Some(value) if is_all => return Expansion::Value(value),
            Some(value) => out.push_str(&printed(&value)),
            None => {
                out.push_str("$(");
                out.push_str(name);
                out.push(')');
            }
        }
        rest = after_variable;
    }
    out.push_str(rest);
    Expansion::Text(out)
}

fn printed(value: &Value) -> String {
    match value {
        Value::Text(text) => text.as_str().to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => number::format_g(*value),
        Value::Bool(value) => value.to_string(),
        Value::Collection => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Expansion, Value, expand};

    fn expanded(text: &str) -> Expansion {
        expand(text, &mut |name| match name {
            "A" => Some(Value::Text("a".into())),
            "N" => Some(Value::Int(7)),
            "F" => Some(Value::Float(1_500_000.0)),
            "B" => Some(Value::Bool(true)),
            "D" => Some(Value::Text("$(A)".into())),
            _ => None,
        })
    }

    #[test]
    fn vars_are_substituted_within_a_text() {
        for (text, result) in [
            ("", ""),
            ("a", "a"),
            ("x$(A)y", "xay"),
            ("$(A)$(N)", "a7"),
            ("v $(F)", "v 1.5e+06"),
            ("is $(B)", "is true"),
            ("$(MISSING)", "$(MISSING)"),
            ("$(MISSING) $(A)", "$(MISSING) a"),
            ("$$(A)", "$(A)"),
            ("$$$(A)", "$a"),
            ("$A", "$A"),
            ("$(A", "$(A"),
            ("$()", "$()"),
            ("a$", "a$"),
            ("$$", "$"),
            ("$é$(A)", "$éa"),
            // Substituted text is not substituted again.
            ("x$(D)", "x$(A)"),
        ] {
            assert_eq!(expanded(text), Expansion::Text(result.to_owned()), "{text}");
        }
    }

    #[test]
    fn single_var_keeps_its_type() {
        assert_eq!(expanded("$(N)"), Expansion::Value(Value::Int(7)));
        assert_eq!(expanded("$(B)"), Expansion::Value(Value::Bool(true)));
        assert_eq!(expanded("$(N) "), Expansion::Text("7 ".to_owned()));
    }
}
