//! A permission request as a dialog: allow or deny a tool use, choose answers, approve a plan.

use mcp_agent::builtin::{AskUserQuestionInput, Builtin, Question};
use mcp_agent::{Ask, Decision, RememberedUses};

use crate::preview::preview;
use crate::screen::plain;

/// A dialog with the user about one request.
pub(crate) enum Dialog {
    /// May the tool be used?
    Permission(Ask),
    /// Is this the plan to follow?
    Plan(Ask),
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
    pub(crate) fn new(ask: Ask) -> Dialog {
        match ask.builtin() {
            Builtin::AskUserQuestion(input) if !input.questions.is_empty() => {
                let open = input.questions.iter().rev().cloned().collect();
                Dialog::Choices { input: Box::new(input), open }
            }
            Builtin::ExitPlanMode(_) => Dialog::Plan(ask),
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
                let mut lines = preview(&ask.builtin());
                lines[0].insert_str(0, "? ");
                lines.push(format!("  allow it? [y]es, {always}, [N]o, or why not "));
                lines
            }
            Dialog::Plan(ask) => {
                let plan = match ask.builtin() {
                    Builtin::ExitPlanMode(input) => input.plan.unwrap_or_default(),
                    _ => String::new(),
                };
                let lines = plan.lines().map(|line| format!("  {}", plain(line)));
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
