//! `cargo mcp complete SERVER NAME ARGUMENT [TEXT] [NAME=TEXT ...]`: prints the values that complete an argument.

use mcp_cli::Arguments;
use mcp_client::{Client, Completable};
use serde_json::json;

use super::failed;
use super::options::Options;
use super::prompt::pairs;
use super::text::print;
use crate::{Failure, tell};

pub(super) struct Complete {
    what: Completable,
    argument: String,
    begun: String,
    known: Vec<(String, String)>,
}

impl Complete {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Complete, Failure> {
        let (Some(name), Some(argument)) = (arguments.next_word(), arguments.next_word()) else {
            return Err(Failure::usage(
                "`complete` needs a prompt or a resource template, and one of its arguments: \
                 cargo mcp complete SERVER NAME ARGUMENT [TEXT]",
            ));
        };
        // A name of a prompt has no braces, and a template that has none has nothing to complete.
        let what = if name.contains('{') { Completable::Template(name) } else { Completable::Prompt(name) };
        let begun = arguments.next_word().unwrap_or_default();
        Ok(Complete { what, argument, begun, known: pairs(arguments)? })
    }

    pub(super) async fn run(&self, client: &Client, options: &Options) -> Result<(), Failure> {
        let found = client.complete(self.what.clone(), &self.argument, &self.begun, self.known.clone()).await;
        let found = found.map_err(|error| failed(&error))?;
        if options.json {
            return print(&format!(
                "{:#}",
                json!({"values": found.values, "total": found.total, "hasMore": found.has_more})
            ));
        }
        print(&found.values.join("\n"))?;
        if found.has_more {
            tell(&found.total.map_or_else(|| "there are more values".to_owned(), |total| format!("{total} values in all")));
        }
        Ok(())
    }
}
