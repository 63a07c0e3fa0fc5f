//! The schemas of what programs read, made from the types that are written and kept in `docs/schema/`. Only tests know of them.

use std::borrow::Cow;
use std::path::Path;

use reductio_model::PropertyKind;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::result::CheckReport;
use crate::trace_file::TraceFile;

/// All kinds of properties that a result can be about.
pub const KINDS: [PropertyKind; 8] = [
    PropertyKind::Deadlock,
    PropertyKind::Assertion,
    PropertyKind::Invariant,
    PropertyKind::Ltl,
    PropertyKind::Ctl,
    PropertyKind::Never,
    PropertyKind::Progress,
    PropertyKind::Acceptance,
];

/// Variables and what they hold, which is a list in the program and an object in JSON.
pub struct Values;

impl JsonSchema for Values {
    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Value>();
        json_schema!({
            "description": "Variables by name, in the order in which the program has them.",
            "type": "object",
            "additionalProperties": value
        })
    }
}

/// What a variable or a channel holds.
struct Value;

impl JsonSchema for Value {
    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Value>();
        json_schema!({
            "description": "A number; a symbolic constant, the name of a channel, or what became of a process; the messages in a \
                            channel, oldest first, each with its fields.",
            "anyOf": [
                { "type": "integer" },
                { "type": "string" },
                { "type": "array", "items": { "type": "array", "items": value } }
            ]
        })
    }
}

fn schema_of<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}

#[test]
fn schemas_are_those_of_the_types() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let mut wrong = Vec::new();
    for (name, text) in [
        ("reductio.result-1", schema_of::<CheckReport>(crate::result::RESULT_SCHEMA)),
        ("reductio.trace-1", schema_of::<TraceFile<'_>>(crate::trace_file::TRACE_SCHEMA)),
    ] {
        let file = directory.join(format!("{name}.json"));
        if std::env::var_os("REDUCTIO_BLESS").is_some() {
            std::fs::create_dir_all(&directory).expect("there is a place for schemas");
            std::fs::write(&file, &text).expect("schemas can be written");
        }
        if std::fs::read_to_string(&file).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "schemas have changed (REDUCTIO_BLESS=1 accepts them):\n{}", wrong.join("\n"));
}
