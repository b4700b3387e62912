//! One turn: shows its messages, and asks the user what the CLI asks.

use std::time::{Duration, Instant};

use mcp_agent::cost::{Budget, Spending};
use mcp_agent::{Decision, Error, RememberedUses, Session};
use tokio::sync::oneshot;

use crate::dialog::{Dialog, Step};
use crate::screen::Screen;
use crate::user::User;

/// How a turn ended.
pub(crate) enum After {
    GoOn,
    /// Ctrl-C was pressed once and the hint about a second press was shown.
    Interrupted,
    Quit,
}

/// Shows the messages of a turn until it ends.
pub(crate) async fn turn(
    session: &mut Session,
    screen: &mut Screen,
    budget: &mut Budget,
    remembered: &RememberedUses,
    user: &mut User,
) -> anyhow::Result<After> {
    let mut open: Option<(Dialog, oneshot::Sender<Decision>)> = None;
    let mut is_interrupted = false;
    let mut is_cost_reported = false;
    let mut ticks = tokio::time::interval(Duration::from_millis(250));
    screen.since = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(()) = user.presses.recv() => {
                if std::mem::replace(&mut is_interrupted, true) {
                    return Ok(After::Quit);
                }
                screen.line("(interrupting; press Ctrl-C again to exit)");
                open = None;
                let handle = session.handle();
                tokio::spawn(async move { handle.interrupt().await });
            }
            line = user.lines.recv(), if open.is_some() => {
                if let Some((dialog, answer)) = open.take() {
                    screen.is_mid_line = false;
                    match dialog.take(line.as_deref(), remembered) {
                        Step::Decided(decision) => drop(answer.send(decision)),
                        Step::Again(dialog) => {
                            show(screen, &dialog);
                            open = Some((dialog, answer));
                        }
                    }
                }
            }
            next = session.next() => match next {
                Ok(Some(message)) => {
                    screen.show(&message);
                    let problem = over_budget(budget.guard(&session.handle(), &message).await)?;
                    // Reported once in a turn, which is interrupted.
                    if let Some(problem) = problem.filter(|_| !std::mem::replace(&mut is_cost_reported, true)) {
                        screen.line(&problem);
                    }
                }
                Ok(None) => return Ok(if is_interrupted { After::Interrupted } else { After::GoOn }),
                Err(error @ Error::Turn(_)) => {
                    screen.fold.fail(&error);
                    // A model without a price was reported above.
                    let _ = budget.fail(&error);
                    screen.line(&format!("({error})"));
                }
                Err(error) => return Err(error.into()),
            },
            // After the messages that came before it, so that the user sees first why it is asked.
            Some((ask, answer)) = user.questions.recv(), if open.is_none() => {
                user.forget_lines();
                let dialog = Dialog::new(ask, &screen.fold);
                show(screen, &dialog);
                open = Some((dialog, answer));
            }
            _ = ticks.tick() => if open.is_none() { screen.progress() },
        }
    }
}

/// Returns why a turn is interrupted for its cost, if it is.
fn over_budget(spending: Result<Spending, Error>) -> Result<Option<String>, Error> {
    match spending {
        Ok(Spending::Over(over)) => Ok(Some(format!("(over the budget by ${over:.4})"))),
        Ok(_) => Ok(None),
        Err(error @ Error::UnpricedModel(_)) => Ok(Some(format!("({error})"))),
        Err(error) => Err(error),
    }
}

/// Shows the prompt of a dialog. The user types behind its last line.
fn show(screen: &mut Screen, dialog: &Dialog) {
    let mut lines = dialog.prompt();
    let last = lines.pop().unwrap_or_default();
    lines.iter().for_each(|line| screen.line(line));
    screen.put(&last);
}
