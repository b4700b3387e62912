// Requests to the program that serves this page.

import { parse } from "./json.js";

const KEY = "inspector-token";

// The token is in the fragment of the first address. It is removed, so that it is not in the history or in a copied address.
// A fragment that begins with `/` is what is selected.
const given = location.hash.slice(1);
if (given && !given.startsWith("/")) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, "", location.pathname);
}
const headers = { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, "content-type": "application/json" };

async function send(path, body, signal) {
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(await response.text() || `HTTP status ${response.status}`);
  return response;
}

/** Calls a function of the program. Throws the error that it returns. */
export async function request(name, body = {}) {
  const answer = parse(await (await send(`/api/${name}`, body)).text());
  if (answer !== null && typeof answer === "object" && "error" in answer) throw new Error(answer.error);
  return answer;
}

/** Calls a tool. `progress` gets each progress message. The result is the last line; aborting the signal cancels the call. */
export async function callTool(tool, args, signal, progress) {
  const response = await send("/api/call", { tool, arguments: args }, signal);
  let last = { error: "the connection to the inspector was lost" };
  for await (const line of lines(response.body)) {
    const message = parse(line);
    if (message.progress) progress(message.progress);
    else last = message;
  }
  return last;
}

/** Receives events for ever: `handlers.entries` gets parts of the journal, `handlers.questions` all open questions. */
export async function follow(handlers) {
  let after = 0;
  for (;;) {
    try {
      const response = await fetch(`/api/events?after=${after}`, { headers });
      if (response.status === 401) return handlers.refused(await response.text());
      handlers.online(true);
      let event = "";
      for await (const line of lines(response.body)) {
        if (line.startsWith("event: ")) event = line.slice(7);
        if (!line.startsWith("data: ")) continue;
        const data = parse(line.slice(6));
        if (event === "entries" && data.length) after = data.at(-1).seq;
        handlers[event]?.(data);
      }
    } catch {
      // The program has ended, or is busy. The next attempt decides.
    }
    handlers.online(false);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parts = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const pieces = value.split("\n");
    while (pieces.length > 1) {
      parts.push(pieces.shift());
      yield parts.splice(0).join("");
    }
    parts.push(pieces[0]);
  }
  if (parts.join("")) yield parts.join("");
}
