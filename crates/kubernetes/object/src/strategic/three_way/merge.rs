//! Adds the additions of a patch to its deletions.

use super::{Fields, RETAIN_KEYS, SET_ORDER, TABLE, TypeName};
use crate::Value;

/// Merges additions into deletions.
pub(super) fn maps(patch: &mut Fields, added: Fields, of: TypeName) {
    for (key, value) in added {
        if key == RETAIN_KEYS || key.starts_with(SET_ORDER) {
            // Both sides have the keys and the order of the target.
            patch.insert(key, value);
            continue;
        }
        let field = TABLE.field(of, &key);
        match (patch.get_mut(&key), value) {
            (Some(Value::Object(deleted)), Value::Object(added)) => maps(deleted, added, field.of),
            (Some(Value::Array(deleted)), Value::Array(added)) if field.merges => {
                lists(deleted, added, field.key, field.of);
            }
            (_, value) => {
                patch.insert(key, value);
            }
        }
    }
}

fn lists(deleted: &mut Vec<Value>, added: Vec<Value>, key: &str, of: TypeName) {
    for item in added {
        let same = deleted.iter_mut().find(|known| match &item {
            Value::Object(_) => known[key] == item[key] && known.get("$patch").is_none(),
            scalar => *known == scalar,
        });
        match (same, item) {
            (Some(Value::Object(known)), Value::Object(item)) => maps(known, item, of),
            (Some(_), _) => {}
            (None, item) => deleted.push(item),
        }
    }
}
