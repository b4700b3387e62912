//! Scalars of every kind and width.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI32, NonZeroU32};
use std::path::PathBuf;

use serde_json::json;

use super::SampleType;

pub(crate) fn all() -> Vec<SampleType> {
    let mut all = integers();
    all.extend(others());
    all
}

fn integers() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<i8>("i8").accepts([json!(-128), json!(127), json!(1.0), json!(-0.0)]).rejects([
            (json!(128), "at most 127"),
            (json!(-129), "at least -128"),
            (json!(1.5), "expected an integer"),
        ]),
        SampleType::parameter::<i16>("i16").accepts([json!(-32768)]).rejects([(json!(32768), "at most 32767")]),
        SampleType::parameter::<i32>("i32")
            .accepts([json!(i32::MIN), json!(2e9)])
            .rejects([(json!("1"), "expected an integer, got the string \"1\""), (json!(null), "got null")])
            .rejects_when_decoding([(json!(3_000_000_000_u64), "`value`: expected i32, got the number 3000000000")]),
        SampleType::parameter::<i64>("i64")
            .accepts([json!(i64::MIN), json!(i64::MAX), json!(1e3)])
            .rejects([(json!(true), "expected an integer, got the boolean true"), (json!([1]), "got an array of 1 item")])
            .rejects_when_decoding([(json!(u64::MAX), "expected i64"), (json!(1e20), "`value`: ")]),
        SampleType::parameter::<i128>("i128")
            .accepts([json!(-1), json!(u64::MAX), json!(7.0)])
            .rejects([(json!(0.5), "an integer")]),
        SampleType::parameter::<isize>("isize").accepts([json!(-1)]).rejects([(json!({}), "got an empty object")]),
        SampleType::parameter::<u8>("u8")
            .accepts([json!(0), json!(255), json!(255.0)])
            .rejects([(json!(-1), "at least 0"), (json!(256), "at most 255")]),
        SampleType::parameter::<u16>("u16").accepts([json!(65535)]).rejects([(json!(65536), "at most 65535")]),
        SampleType::parameter::<u32>("u32")
            .accepts([json!(u32::MAX)])
            .rejects([(json!(-1), "expected at least 0, got the number -1")])
            .rejects_when_decoding([(json!(u64::MAX), "expected u32")]),
        SampleType::parameter::<u64>("u64").accepts([json!(u64::MAX), json!(1e19)]).rejects([(json!(-1), "at least 0")]),
        SampleType::parameter::<u128>("u128").accepts([json!(u64::MAX)]).rejects([(json!(-1), "at least 0")]),
        SampleType::parameter::<usize>("usize").accepts([json!(0)]).rejects([(json!("0"), "an integer")]),
        SampleType::parameter::<NonZeroU32>("NonZeroU32").accepts([json!(1)]).rejects([(json!(0), "at least 1")]),
        SampleType::parameter::<NonZeroI32>("NonZeroI32")
            .accepts([json!(-1)])
            .rejects([(json!(0), "expected anything but 0")]),
    ]
}

fn others() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<f32>("f32").accepts([json!(1.5), json!(1)]).rejects([(json!("1"), "expected a number")]),
        SampleType::parameter::<f64>("f64")
            .accepts([json!(-1e300), json!(0)])
            .rejects([(json!(null), "expected a number, got null")]),
        SampleType::parameter::<bool>("bool")
            .accepts([json!(true)])
            .rejects([(json!("true"), "expected a boolean"), (json!(0), "boolean")]),
        SampleType::parameter::<String>("String")
            .accepts([json!(""), json!("\u{1F980}\n\"")])
            .rejects([(json!(1), "expected a string, got the number 1"), (json!(["a"]), "a string")]),
        SampleType::parameter::<char>("char")
            .accepts([json!("x"), json!("é"), json!("\u{1F980}")])
            .rejects([(json!("xy"), "at most 1 character, got 2: \"xy\""), (json!(""), "at least 1 character")]),
        SampleType::parameter::<Cow<'static, str>>("Cow<str>").accepts([json!("a")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<Box<str>>("Box<str>")
            .accepts([json!("a")])
            .rejects([(json!({"a": 1}), "an object with `a`")]),
        SampleType::parameter::<PathBuf>("PathBuf").accepts([json!("/tmp/x")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<IpAddr>("IpAddr")
            .accepts([json!("127.0.0.1"), json!("::1")])
            .rejects([(json!(1), "a string")])
            .rejects_when_decoding([(json!("localhost"), "`value`: ")]),
        SampleType::parameter::<Ipv4Addr>("Ipv4Addr").accepts([json!("10.0.0.1")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<Ipv6Addr>("Ipv6Addr").accepts([json!("::")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<SocketAddr>("SocketAddr").accepts([json!("[::1]:80")]).rejects([(json!(1), "a string")]),
        SampleType::parameter::<()>("unit type ()").accepts([json!(null)]).rejects([(json!(0), "expected null")]),
    ]
}
