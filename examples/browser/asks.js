// The questions that wait for an answer, as forms: permission, a plan, the questions of the model.

import { element, render } from "./markdown.js";
import { box, inputBox, titleOf, visible } from "./items.js";

function button(text, kind, click) {
  const node = element("button", text);
  node.type = "button";
  node.className = kind;
  node.addEventListener("click", click);
  return node;
}

function field(placeholder) {
  const node = document.createElement("input");
  node.type = "text";
  node.placeholder = placeholder;
  node.setAttribute("aria-label", placeholder);
  return node;
}

// Returns the form of a question. `plan` is the plan to approve, if there is one; `answer` sends the answer.
export function askForm(ask, plan, answer) {
  const form = element("form");
  form.className = "ask";
  [form.dataset.id, form.dataset.use] = [ask.id, ask.tool_use_id ?? ""];
  const send = value => {
    for (const node of form.elements) node.disabled = true;
    answer(ask.id, value).catch(() => { for (const node of form.elements) node.disabled = false; });
  };
  const isQuestion = ask.tool_name === "AskUserQuestion" && Array.isArray(ask.input?.questions);
  if (isQuestion) questions(form, ask.input.questions, send);
  else if (ask.tool_name === "ExitPlanMode") planned(form, plan, send);
  else permission(form, ask, send);
  form.addEventListener("submit", event => event.preventDefault());
  return form;
}

function permission(form, ask, send) {
  const reason = field("Reason (the agent reads it)");
  const deny = () => send({ decision: "deny", reason: reason.value });
  reason.addEventListener("keydown", event => { if (event.key === "Enter") deny(); });
  const why = typeof ask.decision_reason === "string" ? [element("p", visible(ask.decision_reason))] : [];
  // All of it: what is not seen is allowed too.
  const preview = box("preview", inputBox(ask.tool_name, ask.input, Infinity));
  const lines = preview.textContent.trimEnd().split("\n").length;
  form.append(
    element("h3", "Allow ", element("b", titleOf(ask.tool_name)), "?"),
    ...why,
    preview,
    lines > 8 ? element("p", `${lines} lines: scroll to read all of them.`) : "",
    box("buttons",
      button("Allow once", "primary", () => send({ decision: "allow" })),
      button(["Edit", "Write"].includes(ask.tool_name) ? "Always this file" : "Always, exactly this", "", () => send({ decision: "always" })),
      reason,
      button("Deny", "danger", deny)));
}

function planned(form, text, send) {
  const change = field("What to change?");
  const keep = () => send({ decision: "deny", reason: `The user wants another plan: ${change.value || "ask what to change"}` });
  change.addEventListener("keydown", event => { if (event.key === "Enter") keep(); });
  form.append(
    element("h3", "Follow this plan?"),
    box("preview text", render(text || "The agent has shown its plan above.")),
    box("buttons",
      button("Follow the plan", "primary", () => send({ decision: "allow" })),
      change,
      button("Keep planning", "danger", keep)));
}

function questions(form, list, send) {
  const readers = list.map((question, index) => {
    const kind = question.multiSelect ? "checkbox" : "radio", own = field("Your own answer");
    const choices = (question.options ?? []).map(option => {
      const input = document.createElement("input");
      [input.type, input.name, input.value] = [kind, `question-${index}`, option.label];
      if (kind === "radio") input.addEventListener("change", () => { own.value = ""; });
      const text = element("span", element("b", visible(option.label)));
      if (option.description) text.append(element("small", visible(option.description)));
      return element("label", input, text);
    });
    form.append(element("fieldset", element("legend", visible(question.question)), ...choices, own));
    own.addEventListener("input", () => {
      if (kind === "radio") for (const choice of choices) choice.firstChild.checked = false;
    });
    return () => {
      const chosen = choices.map(choice => choice.firstChild).filter(input => input.checked).map(input => input.value);
      return [question.question, [...chosen, own.value.trim()].filter(Boolean).join(", ")];
    };
  });
  const problem = element("p");
  problem.className = "problem";
  const submit = () => {
    const answers = readers.map(read => read());
    const open = answers.find(([, answer]) => !answer);
    if (open) problem.textContent = `Choose an answer: ${open[0]}`;
    else send({ decision: "allow", answers: Object.fromEntries(answers) });
  };
  form.append(problem, box("buttons",
    button("Answer", "primary", submit),
    button("Skip", "danger", () => send({ decision: "deny", reason: "the user does not want to answer" }))));
  form.addEventListener("submit", submit);
}
