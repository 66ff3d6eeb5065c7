//! Installs a plugin: downloads it under a name that is never run, compares its digest, unpacks the
//! program, and then renames it.
//!
//! A failure leaves the installed version as it was, and no other files.

use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use flate2::Compression;
use flate2::read::GzEncoder;
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_dial::retry::Attempt;
use sluice_dial::{Client, explain};
use sluice_digest::{Algorithm, HashingWriter};
use sluice_system::Clock;
use tempfile::NamedTempFile;

use super::catalog::{Manifest, Platform, RETRY, Version};
use super::{Folder, Receipt, zip};
use sluice_golang::error::chain;
use sluice_lifecycle::Error;

/// How long a download may take.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(5);
/// No download, and no program in it, is larger.
const LARGEST: u64 = 1 << 30;

/// The format of a download, by its address or else by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// The program itself.
    Program,
    Zip,
    Tar,
    TarGz,
}

impl Format {
    fn of(url: &str, head: &[u8]) -> Self {
        let url = url.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| url.ends_with(ending));
        if ends(&[".zip"]) {
            Self::Zip
        } else if ends(&[".tar.gz", ".tgz"]) {
            Self::TarGz
        } else if ends(&[".tar"]) {
            Self::Tar
        } else if head.starts_with(b"PK\x03")
            || head.starts_with(b"PK\x05")
            || head.starts_with(b"PK\x07")
        {
            Self::Zip
        } else if head.starts_with(&[0x1f, 0x8b]) {
            Self::TarGz
        } else if head.get(257..262) == Some(b"ustar") {
            Self::Tar
        } else {
            Self::Program
        }
    }
}

/// Installs a version of a plugin into the directory, in the place of another one.
pub async fn install(
    folder: &Folder,
    client: &Client,
    manifest: &Manifest,
    version: &Version,
    platform: &Platform,
    clock: &dyn Clock,
) -> Result<(), Error> {
    folder.ready()?;
    let mut archive = temporary(folder)?;
    let limited =
        tokio::time::timeout(DOWNLOAD_TIMEOUT, download(client, platform, &mut archive)).await;
    limited.unwrap_or_else(|_| {
        Err(Error::cluster(
            "failed to download plugin: it was not there within 5m0s",
        ))
    })?;
    let mut program = temporary(folder)?;
    let wanted = match platform.extract_path.as_str() {
        "" => manifest.bin.as_str(),
        path => path,
    };
    extract(
        archive.as_file_mut(),
        &platform.url,
        wanted,
        program.as_file_mut(),
    )?;
    let ready = program
        .as_file()
        .set_permissions(PermissionsExt::from_mode(0o755))
        .and_then(|()| program.as_file().sync_all());
    ready.map_err(|error| failed("write plugin binary", &error))?;
    // The name was checked to be a plain one when the manifest was read.
    program
        .persist(folder.path().join(&manifest.bin))
        .map_err(|error| failed("write plugin binary", &error.error))?;
    let mut installed_at = clock.now().to_string();
    if let Some(point) = installed_at.find('.') {
        installed_at.replace_range(point.., "Z");
    }
    folder.write_receipt(&Receipt {
        name: manifest.name.clone(),
        version: version.version.clone(),
        installed_at,
        platform: platform.clone(),
    })
}

fn failed(what: &str, error: &dyn std::error::Error) -> Error {
    Error::user(format!("failed to {what}: {}", chain(error)))
}

/// A file in the directory that is gone when it is dropped.
fn temporary(folder: &Folder) -> Result<NamedTempFile, Error> {
    tempfile::Builder::new()
        .prefix(".flux-plugin-")
        .tempfile_in(folder.path())
        .map_err(|error| {
            let folder = folder.path().display();
            failed(&format!("create a file in {folder}"), &error)
        })
}

/// Fetches what the platform names, and compares its digest.
async fn download(
    client: &Client,
    platform: &Platform,
    into: &mut NamedTempFile,
) -> Result<(), Error> {
    let refused = |why: String| Error::cluster(format!("failed to download plugin: {why}"));
    let begun = RETRY.run(|_| async {
        match client.get(&platform.url).send().await {
            Ok(response) if response.status().as_u16() == 200 => Attempt::Done(response),
            Ok(response) => {
                let status = response.status();
                let error = format!("HTTP {}", status.as_u16());
                if status.is_server_error() || status.as_u16() == 429 {
                    Attempt::Again { error, after: None }
                } else {
                    Attempt::Failed(error)
                }
            }
            Err(error) if error.is_builder() => Attempt::Failed(explain(&error)),
            Err(error) => Attempt::Again {
                error: explain(&error),
                after: None,
            },
        }
    });
    let mut response = begun.await.map_err(refused)?;
    let mut writer = HashingWriter::new(into.as_file_mut(), Algorithm::Sha256);
    let mut size = 0;
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| refused(explain(&error)))?
    {
        size += chunk.len() as u64;
        if size > LARGEST {
            return Err(refused(format!("it is larger than {LARGEST} bytes")));
        }
        writer
            .write_all(&chunk)
            .map_err(|error| failed("download plugin", &error))?;
    }
    let (_, digest, _) = writer.finish();
    let (found, expected) = (digest.to_string(), &platform.checksum);
    if found != *expected {
        return Err(Error::user(format!(
            "checksum verification failed (expected: {expected}, got: {found})"
        )));
    }
    Ok(())
}

/// Copies the program out of what was downloaded.
fn extract(
    archive: &mut std::fs::File,
    url: &str,
    wanted: &str,
    program: &mut std::fs::File,
) -> Result<(), Error> {
    let mut head = Vec::new();
    let begun = archive
        .seek(SeekFrom::Start(0))
        .and_then(|_| archive.take(512).read_to_end(&mut head))
        .and_then(|_| archive.seek(SeekFrom::Start(0)));
    begun.map_err(|error| failed("detect plugin format", &error))?;
    let limits = Limits {
        total: Some(LARGEST),
        ..Limits::default()
    };
    let found = match Format::of(url, &head) {
        Format::Program => {
            copy(archive, program)?;
            true
        }
        Format::Zip => zip::extract(archive, |name| is_wanted(name, wanted), LARGEST, program)
            .map_err(|error| failed("read zip", &error))?,
        Format::TarGz => from_tar(Entries::new(archive, Links::Skip, limits), wanted, program)?,
        Format::Tar => {
            // Our reader of archives takes compressed ones: this one is, at no compression.
            let archive = GzEncoder::new(archive, Compression::none());
            from_tar(Entries::new(archive, Links::Skip, limits), wanted, program)?
        }
    };
    if found {
        return Ok(());
    }
    Err(Error::user(format!(
        "binary {} not found in archive",
        sluice_golang::quote::quote(wanted)
    )))
}

fn copy(mut from: impl Read, into: &mut std::fs::File) -> Result<(), Error> {
    io::copy(&mut from, into)
        .map(drop)
        .map_err(|error| failed("write plugin binary", &error))
}

fn from_tar<R: Read>(
    mut entries: Entries<R>,
    wanted: &str,
    program: &mut std::fs::File,
) -> Result<bool, Error> {
    while let Some(entry) = entries
        .next_entry()
        .map_err(|error| failed("read tar", &error))?
    {
        let name = entry.path().to_string_lossy().into_owned();
        if !entry.is_directory() && is_wanted(&name, wanted) {
            copy(entry, program)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// A path is compared whole, a name with the last part of the entry's.
fn is_wanted(entry: &str, wanted: &str) -> bool {
    if wanted.contains('/') {
        return entry == wanted;
    }
    entry.rsplit('/').next() == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_follows_address_then_content() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        for (url, head, format) in [
            ("https://a/x.ZIP", &b""[..], Format::Zip),
            ("https://a/x.tar.gz", b"", Format::TarGz),
            ("https://a/x.tgz", b"", Format::TarGz),
            ("https://a/x.tar", b"", Format::Tar),
            ("https://a/x", b"PK\x03\x04", Format::Zip),
            ("https://a/x", b"\x1f\x8b\x08", Format::TarGz),
            ("https://a/x", &tar, Format::Tar),
            ("https://a/x", b"\x7fELF", Format::Program),
        ] {
            assert_eq!(Format::of(url, head), format, "{url}");
        }
    }

    #[test]
    fn path_matches_whole_and_name_by_suffix() {
        for (entry, wanted, is) in [
            ("flux-a", "flux-a", true),
            ("dist/flux-a", "flux-a", true),
            ("dist/flux-a", "bin/flux-a", false),
            ("bin/flux-a", "bin/flux-a", true),
            ("flux-a/readme", "flux-a", false),
        ] {
            assert_eq!(is_wanted(entry, wanted), is, "{entry} {wanted}");
        }
    }
}
