//! Questions of the server, answered at the terminal.

mod field;
mod form;

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;

use mcp_cli::parts::ProgressBar;
use mcp_client::{Capabilities, Elicitation, ElicitationMode, Elicited, Handler, Sample, SampleRequest, open_browser};
use mcp_core::transport::{Code, RpcError};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use url::Url;

use super::text::{harmless, in_one_line, indented};

/// The error code that clients send if the user refused.
const REFUSED: Code = Code(-1);

type Answer = Elicited<Map<String, Value>>;

/// The person at the terminal.
pub(super) struct Person {
    bar: Arc<ProgressBar>,
    /// One question at a time.
    turn: Arc<Mutex<()>>,
}

impl Person {
    pub(super) fn new(bar: Arc<ProgressBar>) -> Person {
        Person { bar, turn: Arc::default() }
    }

    async fn answer(&self, question: Elicitation) -> Result<Answer, RpcError> {
        self.bar.clear();
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            let message = in_one_line(&question.message);
            self.bar.write_line(&format!("declined a question of the server, because this is not a terminal: {message}"));
            return Ok(Elicited::Declined);
        }
        let turn = self.turn.clone().lock_owned().await;
        let asked = tokio::task::spawn_blocking(move || {
            // Kept by this thread: if the server withdraws the question, the next one waits until this one is answered.
            let _turn = turn;
            ask(&mut Terminal, &question)
        });
        match asked.await {
            Ok(Ok(answer)) => Ok(answer),
            // The end of the input, or a terminal that is gone.
            _ => Ok(Elicited::Cancelled),
        }
    }
}

impl Handler for Person {
    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::none();
        (capabilities.elicit_form, capabilities.elicit_url, capabilities.sample) = (true, true, true);
        capabilities
    }

    fn elicit(&self, question: Elicitation) -> mcp_client::Boxed<'_, Result<Answer, RpcError>> {
        Box::pin(self.answer(question))
    }

    fn sample(&self, _: SampleRequest) -> mcp_client::Boxed<'_, Result<Sample, RpcError>> {
        Box::pin(async {
            self.bar.write_line("declined a request of the server for an answer of a model: cargo mcp has no model");
            Err(RpcError::new(REFUSED, "the user has no model and declined the request"))
        })
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").finish_non_exhaustive()
    }
}

/// Where questions are shown and answers are read.
trait Dialog {
    fn show(&mut self, text: &str) -> io::Result<()>;

    /// Reads a line without its end. An error at the end of the input.
    fn line(&mut self, prompt: &str) -> io::Result<String>;

    fn open(&mut self, url: &Url) -> io::Result<()>;
}

struct Terminal;

impl Dialog for Terminal {
    fn show(&mut self, text: &str) -> io::Result<()> {
        io::stderr().write_all(harmless(text).as_bytes())
    }

    fn line(&mut self, prompt: &str) -> io::Result<String> {
        self.show(prompt)?;
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
        }
    }

    fn open(&mut self, url: &Url) -> io::Result<()> {
        open_browser(url)
    }
}

/// Asks the question.
fn ask(dialog: &mut dyn Dialog, question: &Elicitation) -> io::Result<Answer> {
    dialog.show(&format!("\nThe server asks:\n{}", indented(&question.message, 2)))?;
    match &question.mode {
        ElicitationMode::Form { schema } => match choice(dialog, "Answer it? [Y]es, [d]ecline, [c]ancel: ", "yes")? {
            Elicited::Accepted(()) => Ok(Elicited::Accepted(form::fill(dialog, schema)?)),
            Elicited::Declined => Ok(Elicited::Declined),
            _ => Ok(Elicited::Cancelled),
        },
        ElicitationMode::Url { url, .. } => visit(dialog, url),
        _ => Ok(Elicited::Declined),
    }
}

/// Shows the address of a page, and opens it only if the user agrees.
fn visit(dialog: &mut dyn Dialog, url: &str) -> io::Result<Answer> {
    let Some(url) = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
        dialog.show(&format!("Declined: `{}` is not the address of a web page.\n", in_one_line(url)))?;
        return Ok(Elicited::Declined);
    };
    let host = url.host_str().unwrap_or_default();
    dialog.show(&format!("It wants you to open a page of {host}:\n  {url}\n"))?;
    Ok(match choice(dialog, "Open it in the browser? [y]es, [D]ecline, [c]ancel: ", "decline")? {
        Elicited::Accepted(()) => {
            if let Err(error) = dialog.open(&url) {
                dialog.show(&format!("Cannot open the browser ({error}): open the address yourself.\n"))?;
            }
            Elicited::Accepted(Map::new())
        }
        Elicited::Declined => Elicited::Declined,
        _ => Elicited::Cancelled,
    })
}

fn choice(dialog: &mut dyn Dialog, prompt: &str, default: &str) -> io::Result<Elicited<()>> {
    loop {
        let line = dialog.line(prompt)?.trim().to_lowercase();
        let word = if line.is_empty() { default } else { &line };
        match word {
            "y" | "yes" => return Ok(Elicited::Accepted(())),
            "d" | "decline" | "n" | "no" => return Ok(Elicited::Declined),
            "c" | "cancel" => return Ok(Elicited::Cancelled),
            _ => dialog.show("Type y, d or c.\n")?,
        }
    }
}

#[cfg(test)]
mod tests;
