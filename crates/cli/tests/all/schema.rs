//! What programs read is as the schemas in `docs/schema` say, on models that show every part of it.
//!
//! The schemas use a small part of JSON Schema, so a validator of that part is a page long. A complete one (`jsonschema`, `boon`)
//! brings dozens of packages for references, formats and regular expressions that every build of the tests would pay for, and
//! none of which is used here. A keyword that this one does not know fails the test.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{model, reductio, root};

struct Schema {
    root: Value,
    /// The places of the schema that something was checked against.
    met: BTreeSet<String>,
}

impl Schema {
    fn new(name: &str) -> Schema {
        let path = root().join("docs/schema").join(format!("{name}.json"));
        let text = std::fs::read_to_string(path).expect("there is a schema");
        Schema { root: serde_json::from_str(&text).expect("a schema is JSON"), met: BTreeSet::new() }
    }

    fn check(&mut self, value: &Value) -> Result<(), String> {
        let schema = self.root.clone();
        self.validate(&schema, value, "$")
    }

    /// Is a value what a schema says? `at` is where the value is.
    fn validate(&mut self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(keywords) => keywords,
            _ => return Err(format!("{at}: nothing is allowed here")),
        };
        for (keyword, wanted) in keywords {
            let met = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" => true,
                "$ref" => {
                    let name = wanted.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a definition");
                    self.met.insert(name.to_owned());
                    let definition = self.root["$defs"][name].clone();
                    return self.validate(&definition, value, at);
                }
                "type" => match wanted {
                    Value::Array(types) => types.iter().any(|ty| is_of_type(value, ty)),
                    ty => is_of_type(value, ty),
                },
                "const" => value == wanted,
                "enum" => wanted.as_array().is_some_and(|values| values.contains(value)),
                // Only numbers have bounds, and only objects fields: what else there may be is for `type` to say.
                "minimum" => !value.is_number() || value.as_f64() >= wanted.as_f64(),
                "maximum" => !value.is_number() || value.as_f64() <= wanted.as_f64(),
                "anyOf" => self.fitting(wanted, value, at) > 0,
                "oneOf" => self.fitting(wanted, value, at) == 1,
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.validate(wanted, item, &format!("{at}[{index}]"))?;
                    }
                    true
                }
                "required" => {
                    !value.is_object()
                        || wanted.as_array().is_some_and(|names| {
                            names.iter().all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()))
                        })
                }
                "properties" => {
                    for (name, part) in value.as_object().into_iter().flatten() {
                        // Fields may be added, but not without the schema.
                        let known = wanted.get(name).ok_or_else(|| format!("{at}.{name}: not in the schema"))?;
                        self.validate(known, part, &format!("{at}.{name}"))?;
                    }
                    true
                }
                "additionalProperties" => {
                    for (name, part) in value.as_object().into_iter().flatten() {
                        self.validate(wanted, part, &format!("{at}.{name}"))?;
                    }
                    true
                }
                _ => return Err(format!("{at}: the validator does not know `{keyword}`")),
            };
            if !met {
                return Err(format!("{at}: {keyword} {wanted} is not met by {value}"));
            }
        }
        Ok(())
    }

    fn fitting(&mut self, schemas: &Value, value: &Value, at: &str) -> usize {
        let schemas = schemas.as_array().expect("a list of schemas");
        schemas.iter().filter(|schema| self.validate(schema, value, at).is_ok()).count()
    }

    /// The definitions that nothing was checked against.
    fn unmet(&self) -> Vec<&str> {
        let defined = self.root["$defs"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        defined.filter(|name| !self.met.contains(*name)).collect()
    }
}

fn is_of_type(value: &Value, ty: &Value) -> bool {
    match ty.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn results_are_as_their_schema_says() {
    let table: [(&str, &[&str]); 21] = [
        ("peterson.pml", &[]),
        ("peterson.pml", &["--reduce", "none", "--store", "bitstate"]),
        ("peterson.pml", &["--engine", "symbolic", "--no-deadlock"]),
        ("lost_update.pml", &["--max-violations", "1"]),
        ("deadlock.pml", &["--search", "bfs"]),
        ("rendezvous.pml", &["--invariant", "false"]),
        ("producer_consumer.pml", &["--invariant", "len(buffer) < 2"]),
        ("division.pml", &[]),
        ("declared.pml", &[]),
        ("unchecked.pml", &[]),
        ("progress.pml", &["--ltl", "[] (x > 3 -> <> (x == 0))"]),
        ("watched.pml", &["--ltl", "[] (busy -> <> [] done)"]),
        ("counting.pml", &[]),
        ("alternating.pml", &[]),
        ("sort.while", &[]),
        ("decrement.pml", &[]),
        ("arbiter.smv", &["--ctl", "!(EF turn = 1 & EF turn = 2)"]),
        ("arbiter.smv", &[]),
        ("semaphore.smv", &[]),
        ("semaphore.smv", &["--engine", "explicit"]),
        ("counter.aag", &[]),
    ];
    let mut schema = Schema::new("reductio.result-1");
    for (name, more) in table {
        let path = model(name);
        let mut arguments = vec!["check", &path, "--format", "json"];
        arguments.extend(more);
        let run = reductio(&arguments);
        let checked = schema.check(&parsed(&run.out));
        assert_eq!(checked, Ok(()), "{arguments:?}: {}{}", run.out, run.err);
    }
    // Violations are only counted where there are very many (`limits.rs` sees to that), and only people are not shown all steps.
    assert_eq!(schema.unmet(), ["FurtherEntry", "LeftOut"]);
}

#[test]
fn files_of_runs_are_as_their_schemas_say() {
    let table: [(&str, &str, &[&str]); 5] = [
        ("reductio.trace-1", "lost_update.pml", &[]),
        ("reductio.trace-1", "rendezvous.pml", &["--invariant", "false"]),
        ("reductio.trace-1", "watched.pml", &["--no-deadlock", "--ltl", "[] (busy -> <> [] done)"]),
        ("reductio.trace-1", "arbiter.smv", &[]),
        ("reductio.trace-1", "semaphore.smv", &[]),
    ];
    for (name, file, more) in table {
        let path = model(file);
        let trace = std::env::temp_dir().join(format!("reductio-schema-{}-{file}.json", std::process::id()));
        let written = trace.to_str().expect("names of files are text");
        let mut arguments = vec!["check", &path, "--trace", written];
        arguments.extend(more);
        let run = reductio(&arguments);
        let text = std::fs::read_to_string(&trace).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
        let _ = std::fs::remove_file(&trace);
        assert_eq!(Schema::new(name).check(&parsed(&text)), Ok(()), "{arguments:?}");
    }
}

#[test]
fn what_is_not_as_the_schema_says_is_found() {
    let mut schema = Schema::new("reductio.result-1");
    let path = model("peterson.pml");
    let right = parsed(&reductio(&["check", &path, "--format", "json"]).out);
    type Break = fn(&mut Value);
    let breaks: [(&str, Break); 6] = [
        ("const", |value| value["schema"] = "reductio.result/2".into()),
        ("type", |value| value["results"][0]["property"] = 3.into()),
        ("enum", |value| value["results"][0]["kind"] = "luck".into()),
        ("required", |value| drop(value.as_object_mut().expect("an object").remove("complete"))),
        ("not in the schema", |value| value["colour"] = "red".into()),
        ("minimum", |value| value["statistics"]["states"] = (-1).into()),
    ];
    for (message, break_it) in breaks {
        let mut wrong = right.clone();
        break_it(&mut wrong);
        let error = schema.check(&wrong).expect_err(message);
        assert!(error.contains(message), "expected {message}: {error}");
    }
}
