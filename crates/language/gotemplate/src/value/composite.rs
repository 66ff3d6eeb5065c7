//! Maps and lists, shared by all who hold them.

use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{GoString, Type, Value};

mod cycles;

pub(crate) use cycles::CycleGuard;

/// The type of a map or a list.
#[derive(Debug)]
pub struct CompositeType {
    /// The name of the type, such as `map[string]interface {}`.
    pub name: &'static str,
    /// The type of the elements.
    pub elem: Type,
}

impl CompositeType {
    /// `map[string]interface {}`
    pub const ANY_MAP: Self = Self::new("map[string]interface {}", Type::Any);
    /// `map[string]string`
    pub const STRING_MAP: Self = Self::new("map[string]string", Type::String);
    /// `[]interface {}`
    pub const ANY_LIST: Self = Self::new("[]interface {}", Type::Any);
    /// `[]string`
    pub const STRING_LIST: Self = Self::new("[]string", Type::String);
    /// `[]int`
    pub const INT_LIST: Self = Self::new("[]int", Type::Int);
    /// `[][]interface {}`
    pub const LIST_LIST: Self = Self::new("[][]interface {}", Type::List);

    /// A type by its name and the type of its elements.
    pub const fn new(name: &'static str, elem: Type) -> Self {
        Self { name, elem }
    }
}

/// The entries of a map, in the order in which Go's templates visit them.
type Entries = BTreeMap<GoString, Value>;

/// A map with strings as keys.
#[derive(Clone)]
pub struct Map {
    of: &'static CompositeType,
    entries: Option<Rc<Content<Entries>>>,
}

impl Map {
    /// An empty `map[string]interface {}`.
    pub fn new() -> Self {
        Self::of_type(&CompositeType::ANY_MAP)
    }

    /// An empty map of a type.
    pub fn of_type(of: &'static CompositeType) -> Self {
        Self {
            of,
            entries: Some(Content::share(Entries::new())),
        }
    }

    /// A nil map of a type.
    pub const fn nil(of: &'static CompositeType) -> Self {
        Self { of, entries: None }
    }

    /// The type of the map.
    pub const fn of(&self) -> &'static CompositeType {
        self.of
    }

    /// The same entries as another type.
    #[must_use]
    pub fn with_type(&self, of: &'static CompositeType) -> Self {
        Self {
            of,
            entries: self.entries.clone(),
        }
    }

    /// The same entries as a map without a name.
    pub(crate) fn as_plain(&self) -> Self {
        self.with_type(match self.of.elem {
            Type::String => &CompositeType::STRING_MAP,
            _ => &CompositeType::ANY_MAP,
        })
    }

    /// Whether the map is nil.
    pub const fn is_nil(&self) -> bool {
        self.entries.is_none()
    }

    /// Whether both are the same map.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.entries, &other.entries) {
            (Some(ours), Some(theirs)) => Rc::ptr_eq(ours, theirs),
            _ => false,
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.with(Entries::len)
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Option<Value> {
        self.with(|entries| entries.get(key).cloned())
    }

    /// Whether the map has a key.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.with(|entries| entries.contains_key(key))
    }

    /// Sets the value of a key for all holders of the map; false where the map is nil.
    pub fn set(&self, key: impl Into<GoString>, value: impl Into<Value>) -> bool {
        let Some(content) = &self.entries else {
            return false;
        };
        let value = value.into();
        if Rc::strong_count(content) > 1 && may_hold_maps(&value) {
            cycles::watch(content);
        }
        content.entries.borrow_mut().insert(key.into(), value);
        true
    }

    /// Removes a key for all holders of the map.
    pub fn remove(&self, key: &[u8]) {
        if let Some(content) = &self.entries {
            let removed = content.entries.borrow_mut().remove(key);
            drop(removed);
        }
    }

    /// The entries at this moment, sorted by key.
    pub fn entries(&self) -> Vec<(GoString, Value)> {
        self.with(|entries| {
            let pairs = entries.iter();
            pairs
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect()
        })
    }

    /// The keys at this moment, sorted.
    pub fn keys(&self) -> Vec<GoString> {
        self.with(|entries| entries.keys().cloned().collect())
    }

    fn with<T>(&self, visit: impl FnOnce(&Entries) -> T) -> T {
        match &self.entries {
            Some(content) => visit(&content.entries.borrow()),
            None => visit(&Entries::new()),
        }
    }

    /// The address, which `%p` prints.
    pub(crate) fn address(&self) -> usize {
        let address = |content: &Rc<Content<Entries>>| Rc::as_ptr(content).cast::<()>().addr();
        self.entries.as_ref().map_or(0, address)
    }
}

impl Default for Map {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Into<GoString>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        let entries = pairs
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        Self {
            of: &CompositeType::ANY_MAP,
            entries: Some(Content::share(entries)),
        }
    }
}

/// A slice.
#[derive(Clone)]
pub struct List {
    of: &'static CompositeType,
    items: Option<Rc<Content<Vec<Value>>>>,
}

impl List {
    /// A list of a type.
    pub fn new(of: &'static CompositeType, items: Vec<Value>) -> Self {
        Self {
            of,
            items: Some(Content::share(items)),
        }
    }

    /// A nil list of a type.
    pub const fn nil(of: &'static CompositeType) -> Self {
        Self { of, items: None }
    }

    /// The type of the list.
    pub const fn of(&self) -> &'static CompositeType {
        self.of
    }

    /// Whether the list is nil.
    pub const fn is_nil(&self) -> bool {
        self.items.is_none()
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items().len()
    }

    /// Whether the list has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One item.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.items().get(index).cloned()
    }

    /// The items, which must not be kept over a call of a function.
    pub fn items(&self) -> Items<'_> {
        Items(self.items.as_ref().map(|content| content.entries.borrow()))
    }

    /// Sorts the items in place, for all holders of the list.
    pub(crate) fn sort_by(&self, compare: impl FnMut(&Value, &Value) -> std::cmp::Ordering) {
        if let Some(content) = &self.items {
            content.entries.borrow_mut().sort_by(compare);
        }
    }

    /// The address, which `%p` prints.
    pub(crate) fn address(&self) -> usize {
        let address = |content: &Rc<Content<Vec<Value>>>| Rc::as_ptr(content).cast::<()>().addr();
        self.items.as_ref().map_or(0, address)
    }
}

/// The borrowed items of a list.
pub struct Items<'a>(Option<Ref<'a, Vec<Value>>>);

impl std::ops::Deref for Items<'_> {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

/// The content of a map or a list. Dropping it takes nested content apart without recursion.
struct Content<T: Container> {
    entries: RefCell<T>,
    /// Whether [`cycles`] knows the content.
    is_watched: Cell<bool>,
}

impl<T: Container> Content<T> {
    fn share(content: T) -> Rc<Self> {
        Rc::new(Self {
            entries: RefCell::new(content),
            is_watched: Cell::new(false),
        })
    }
}

/// Whether a value may lead to a map.
const fn may_hold_maps(value: &Value) -> bool {
    matches!(value, Value::Map(_) | Value::List(_) | Value::Object(_))
}

/// Content that gives its values away.
trait Container: Default {
    /// Moves all maps and lists to a pile.
    fn unload(&mut self, pile: &mut Vec<Value>);
}

impl Container for Entries {
    fn unload(&mut self, pile: &mut Vec<Value>) {
        for value in self.values_mut() {
            if matches!(value, Value::Map(_) | Value::List(_)) {
                pile.push(std::mem::take(value));
            }
        }
    }
}

impl Container for Vec<Value> {
    fn unload(&mut self, pile: &mut Vec<Value>) {
        for value in self {
            if matches!(value, Value::Map(_) | Value::List(_)) {
                pile.push(std::mem::take(value));
            }
        }
    }
}

impl<T: Container> Drop for Content<T> {
    fn drop(&mut self) {
        let mut pile = Vec::new();
        self.entries.get_mut().unload(&mut pile);
        while let Some(value) = pile.pop() {
            match value {
                Value::Map(map) => unload_last(map.entries, &mut pile),
                Value::List(list) => unload_last(list.items, &mut pile),
                _ => {}
            }
        }
    }
}

/// Takes content apart if no other holder is left.
fn unload_last<T: Container>(content: Option<Rc<Content<T>>>, pile: &mut Vec<Value>) {
    if let Some(mut content) = content
        && let Some(content) = Rc::get_mut(&mut content)
    {
        content.entries.get_mut().unload(pile);
    }
}
