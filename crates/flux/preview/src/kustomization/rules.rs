//! Selects the ignored files of a directory: patterns of all its `.sourceignore` files, then those
//! of the command line.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sluice_artifact::ignore::{self, Pattern, Rules};
use sluice_system::fs;

/// Reads the patterns of a directory.
pub(super) fn read_patterns(
    directory: &Path,
    patterns: &[String],
) -> Result<Vec<Pattern>, fs::Error> {
    let mut written = Vec::new();
    let mut open: Vec<PathBuf> = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        let place = directory.join(&folder);
        let file = place.join(ignore::FILE_NAME);
        match fs::read(&file) {
            Ok(text) => written.extend(ignore::read(&text, folder.as_os_str().as_bytes())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut below: Vec<_> = fs::read_dir(&place)?
            .into_iter()
            .filter(|entry| entry.file_type.is_dir())
            .filter_map(|entry| entry.path.file_name().map(|name| folder.join(name)))
            .filter(|path| path.file_name().is_some_and(|name| name != ".git"))
            .collect();
        // `pop` takes the last entry first.
        below.reverse();
        open.append(&mut below);
    }
    // Flux joins the flag's values and reads the result like an ignore file.
    let text = patterns.join("\n");
    written.extend(ignore::read(text.as_bytes(), b""));
    Ok(written)
}

/// Whether the rules exclude a path. Paths outside the directory are never excluded.
pub(super) fn exclude(rules: &Rules, directory: &Path, path: &Path, folder: bool) -> bool {
    // Local rules have no limit of steps.
    path.strip_prefix(directory).is_ok_and(|below| {
        rules
            .exclude(below.as_os_str().as_bytes(), folder)
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_rules_apply_below_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join("a/.sourceignore"), "x.yaml\n").unwrap();
        fs::write(root.join(".git/.sourceignore"), "y.yaml\n").unwrap();
        let rules = Rules::with_defaults(read_patterns(root, &["/z.yaml".to_owned()]).unwrap());
        let left_out = |path: &str| exclude(&rules, root, &root.join(path), false);
        assert!(left_out("a/x.yaml") && left_out("a/b/x.yaml") && !left_out("x.yaml"));
        assert!(left_out("z.yaml") && !left_out("a/z.yaml") && !left_out("y.yaml"));
        assert!(left_out("a/.sops.yaml"), "a default");
        assert!(!left_out("../x.yaml"));
    }
}
