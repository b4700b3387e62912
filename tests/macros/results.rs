//! Tests of return types and of error messages.

use std::error::Error;
use std::fmt;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use mcp_core::{Content, Json, Server, ToolError, ToolResult, tool, tools};
use serde_json::{Value, json};

use crate::asking::{call, text};

/// An error with a source. Its own message does not contain that of the source.
#[derive(Debug)]
struct Outer(io::Error);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot read the settings")
    }
}

impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// A type that implements only `Display`.
struct Plain;

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plainly wrong")
    }
}

fn outer() -> Outer {
    Outer(io::Error::new(io::ErrorKind::NotFound, "no such file"))
}

macro_rules! failing {
    ($($name:ident -> $error:ty { $value:expr })*) => {$(
        /// Fail.
        #[tool]
        fn $name() -> Result<String, $error> {
            Err($value)
        }
    )*};
}

failing! {
    io_error -> io::Error { io::Error::other("disk on fire") }
    string -> String { "a string".to_owned() }
    str_slice -> &'static str { "a slice" }
    chain -> Outer { outer() }
    boxed -> Box<dyn Error + Send + Sync> { Box::new(outer()) }
    boxed_unsent -> Box<dyn Error> { Box::new(outer()) }
    boxed_unshared -> Box<dyn Error + Send> { Box::new(outer()) }
    unsent -> Unsent { Unsent(Rc::new(outer())) }
    plain -> Plain { Plain }
    tool_error -> ToolError { outer().into() }
    with_anyhow -> anyhow::Error { anyhow::Error::new(outer()).context("while starting") }
    with_eyre -> eyre::Report { eyre::Report::new(outer()).wrap_err("while starting") }
}

/// An error that is not `Send`.
#[derive(Debug)]
struct Unsent(Rc<Outer>);

impl fmt::Display for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unsent")
    }
}

impl Error for Unsent {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Fail after an `.await`, with an error that is not `Send`.
#[tool]
async fn later_unsent() -> Result<String, Box<dyn Error>> {
    std::future::ready(()).await;
    Err(outer())?;
    Ok(String::new())
}

/// Fail after an `.await`.
#[tool]
async fn later() -> anyhow::Result<String> {
    std::future::ready(()).await;
    Err(outer())?;
    Ok(String::new())
}

#[test]
fn an_error_is_sent_with_all_its_sources() {
    let fails = |name, expected: &str| {
        let set = tools![
            io_error,
            string,
            str_slice,
            chain,
            boxed,
            boxed_unsent,
            plain,
            tool_error,
            with_anyhow,
            with_eyre,
            later,
            later_unsent,
            boxed_unshared,
            unsent,
        ];
        let result = call(Server::builder("test", "1").tools(set), name, json!({}));
        assert_eq!(text(&result), (expected.to_owned(), true), "{name}");
    };
    fails("io_error", "disk on fire");
    fails("string", "a string");
    fails("str_slice", "a slice");
    fails("chain", "cannot read the settings: no such file");
    fails("boxed", "cannot read the settings: no such file");
    fails("boxed_unsent", "cannot read the settings: no such file");
    fails("boxed_unshared", "cannot read the settings: no such file");
    fails("unsent", "unsent: cannot read the settings: no such file");
    fails("later_unsent", "cannot read the settings: no such file");
    fails("plain", "plainly wrong");
    fails("tool_error", "cannot read the settings: no such file");
    fails("with_anyhow", "while starting: cannot read the settings: no such file");
    fails("with_eyre", "while starting: cannot read the settings: no such file");
    fails("later", "cannot read the settings: no such file");
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Weather {
    celsius: f64,
}

macro_rules! returning {
    ($($name:ident -> $type:ty { $value:expr })*) => {$(
        /// Return something.
        #[tool]
        async fn $name() -> $type {
            $value
        }
    )*};
}

returning! {
    unit -> () { () }
    number -> u128 { u128::MAX }
    truth -> bool { true }
    static_text -> &'static str { "text" }
    shared_text -> Arc<str> { "shared".into() }
    present -> Option<String> { Some("here".to_owned()) }
    absent -> Option<String> { None }
    fine -> Result<Option<i32>, Plain> { Ok(Some(1)) }
    structured -> Json<Weather> { Json(Weather { celsius: 21.5 }) }
    maybe_structured -> Result<Json<Weather>, Plain> { Ok(Json(Weather { celsius: 0.0 })) }
    contents -> Vec<Content> { vec![Content::text("a"), Content::text("b")] }
    whole -> ToolResult { ToolResult::error("as it is") }
}

/// Return nothing.
#[tool]
fn nothing() {}

fn returned(name: &str) -> Value {
    let set = tools![
        unit,
        number,
        truth,
        static_text,
        shared_text,
        present,
        absent,
        fine,
        structured,
        maybe_structured,
        contents,
        whole,
        nothing
    ];
    call(Server::builder("test", "1").tools(set), name, json!({}))
}

#[test]
fn every_return_type_becomes_a_result() {
    for (name, expected) in [
        ("unit", ""),
        ("nothing", ""),
        ("number", "340282366920938463463374607431768211455"),
        ("truth", "true"),
        ("static_text", "text"),
        ("shared_text", "shared"),
        ("present", "here"),
        ("absent", ""),
        ("fine", "1"),
        ("contents", "ab"),
    ] {
        assert_eq!(text(&returned(name)), (expected.to_owned(), false), "{name}");
    }
    assert_eq!(returned("structured")["structuredContent"], json!({"celsius": 21.5}));
    assert_eq!(returned("maybe_structured")["structuredContent"], json!({"celsius": 0.0}));
    assert_eq!(text(&returned("whole")), ("as it is".to_owned(), true));
}

#[test]
fn structured_output_has_an_output_schema() {
    for name in ["structured", "maybe_structured"] {
        let tool = crate::asking::describe(Server::builder("test", "1").tools(tools![structured, maybe_structured]), name);
        assert_eq!(tool["outputSchema"]["required"], json!(["celsius"]), "{name}");
    }
}
