//! Plugins of the command line: programs called `flux-NAME` in one folder, which run as `NAME`.
//!
//! [`Folder`] lists them with their receipts and runs them. [`catalog`] lists the available
//! plugins, and [`install`] fetches, verifies and installs one. Catalogs and archives cannot write
//! outside of the directory. No plugin runs from a directory that others may write to.
//!
//! Parity: flux2: `internal/plugin`, `pkg/plugin`.

pub mod catalog;
pub mod install;
mod zip;

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};
use sluice_golang::error::chain;
use sluice_lifecycle::Error;
use sluice_system::fs;

/// Prefix of the plugins' file names.
pub const PREFIX: &str = "flux-";

/// A program in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// Name, without the prefix.
    pub name: String,
    /// Path of the program.
    pub path: PathBuf,
}

/// The origin of an installed plugin, in a file beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Receipt {
    /// Name of the plugin.
    pub name: String,
    /// Installed version.
    pub version: String,
    /// Time of the installation, in RFC 3339.
    pub installed_at: String,
    /// The installed download.
    pub platform: catalog::Platform,
}

/// Where plugins are.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Whether it is the one in the home directory, which is made when it is needed.
    own: bool,
    /// Whether a command of the command line has a name, which would hide a plugin.
    is_builtin: IsBuiltin,
}

/// Reports whether a command of the command line has a name.
pub type IsBuiltin = fn(&str) -> bool;

/// Checks that a name is a plain file name, and does not hide a command.
pub(crate) fn check_name(name: &str, is_builtin: IsBuiltin) -> Result<(), Error> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_plain = name.bytes().all(allowed)
        && name
            .bytes()
            .next()
            .is_some_and(|first| first.is_ascii_alphanumeric());
    if !is_plain {
        return Err(Error::user(format!(
            "invalid plugin name {}: it must be letters, digits, '-', '_' and '.', and begin with a letter or digit",
            sluice_golang::quote::quote(name)
        )));
    }
    if is_builtin(name) {
        return Err(Error::user(format!(
            "a plugin called {name} would never run: that is a command of its own"
        )));
    }
    Ok(())
}

impl Folder {
    /// The directory of `FLUXCD_PLUGINS`, else the one in the home directory; `None` without a
    /// home.
    #[expect(
        clippy::disallowed_methods,
        reason = "the folder is read before flags are parsed, and its name may not be UTF-8"
    )]
    pub fn of_process(is_builtin: IsBuiltin) -> Option<Self> {
        let set = std::env::var_os("FLUXCD_PLUGINS").filter(|path| !path.is_empty());
        match set {
            Some(path) => Some(Self {
                path: path.into(),
                own: false,
                is_builtin,
            }),
            None => std::env::home_dir().map(|home| Self {
                path: home.join(".fluxcd").join("plugins"),
                own: true,
                is_builtin,
            }),
        }
    }

    /// The same, for a command that needs it.
    pub fn required(is_builtin: IsBuiltin) -> Result<Self, Error> {
        Self::of_process(is_builtin).ok_or_else(|| {
            Error::user("failed to find the plugins directory: HOME is not set")
                .hint("set FLUXCD_PLUGINS to a directory")
        })
    }

    /// A directory at a path.
    pub fn at(path: impl Into<PathBuf>, is_builtin: IsBuiltin) -> Self {
        Self {
            path: path.into(),
            own: false,
            is_builtin,
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory if it is ours to make, and refuses one that everybody may write to.
    pub fn ready(&self) -> Result<(), Error> {
        if self.own {
            fs::create_dir_all(&self.path).map_err(|error| Error::user(chain(&error)))?;
        }
        trusted(&self.path)
    }

    /// The installed plugins by name. Entries that are not programs, or that would hide a command
    /// of ours, are skipped. A missing directory has no plugins.
    pub fn plugins(&self) -> Vec<Plugin> {
        let entries = fs::read_dir(&self.path).unwrap_or_default().into_iter();
        entries
            .filter_map(|entry| {
                let name = entry
                    .path
                    .file_name()?
                    .to_str()?
                    .strip_prefix(PREFIX)?
                    .to_owned();
                if name.is_empty() || (self.is_builtin)(&name) {
                    return None;
                }
                // Links are followed, because authors of plugins use them.
                let metadata = fs::metadata(&entry.path).ok()?;
                let runs = metadata.is_file() && metadata.permissions().mode() & 0o111 != 0;
                runs.then_some(Plugin {
                    name,
                    path: entry.path,
                })
            })
            .collect()
    }

    /// Finds a plugin by name.
    pub fn find(&self, name: &str) -> Option<Plugin> {
        self.plugins()
            .into_iter()
            .find(|plugin| plugin.name == name)
    }

    fn receipt_path(&self, name: &str) -> PathBuf {
        self.path.join(format!("{PREFIX}{name}.yaml"))
    }

    /// The origin of a plugin; `None` if the user installed it by hand.
    pub fn receipt(&self, name: &str) -> Option<Receipt> {
        let text = fs::read_to_string(self.receipt_path(name)).ok()?;
        let value = sluice_yaml::v2::from_str(&text).ok()?;
        serde_json::from_value(value).ok()
    }

    fn write_receipt(&self, receipt: &Receipt) -> Result<(), Error> {
        let value = serde_json::to_value(receipt)
            .map_err(|error| Error::internal(format!("write a receipt: {error}")))?;
        let text = sluice_yaml::v2::to_string(&value);
        fs::write_atomically(self.receipt_path(&receipt.name), text)
            .map_err(|error| Error::user(chain(&error)))
    }

    /// Removes a plugin, or the link to one, and its receipt.
    pub fn uninstall(&self, name: &str) -> Result<(), Error> {
        check_name(name, self.is_builtin)?;
        let failed = |error: &fs::Error| Error::user(chain(error));
        fs::remove_file(self.path.join(format!("{PREFIX}{name}"))).map_err(|error| {
            if error.is_not_found() {
                Error::user(format!("plugin \"{name}\" is not installed"))
                    .hint("`plugin list` lists the installed plugins")
            } else {
                failed(&error).while_doing("failed to remove plugin binary")
            }
        })?;
        match fs::remove_file(self.receipt_path(name)) {
            Err(error) if !error.is_not_found() => {
                Err(failed(&error).while_doing("failed to remove plugin receipt"))
            }
            _ => Ok(()),
        }
    }

    /// Replaces this process by the plugin. Returns only an error.
    pub fn run(&self, plugin: &Plugin, arguments: &[OsString]) -> Error {
        let trusting = trusted(&self.path).and_then(|()| trusted(&plugin.path));
        if let Err(error) = trusting {
            return error;
        }
        let error = command(&plugin.path).args(arguments).exec();
        Error::user(format!("run the plugin {}: {error}", plugin.path.display()))
    }

    /// The plugin's answer, in cobra's protocol, for a line that is being typed. `None` if it fails
    /// or is not trusted.
    pub fn complete(&self, plugin: &Plugin, words: &[String]) -> Option<String> {
        trusted(&self.path)
            .and_then(|()| trusted(&plugin.path))
            .ok()?;
        let asked = command(&plugin.path).arg("__complete").args(words).output();
        let output = asked.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Refuses files that others may write to.
fn trusted(path: &Path) -> Result<(), Error> {
    let metadata = fs::metadata(path).map_err(|error| Error::user(chain(&error)))?;
    if metadata.permissions().mode() & 0o002 != 0 {
        return Err(Error::user(format!(
            "{} can be written by everybody, so nothing in it is trusted",
            path.display()
        ))
        .hint(format!("chmod o-w {}", path.display())));
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a plugin is a program of the user, and running it is the purpose of this function"
)]
fn command(path: &Path) -> Command {
    Command::new(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: impl Into<PathBuf>) -> Folder {
        Folder::at(path, is_builtin)
    }

    fn is_builtin(name: &str) -> bool {
        matches!(name, "help" | "get" | "plugin")
    }

    fn program(folder: &Path, name: &str, mode: u32) {
        let path = folder.join(name);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }

    fn names(folder: &Folder) -> Vec<String> {
        folder
            .plugins()
            .into_iter()
            .map(|plugin| plugin.name)
            .collect()
    }

    #[test]
    fn plugins_have_the_prefix_and_hide_no_command() {
        let root = tempfile::tempdir().unwrap();
        for (name, mode) in [
            ("flux-operator", 0o755),
            ("flux-my-tool", 0o700),
            ("flux-notes", 0o644),
            ("flux-operator.yaml", 0o644),
            ("flux-get", 0o755),
            ("flux-help", 0o755),
            ("flux-", 0o755),
            ("other", 0o755),
        ] {
            program(root.path(), name, mode);
        }
        fs::create_dir(root.path().join("flux-folder")).unwrap();
        fs::symlink("nowhere", root.path().join("flux-broken")).unwrap();
        fs::symlink("flux-operator", root.path().join("flux-linked")).unwrap();
        let folder = at(root.path());
        assert_eq!(names(&folder), ["linked", "my-tool", "operator"]);
        assert_eq!(names(&at(root.path().join("nowhere"))), [""; 0]);
    }

    #[test]
    fn plugin_name_is_a_file_name_and_not_a_command() {
        for good in ["operator", "my-tool", "a.b", "x_1"] {
            assert!(check_name(good, is_builtin).is_ok(), "{good}");
        }
        for bad in [
            "", ".", "..", "../x", "a/b", "-a", ".a", "a b", "plugin", "help", "get",
        ] {
            assert!(check_name(bad, is_builtin).is_err(), "{bad}");
        }
    }

    #[test]
    fn uninstall_removes_receipt_and_keeps_link_target() {
        let root = tempfile::tempdir().unwrap();
        let folder = at(root.path().join("plugins"));
        fs::create_dir(folder.path()).unwrap();
        program(root.path(), "built", 0o755);
        fs::symlink("../built", folder.path().join("flux-operator")).unwrap();
        let receipt = Receipt {
            name: "operator".into(),
            version: "0.45.0".into(),
            ..Receipt::default()
        };
        folder.write_receipt(&receipt).unwrap();
        assert_eq!(folder.receipt("operator"), Some(receipt));
        folder.uninstall("operator").unwrap();
        assert!(root.path().join("built").exists());
        assert!(fs::read_dir(folder.path()).unwrap().is_empty());
        let error = folder.uninstall("operator").unwrap_err();
        assert_eq!(error.message(), "plugin \"operator\" is not installed");
    }

    #[test]
    fn world_writable_folder_is_not_trusted() {
        let root = tempfile::tempdir().unwrap();
        let folder = at(root.path());
        assert!(folder.ready().is_ok());
        fs::set_permissions(root.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let error = folder.ready().unwrap_err();
        assert!(
            error.message().contains("can be written by everybody"),
            "{error:?}"
        );
    }
}
