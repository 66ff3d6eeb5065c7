//! The one place that sets up libgit2 as a whole.
//!
//! libgit2 is used as an object database and a pack engine, nothing else. Its
//! settings are process-wide, so they are made once, before its first use.

use std::sync::Once;

use aws_lc_rs::digest;
use git2::{
    Commit, ConfigLevel, ErrorClass, ErrorCode, ObjectType, Odb, OdbObject, Oid, Repository, opts,
};

/// Bytes of objects that libgit2 keeps parsed. A walk reads each object once:
/// nearly everything kept would be kept for nothing.
const CACHE_BYTES: isize = 4 << 20;
/// Bytes of a pack mapped at a time, and in all. The defaults map whole packs.
const WINDOW_BYTES: usize = 16 << 20;
const MAPPED_BYTES: usize = 128 << 20;

/// The rank of memory among the places where objects are looked for, and written to.
const MEMORY_FIRST: i32 = 1000;

static SETTINGS: Once = Once::new();

/// Makes the settings, if nobody has yet.
#[expect(
    unsafe_code,
    reason = "libgit2's settings are process-wide and not synchronised"
)]
pub(crate) fn set_up() {
    SETTINGS.call_once(|| {
        // SAFETY: `Once` lets one thread in, and every use of libgit2 in this
        // crate comes after this call, so that nobody reads what is written here.
        unsafe {
            // No configuration of the machine or of a user may change what a
            // repository means: libgit2 looks for files in no directory at all.
            let levels = [
                ConfigLevel::System,
                ConfigLevel::XDG,
                ConfigLevel::Global,
                ConfigLevel::ProgramData,
            ];
            for level in levels {
                opts::set_search_path(level, "").expect("a known configuration level");
            }
            opts::set_cache_max_size(CACHE_BYTES).expect("a known option");
            opts::set_mwindow_size(WINDOW_BYTES).expect("a known option");
            opts::set_mwindow_mapped_limit(MAPPED_BYTES).expect("a known option");
            // Whose files they are is the operating system's business: there is no
            // hook and no configuration here that somebody could plant.
            opts::set_verify_owner_validation(false).expect("a known option");
            for kind in [ObjectType::Blob, ObjectType::Tree] {
                opts::set_cache_object_limit(kind, 0).expect("a known option");
            }
        }
        // Whoever reads holds the content against the name: see [`read`].
        opts::strict_hash_verification(false);
    });
}

/// Opens objects to build on: what is written stays in memory. Without a directory there is
/// nothing to build on, yet.
pub(crate) fn open_in_memory(objects: Option<&std::path::Path>) -> Result<Repository, git2::Error> {
    set_up();
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

/// Opens a directory of objects, and nothing else: no configuration, no
/// references, no hooks.
pub(crate) fn open(objects: &std::path::Path) -> Result<(Odb<'static>, Repository), git2::Error> {
    set_up();
    let path = objects
        .to_str()
        .ok_or_else(|| git2::Error::from_str("the path of the store is not UTF-8"))?;
    let odb = Odb::new()?;
    odb.add_disk_alternate(path)?;
    let second = Odb::new()?;
    second.add_disk_alternate(path)?;
    Ok((odb, Repository::from_odb(second)?))
}

/// Reads an object and holds it against its name, which is whether the store is damaged. libgit2
/// would look for collisions once more, as it did when the object arrived, and take six times as
/// long.
pub(crate) fn read<'odb>(odb: &'odb Odb<'_>, id: Oid) -> Result<OdbObject<'odb>, git2::Error> {
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

/// The same of a commit.
pub(crate) fn commit(repository: &Repository, id: Oid) -> Result<Commit<'_>, git2::Error> {
    read(&repository.odb()?, id)?;
    repository.find_commit(id)
}
