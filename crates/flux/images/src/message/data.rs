//! The data of a template as Go's types.

use std::any::Any;
use std::borrow::Cow;
use std::rc::Rc;

use sluice_gotemplate::func::Signature;
use sluice_gotemplate::value::CompositeType;
use sluice_gotemplate::{Args, Call, GoString, Kind, List, Map, Object, Outcome, Type, Value};

use super::TemplateData;
use crate::result::{Change, ObjectChanges, ObjectId, UpdateResult};

const NO_PARAMS: &Signature = &Signature::fixed(&[]);
const CHANGE: &str = "update.Change";
const CHANGES: CompositeType = CompositeType::new("[]update.Change", Type::Object(CHANGE));
const OBJECT_CHANGES: &str = "update.ObjectChanges";
const FILE_CHANGES: CompositeType = CompositeType::new(
    "map[string]update.ObjectChanges",
    Type::Object(OBJECT_CHANGES),
);

/// Returns the data as the value of `.`.
pub(super) fn value(data: &TemplateData<'_>) -> Value {
    let values = Map::of_type(&CompositeType::STRING_MAP);
    for (key, value) in data.values {
        values.set(key.as_str(), value.as_str());
    }
    object(Structure {
        name: "source.TemplateData",
        embeds: false,
        fields: vec![
            (
                "AutomationObject",
                object(NamespacedName {
                    namespace: data.namespace.to_owned(),
                    name: data.name.to_owned(),
                }),
            ),
            ("Changed", object(ResultObject(data.changed.clone()))),
            ("Values", values.into()),
        ],
    })
}

fn object(object: impl Object) -> Value {
    Value::Object(Rc::new(object))
}

/// A struct without methods.
struct Structure {
    name: &'static str,
    fields: Vec<(&'static str, Value)>,
    /// Every field is an embedded struct.
    embeds: bool,
}

impl Object for Structure {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.name)
    }

    fn field(&self, name: &str) -> Option<Value> {
        let mut fields = self.fields.iter();
        if let Some((_, value)) = fields.find(|(field, _)| *field == name) {
            return Some(value.clone());
        }
        // Go finds the fields of embedded structs, too.
        self.fields.iter().find_map(|(_, value)| match value {
            Value::Object(embedded) if self.embeds => embedded.field(name),
            _ => None,
        })
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        self.fields.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `.AutomationObject`
struct NamespacedName {
    namespace: String,
    name: String,
}

impl Object for NamespacedName {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("types.NamespacedName")
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Namespace" => Some(self.namespace.as_str().into()),
            "Name" => Some(self.name.as_str().into()),
            _ => None,
        }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("Namespace", self.namespace.as_str().into()),
            ("Name", self.name.as_str().into()),
        ]
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        (name == "String").then_some(NO_PARAMS)
    }

    fn call(&self, _: &str, _: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
        Ok(format!("{}/{}", self.namespace, self.name).into())
    }

    fn stringer(&self) -> Option<GoString> {
        Some(format!("{}/{}", self.namespace, self.name).into())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `.Changed`
struct ResultObject(UpdateResult);

impl ResultObject {
    fn file_changes(&self) -> Value {
        let files = Map::of_type(&FILE_CHANGES);
        for (file, objects) in &self.0.file_changes {
            files.set(file.as_str(), object(ObjectChangesMap(objects.clone())));
        }
        files.into()
    }
}

impl Object for ResultObject {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("update.Result")
    }

    fn field(&self, name: &str) -> Option<Value> {
        (name == "FileChanges").then(|| self.file_changes())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("FileChanges", self.file_changes())]
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        matches!(name, "Changes" | "Objects").then_some(NO_PARAMS)
    }

    fn call(&self, name: &str, call: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
        let changes = self
            .0
            .file_changes
            .values()
            .flat_map(|objects| objects.values());
        call.steps(changes.map(Vec::len).sum())?;
        Ok(match name {
            "Changes" => changes_list(&self.0.changes()),
            _ => object(ObjectChangesMap(self.0.objects())),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The changes by object.
struct ObjectChangesMap(ObjectChanges);

impl Object for ObjectChangesMap {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(OBJECT_CHANGES)
    }

    fn kind(&self) -> Kind {
        Kind::Map
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn entries(&self) -> Vec<(Value, Value)> {
        let entry = |(id, changes): (&ObjectId, &Vec<Change>)| {
            (object(Identifier(id.clone())), changes_list(changes))
        };
        self.0.iter().map(entry).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An object as a key. Go embeds three structs, and finds the fields of all of them.
struct Identifier(ObjectId);

impl Identifier {
    fn type_meta(&self) -> Value {
        object(Structure {
            name: "yaml.TypeMeta",
            embeds: false,
            fields: vec![
                ("APIVersion", self.0.api_version.as_str().into()),
                ("Kind", self.0.kind.as_str().into()),
            ],
        })
    }

    fn name_meta(&self) -> Value {
        object(Structure {
            name: "yaml.NameMeta",
            embeds: false,
            fields: vec![
                ("Name", self.0.name.as_str().into()),
                ("Namespace", self.0.namespace.as_str().into()),
            ],
        })
    }

    fn resource_identifier(&self) -> Value {
        object(Structure {
            name: "yaml.ResourceIdentifier",
            embeds: true,
            fields: vec![
                ("TypeMeta", self.type_meta()),
                ("NameMeta", self.name_meta()),
            ],
        })
    }
}

impl Object for Identifier {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("update.ObjectIdentifier")
    }

    fn field(&self, name: &str) -> Option<Value> {
        Some(match name {
            "APIVersion" => self.0.api_version.as_str().into(),
            "Kind" => self.0.kind.as_str().into(),
            "Name" => self.0.name.as_str().into(),
            "Namespace" => self.0.namespace.as_str().into(),
            "TypeMeta" => self.type_meta(),
            "NameMeta" => self.name_meta(),
            "ResourceIdentifier" => self.resource_identifier(),
            _ => return None,
        })
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("ResourceIdentifier", self.resource_identifier())]
    }

    fn equals(&self, other: &dyn Object) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| other.0 == self.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn changes_list(changes: &[Change]) -> Value {
    let change = |change: &Change| {
        object(Structure {
            name: CHANGE,
            embeds: false,
            fields: vec![
                ("OldValue", change.old_value.as_str().into()),
                ("NewValue", change.new_value.as_str().into()),
                ("Setter", change.setter.as_str().into()),
            ],
        })
    };
    List::new(&CHANGES, changes.iter().map(change).collect()).into()
}
