//! The paths that `use` declarations import, with their trees expanded.

/// Returns each imported path, and the index of the line where its last segment begins.
pub(super) fn paths(code: &[String]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut prefixes: Vec<String> = Vec::new();
    let mut path = String::new();
    let mut is_use = false;
    for (line, code) in code.iter().enumerate() {
        let mut rest = code.as_str();
        if !is_use {
            let Some(start) = use_start(code) else {
                continue;
            };
            is_use = true;
            rest = &code[start..];
        }
        for character in rest.chars() {
            match character {
                '{' => prefixes.push(std::mem::take(&mut path)),
                ',' | '}' | ';' => {
                    if !path.is_empty() {
                        found.push((line, prefixes.concat() + &path));
                        path.clear();
                    }
                    if character == '}' {
                        prefixes.pop();
                    }
                    if character == ';' {
                        prefixes.clear();
                        is_use = false;
                        break;
                    }
                }
                character if character.is_whitespace() => {}
                character => path.push(character),
            }
        }
    }
    found
}

/// Returns the column after `use` if the line begins a declaration.
fn use_start(code: &str) -> Option<usize> {
    let text = code.trim_start();
    let visible = match text.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => text,
    };
    let rest = visible.trim_start().strip_prefix("use ")?;
    Some(code.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_give_whole_paths() {
        let code = [
            "pub(crate) use a::{b::{C, D}, e};",
            "let user = x;",
            "use f::g;",
        ];
        let code = code.map(ToOwned::to_owned);
        let paths: Vec<String> = paths(&code).into_iter().map(|(_, path)| path).collect();
        assert_eq!(paths, ["a::b::C", "a::b::D", "a::e", "f::g"]);
    }
}
