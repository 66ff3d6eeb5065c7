//! Tests of the decryption of files that a kustomization names.

use super::*;
use crate::keys::Keyring;

const AGE_KEY: &str = include_str!("../../../tests/fixtures/keys/x25519.agekey");
const YAML: &[u8] = include_bytes!("../../../tests/fixtures/encrypted/x25519-modes.yaml");
const DOTENV: &[u8] = include_bytes!("../../../tests/fixtures/encrypted/x25519-all.env");
const BINARY: &[u8] = include_bytes!("../../../tests/fixtures/encrypted/x25519-all.bin");

/// Files by path; a link maps a path to another.
#[derive(Default)]
struct Tree {
    files: BTreeMap<PathBuf, Vec<u8>>,
    links: BTreeMap<PathBuf, PathBuf>,
    pipes: Vec<PathBuf>,
}

impl Tree {
    fn with(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = Path::new("/").join(path);
        self.files.insert(path, content.as_ref().to_vec());
        self
    }

    fn linked(mut self, path: &str, target: &str) -> Self {
        self.links.insert(Path::new("/").join(path), target.into());
        self
    }

    fn followed(&self, path: &Path) -> Result<PathBuf, TreeError> {
        for (link, target) in &self.links {
            if let Ok(rest) = path.strip_prefix(link) {
                let outside = TreeError("path is not in or below the root".to_owned());
                let target = target.to_str().unwrap();
                let target = join(link.parent().unwrap(), target).ok_or(outside)?;
                return self.followed(&if rest.as_os_str().is_empty() {
                    target
                } else {
                    target.join(rest)
                });
            }
        }
        Ok(path.to_path_buf())
    }
}

impl SourceTree for Tree {
    fn entry(&self, path: &Path) -> Result<Option<SourceEntry>, TreeError> {
        let path = self.followed(path)?;
        Ok(if self.files.contains_key(&path) {
            Some(SourceEntry::File)
        } else if self.pipes.contains(&path) {
            Some(SourceEntry::Other)
        } else if self.files.keys().any(|file| file.starts_with(&path)) {
            Some(SourceEntry::Directory)
        } else {
            None
        })
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, TreeError> {
        self.followed(path)
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, TreeError> {
        let content = &self.files[&self.followed(path)?];
        if content.len() as u64 > limit {
            return Err(TreeError(format!("larger than {limit} bytes")));
        }
        Ok(content.clone())
    }
}

async fn decrypted(tree: &Tree, folder: &str) -> Result<Vec<String>, String> {
    let mut keyring = Keyring::default();
    keyring.age.import(AGE_KEY).unwrap();
    let decryptor = Decryptor::new(keyring);
    let files = decryptor.decrypt_sources(tree, Path::new(folder)).await;
    let files = files.map_err(|error| sluice_golang::error::chain(&error))?;
    let check = |file: DecryptedFile| {
        assert!(
            !file
                .content
                .expose()
                .windows(4)
                .any(|window| window == b"ENC[")
        );
        file.path.display().to_string()
    };
    Ok(files.into_iter().map(check).collect())
}

#[tokio::test]
async fn files_of_generators_and_patches_are_decrypted() {
    let tree = Tree::default()
        .with(
            "kustomization.yaml",
            "secretGenerator:\n- name: a\n  files: [token=blob, 'a.yaml', plain.txt]\n  envs: [vars, x.env]\nconfigMapGenerator:\n- name: b\n  files: [left.yaml]\npatches:\n- path: patch.yaml\n- path: https://example.com/x.yaml\n- patch: '{}'\n",
        )
        .with("blob", BINARY)
        .with("a.yaml", YAML)
        .with("plain.txt", "plain")
        .with("vars", DOTENV)
        .with("x.env", DOTENV)
        .with("left.yaml", YAML)
        .with("patch.yaml", YAML);
    assert_eq!(
        decrypted(&tree, "/").await.unwrap(),
        ["/a.yaml", "/blob", "/patch.yaml", "/vars", "/x.env"]
    );
}

#[tokio::test]
async fn folders_are_walked_once_and_other_paths_ignored() {
    let below = "secretGenerator:\n- name: a\n  files: [a.yaml]\nresources: [..]\n";
    let tree = Tree::default()
        .with(
            "deploy/kustomization.yml",
            "resources: [../base, ../base, a.yaml, gone, https://example.com/repo, /etc, ../../../out, ../away]\ncomponents: [../component]\n",
        )
        .with("deploy/a.yaml", YAML)
        .with("base/kustomization.yaml", below.replace("..", "../deploy"))
        .with("base/a.yaml", YAML)
        .with("component/Kustomization", below.replace("[..]", "[]"))
        .with("component/a.yaml", YAML)
        .linked("away", "../outside");
    assert_eq!(
        decrypted(&tree, "/deploy").await.unwrap(),
        ["/base/a.yaml", "/component/a.yaml"]
    );
}

#[tokio::test]
async fn folder_needs_exactly_one_kustomization_file() {
    let tree = Tree::default()
        .with("a/kustomization.yaml", "resources: [../b]\n")
        .with("b/kustomization.yaml", "{}")
        .with("b/kustomization.yml", "{}")
        .with("c/kustomization.yaml", "resources: [../d]\n")
        .with("d/x.yaml", "{}")
        .with("e/kustomization.yaml", "resources: [\n");
    let text = async |folder: &str| decrypted(&tree, folder).await.unwrap_err();
    assert_eq!(text("/a").await, "b: found multiple kustomization files");
    assert_eq!(text("/c").await, "d: no kustomization file found");
    assert!(
        text("/e")
            .await
            .starts_with("failed to unmarshal kustomization file from 'e/kustomization.yaml': ")
    );
    assert_eq!(text("/gone").await, "gone: no such file or directory");
}

#[tokio::test]
async fn links_out_of_the_tree_are_rejected() {
    let file = "secretGenerator:\n- name: a\n  files: [link.yaml, real.yaml, folder/real.yaml]\n";
    let tree = Tree::default()
        .with("kustomization.yaml", file)
        .with("real.yaml", YAML)
        .with("other/real.yaml", YAML)
        .linked("link.yaml", "real.yaml")
        .linked("folder", "other");
    assert_eq!(
        decrypted(&tree, "/").await.unwrap(),
        [
            "/folder/real.yaml",
            "/link.yaml",
            "/other/real.yaml",
            "/real.yaml"
        ]
    );
    let out = Tree::default()
        .with("kustomization.yaml", file)
        .linked("link.yaml", "../../etc/shadow");
    assert_eq!(
        decrypted(&out, "/").await.unwrap_err(),
        "link.yaml: path is not in or below the root"
    );
}

#[tokio::test]
async fn irregular_files_and_outside_paths_are_rejected() {
    let named = |path: &str| format!("secretGenerator:\n- name: a\n  files: ['{path}']\n");
    let mut tree = Tree::default()
        .with("a/kustomization.yaml", named("gone"))
        .with("b/kustomization.yaml", named("../../../etc/shadow"))
        .with("c/kustomization.yaml", named("/etc/shadow"))
        .with("d/kustomization.yaml", named("pipe"))
        .with("e/kustomization.yaml", named("../a"))
        .with("f/kustomization.yaml", named("large"))
        .with("f/large", vec![0; (5 << 20) + 1]);
    tree.pipes.push("/d/pipe".into());
    let text = async |folder: &str| decrypted(&tree, folder).await.unwrap_err();
    assert_eq!(text("/a").await, "a/gone: no such file or directory");
    assert!(
        text("/b")
            .await
            .ends_with("the path leads out of the source")
    );
    assert!(
        text("/c")
            .await
            .ends_with("the path leads out of the source")
    );
    let irregular = "cannot decrypt irregular file as it has file mode type bits set";
    assert_eq!(text("/d").await, format!("d/pipe: {irregular}"));
    assert_eq!(text("/e").await, format!("a: {irregular}"));
    assert_eq!(text("/f").await, "f/large: larger than 5242880 bytes");
}

#[tokio::test]
async fn file_that_cannot_be_decrypted_is_named() {
    let tree = Tree::default()
        .with(
            "kustomization.yaml",
            "secretGenerator:\n- name: a\n  files: [a.yaml]\n",
        )
        .with("a.yaml", "sops:\n  mac: ENC[AES256_GCM,x]\n");
    let text = decrypted(&tree, "/").await.unwrap_err();
    assert!(
        text.starts_with("a.yaml: failed to load encrypted YAML data: "),
        "{text}"
    );
}
