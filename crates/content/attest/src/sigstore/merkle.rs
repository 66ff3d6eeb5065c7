//! Proofs that an entry is in a Merkle tree, after RFC 6962.

use super::key::sha256;

/// The hash of an entry.
pub(super) fn leaf(entry: &[u8]) -> [u8; 32] {
    sha256(&[&[0], entry].concat())
}

fn node(left: &[u8], right: &[u8]) -> [u8; 32] {
    sha256(&[&[1], left, right].concat())
}

/// Verifies that the entry with an index is in the tree of a size.
pub(super) fn verify(
    index: i64,
    size: i64,
    leaf: [u8; 32],
    hashes: &[&[u8]],
    root: &[u8],
) -> Result<(), String> {
    match computed_root(index, size, leaf, hashes) {
        Some(computed) if computed == root => Ok(()),
        Some(_) => Err("a log entry is not in the tree that its proof names".to_owned()),
        None => Err("a log entry has an impossible proof".to_owned()),
    }
}

/// Computes the root from an entry and its proof.
fn computed_root(index: i64, size: i64, leaf: [u8; 32], hashes: &[&[u8]]) -> Option<[u8; 32]> {
    let (index, size) = (u64::try_from(index).ok()?, u64::try_from(size).ok()?);
    if index >= size || hashes.iter().any(|hash| hash.len() != 32) {
        return None;
    }
    // The levels below the point where the paths of the entry and of the last entry meet.
    let inner = u64::BITS - (index ^ (size - 1)).leading_zeros();
    let border = index.checked_shr(inner).unwrap_or(0).count_ones();
    let (inner, border) = (usize::try_from(inner).ok()?, usize::try_from(border).ok()?);
    let (below, above) = hashes.split_at_checked(inner)?;
    if above.len() != border {
        return None;
    }
    let mut hash = leaf;
    for (level, sibling) in below.iter().enumerate() {
        hash = if index >> level & 1 == 0 {
            node(&hash, sibling)
        } else {
            node(sibling, &hash)
        };
    }
    for sibling in above {
        hash = node(sibling, &hash);
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds the tree of a list of leaves by its definition, and the proof of one of them.
    fn tree(leaves: &[[u8; 32]], index: usize) -> ([u8; 32], Vec<[u8; 32]>) {
        if let [leaf] = leaves {
            return (*leaf, Vec::new());
        }
        let split = leaves.len().next_power_of_two() / 2;
        let (left, right) = leaves.split_at(split);
        if index < split {
            let (root, mut proof) = tree(left, index);
            let sibling = tree(right, 0).0;
            proof.push(sibling);
            (node(&root, &sibling), proof)
        } else {
            let (root, mut proof) = tree(right, index - split);
            let sibling = tree(left, 0).0;
            proof.push(sibling);
            (node(&sibling, &root), proof)
        }
    }

    #[test]
    fn each_leaf_of_each_tree_is_proved() {
        for size in 1..=20_u8 {
            let leaves: Vec<[u8; 32]> = (0..size).map(|number| leaf(&[number])).collect();
            for index in 0..size {
                let (root, proof) = tree(&leaves, index.into());
                let hashes: Vec<&[u8]> = proof.iter().map(|hash| &hash[..]).collect();
                let leaf = leaves[usize::from(index)];
                let check =
                    |index: u8, size: u8| verify(index.into(), size.into(), leaf, &hashes, &root);
                assert_eq!(check(index, size), Ok(()), "{index} of {size}");
                assert!(check(size, size).is_err());
                assert!(verify(-1, size.into(), leaf, &hashes, &root).is_err());
                let longer = [&hashes[..], &[&root[..]]].concat();
                assert!(verify(index.into(), size.into(), leaf, &longer, &root).is_err());
            }
        }
        assert!(verify(0, 0, leaf(b""), &[], &leaf(b"")).is_err());
        let hashes = [&[0_u8; 32][..]; 64];
        assert!(verify(i64::MAX - 1, i64::MAX, leaf(b""), &hashes, &[]).is_err());
    }
}
