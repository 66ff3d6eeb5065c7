//! Slash-separated paths of Go.

/// A path without empty parts, `.` and `..`, as Go's `filepath.Clean` returns it.
pub fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// A clean path below a root. `..` stops at the root.
pub fn confined(path: &str) -> String {
    clean(&format!("/{path}"))[1..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of Go's `TestClean`.
    #[test]
    fn paths_are_cleaned_as_in_go() {
        for (path, expected) in [
            ("abc", "abc"),
            ("", "."),
            ("/", "/"),
            ("abc/", "abc"),
            ("abc//def//ghi", "abc/def/ghi"),
            ("abc/./../def", "def"),
            ("abc/../../def", "../def"),
            ("../../abc", "../../abc"),
            ("/../abc", "/abc"),
            ("./values.yaml", "values.yaml"),
        ] {
            assert_eq!(clean(path), expected, "{path}");
        }
    }

    #[test]
    fn confined_path_stays_below_its_root() {
        for (path, expected) in [
            ("charts/app", "charts/app"),
            ("./charts//app/", "charts/app"),
            ("../../etc", "etc"),
            ("charts/../..", ""),
            (".", ""),
            ("", ""),
            ("/deploy", "deploy"),
            ("a/../../b/./c", "b/c"),
        ] {
            assert_eq!(confined(path), expected, "{path}");
        }
    }
}
