//! A permission request as a dialog: allow or deny a tool use, choose answers, approve a plan.

use std::path::Path;

use mcp_agent::builtin::{AskUserQuestionInput, Builtin, Question};
use mcp_agent::fold::Fold;
use mcp_agent::{Ask, Decision, RememberedUses};
use serde_json::Value;

use crate::preview::preview;
use crate::screen::plain;

/// A dialog with the user about one request.
pub(crate) enum Dialog {
    /// May the tool be used?
    Permission(Ask),
    /// Is this the plan to follow?
    Plan(String),
    /// The model asks questions. The last one is the next to be answered.
    Choices { input: Box<AskUserQuestionInput>, open: Vec<Question> },
}

/// What follows a line of the user.
pub(crate) enum Step {
    Decided(Decision),
    /// The dialog goes on: show its prompt again.
    Again(Dialog),
}

impl Dialog {
    /// `fold` has the messages before the request.
    pub(crate) fn new(ask: Ask, fold: &Fold) -> Dialog {
        match ask.builtin() {
            Builtin::AskUserQuestion(input) if !input.questions.is_empty() => {
                let open = input.questions.iter().rev().cloned().collect();
                Dialog::Choices { input: Box::new(input), open }
            }
            Builtin::ExitPlanMode(_) => Dialog::Plan(plan_of(&ask, fold)),
            _ => Dialog::Permission(ask),
        }
    }

    /// The lines to show. The last one is where the user types.
    pub(crate) fn prompt(&self) -> Vec<String> {
        match self {
            Dialog::Permission(ask) => {
                let always = match ask.builtin() {
                    Builtin::Edit(_) | Builtin::Write(_) => "[a]lways this file",
                    _ => "[a]lways exactly this",
                };
                let mut lines = preview(ask);
                lines[0].insert_str(0, "? ");
                lines.push(format!("  allow it? [y]es, {always}, [N]o, or why not "));
                lines
            }
            Dialog::Plan(plan) => {
                let lines = plan.lines().map(|line| format!("  | {}", plain(line)));
                let question = "  follow this plan? [y]es, or what to change ".to_owned();
                ["? The plan is ready.".to_owned()].into_iter().chain(lines).chain([question]).collect()
            }
            Dialog::Choices { open, .. } => open.last().map(choices).unwrap_or_default(),
        }
    }

    /// Takes a line of the user, or the end of the input, which declines.
    pub(crate) fn take(self, line: Option<&str>, remembered: &RememberedUses) -> Step {
        let Some(line) = line.map(str::trim) else {
            return Step::Decided(no());
        };
        match self {
            Dialog::Permission(ask) => Step::Decided(match line.to_ascii_lowercase().as_str() {
                "y" | "yes" => Decision::allow(),
                "a" | "always" => {
                    remembered.add(&ask);
                    Decision::allow()
                }
                "" | "n" | "no" => no(),
                _ => Decision::deny(format!("the user said no: {line}")),
            }),
            Dialog::Plan(_) if line.eq_ignore_ascii_case("y") || line.eq_ignore_ascii_case("yes") => {
                Step::Decided(Decision::allow())
            }
            Dialog::Plan(_) if line.is_empty() => Step::Decided(no()),
            Dialog::Plan(_) => Step::Decided(Decision::deny(format!("the user wants another plan: {line}"))),
            Dialog::Choices { .. } if line.is_empty() => Step::Again(self),
            Dialog::Choices { input, open } => answer(*input, open, line),
        }
    }
}

/// Returns the plan to approve. It is in the request, in the tool call, or in the file that the model has written.
fn plan_of(ask: &Ask, fold: &Fold) -> String {
    let plan = |input: &Value| input["plan"].as_str().filter(|plan| !plan.is_empty()).map(str::to_owned);
    let of_call = || fold.call(&ask.tool_use_id).and_then(|call| plan(&call.input));
    let of_file = || fold.calls().filter_map(|call| written_plan(&call.builtin())).last();
    plan(&ask.input).or_else(of_call).or_else(of_file).unwrap_or_else(|| "(the plan is in the text above)".to_owned())
}

/// Returns the text if a tool use writes a plan: a file `plans/NAME.md`.
fn written_plan(tool: &Builtin) -> Option<String> {
    let Builtin::Write(write) = tool else { return None };
    let path = Path::new(&write.file_path);
    let is_plan = path.extension().is_some_and(|extension| extension == "md")
        && path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "plans");
    is_plan.then(|| write.content.clone())
}

/// Answers the next question. The tool is allowed with all answers in its input.
fn answer(mut input: AskUserQuestionInput, mut open: Vec<Question>, line: &str) -> Step {
    if let Some(question) = open.pop() {
        let answer = chosen(&question, line);
        input = input.answer(question.question, answer);
    }
    if open.is_empty() {
        return Step::Decided(Decision::allow().with_input(Builtin::AskUserQuestion(input).to_input()));
    }
    Step::Again(Dialog::Choices { input: Box::new(input), open })
}

fn choices(question: &Question) -> Vec<String> {
    let mut lines = vec![format!("? {}", plain(&question.question))];
    lines.extend(question.options.iter().zip(1..).map(|(choice, number)| {
        let description = choice.description.as_deref().map(|text| format!(": {}", plain(text))).unwrap_or_default();
        format!("  {number}) {}{description}", plain(&choice.label))
    }));
    lines.push(if question.multi_select == Some(true) {
        "  numbers, separated by commas, or your own answer ".to_owned()
    } else {
        "  a number, or your own answer ".to_owned()
    });
    lines
}

/// Replaces numbers by the choices. Several answers are separated by commas, as the CLI expects them.
fn chosen(question: &Question, line: &str) -> String {
    let label = |text: &str| {
        let number: usize = text.trim().parse().ok()?;
        question.options.get(number.checked_sub(1)?).map(|choice| choice.label.clone())
    };
    if question.multi_select != Some(true) {
        return label(line).unwrap_or_else(|| line.to_owned());
    }
    let answers = line.split(',').map(|text| label(text).unwrap_or_else(|| text.trim().to_owned()));
    answers.filter(|answer| !answer.is_empty()).collect::<Vec<_>>().join(", ")
}

pub(crate) fn no() -> Decision {
    Decision::deny("the user said no")
}
