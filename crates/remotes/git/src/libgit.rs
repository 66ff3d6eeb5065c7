//! Configures libgit2.
//!
//! libgit2 is only used as an object database and pack engine. Its settings are process-wide, so
//! they are set once before its first use.

use std::sync::Once;

use aws_lc_rs::digest;
use git2::{
    Commit, ConfigLevel, ErrorClass, ErrorCode, ObjectType, Odb, OdbObject, Oid, Repository, opts,
};

/// Size of libgit2's object cache. A walk reads each object once, so a larger cache does not help.
const CACHE_BYTES: isize = 4 << 20;
/// Bytes of a pack that are mapped at once, and in total. The defaults map whole packs.
const WINDOW_BYTES: usize = 16 << 20;
const MAPPED_BYTES: usize = 128 << 20;

/// The priority of the memory backend for reads and writes.
const MEMORY_FIRST: i32 = 1000;

static SETTINGS: Once = Once::new();

/// Sets the global options, once.
#[expect(
    unsafe_code,
    reason = "libgit2's settings are process-wide and not synchronised"
)]
pub(crate) fn configure() {
    SETTINGS.call_once(|| {
        // SAFETY: `Once` admits one thread. Each use of libgit2 in this crate comes after this
        // call, so no other thread reads the options meanwhile.
        unsafe {
            // Configuration files of the system or user must not affect repositories, so libgit2
            // searches in no directory.
            let levels = [
                ConfigLevel::System,
                ConfigLevel::XDG,
                ConfigLevel::Global,
                ConfigLevel::ProgramData,
            ];
            for level in levels {
                opts::set_search_path(level, "").expect("the configuration level is known");
            }
            opts::set_cache_max_size(CACHE_BYTES).expect("the option is known");
            opts::set_mwindow_size(WINDOW_BYTES).expect("the option is known");
            opts::set_mwindow_mapped_limit(MAPPED_BYTES).expect("the option is known");
            // The owner of the files does not matter: the store has neither hooks nor
            // configuration.
            opts::set_verify_owner_validation(false).expect("the option is known");
            for kind in [ObjectType::Blob, ObjectType::Tree] {
                opts::set_cache_object_limit(kind, 0).expect("the option is known");
            }
        }
        // [`read_verified`] verifies the hash instead.
        opts::strict_hash_verification(false);
    });
}

/// Opens an object directory to build on. New objects stay in memory. Without a directory, the
/// database is empty.
pub(crate) fn open_in_memory(objects: Option<&std::path::Path>) -> Result<Repository, git2::Error> {
    configure();
    let odb = Odb::new()?;
    if let Some(objects) = objects {
        let path = objects
            .to_str()
            .ok_or_else(|| git2::Error::from_str("the path of the store is not UTF-8"))?;
        odb.add_disk_alternate(path)?;
    }
    odb.add_new_mempack_backend(MEMORY_FIRST)?;
    Repository::from_odb(odb)
}

/// Opens an object directory without configuration, references or hooks.
pub(crate) fn open(objects: &std::path::Path) -> Result<(Odb<'static>, Repository), git2::Error> {
    configure();
    let path = objects
        .to_str()
        .ok_or_else(|| git2::Error::from_str("the path of the store is not UTF-8"))?;
    let odb = Odb::new()?;
    odb.add_disk_alternate(path)?;
    let second = Odb::new()?;
    second.add_disk_alternate(path)?;
    Ok((odb, Repository::from_odb(second)?))
}

/// Reads an object and verifies its hash, to detect a damaged store. libgit2's own verification
/// also searches for collisions, which takes six times as long.
pub(crate) fn read_verified<'odb>(
    odb: &'odb Odb<'_>,
    id: Oid,
) -> Result<OdbObject<'odb>, git2::Error> {
    let object = odb.read(id)?;
    let mut hash = digest::Context::new(&digest::SHA1_FOR_LEGACY_USE_ONLY);
    hash.update(format!("{} {}\0", object.kind(), object.len()).as_bytes());
    hash.update(object.data());
    if hash.finish().as_ref() == id.as_bytes() {
        return Ok(object);
    }
    let reason = "the content does not match the name";
    Err(git2::Error::new(
        ErrorCode::HashsumMismatch,
        ErrorClass::Odb,
        reason,
    ))
}

/// Reads and verifies a commit.
pub(crate) fn read_commit(repository: &Repository, id: Oid) -> Result<Commit<'_>, git2::Error> {
    read_verified(&repository.odb()?, id)?;
    repository.find_commit(id)
}
