// The requests that both npm clients make to the `everything` example, and their results.
import { installed } from "./calculator.mjs";

export const WATCHED = "test://watched-resource";

// The capabilities of the client, and its responses to requests of the server.
export const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
export const answers = {
  "elicitation/create": () => ({ action: "accept", content: { username: "ada", email: "ada@example.com" } }),
  "sampling/createMessage": () => ({
    role: "assistant",
    model: "none",
    content: { type: "text", text: "from the client's model" },
  }),
  "roots/list": () => ({ roots: [{ uri: "file:///home/ada", name: "home" }] }),
};

// `listen` opens a subscription stream, or subscribes; `changes` returns the notifications that it leads to.
export async function printReport({ client, revision, package: name }, listen, changes) {
  const text = async (tool, args, options) => (await client.callTool({ name: tool, arguments: args }, ...options)).content[0].text;
  const progress = [];
  const watch = { onprogress: ({ progress: done, total }) => progress.push([done, total]) };
  // Version 1 of the SDK has another parameter before the options: the schema of the result.
  const watching = name.endsWith("/sdk") ? [undefined, watch] : [watch];
  const report = {
    client: installed(name),
    revision,
    resources: (await client.listResources()).resources.map((one) => one.uri),
    templates: (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate),
    read: (await client.readResource({ uri: "test://template/7/data" })).contents[0].text,
    prompts: (await client.listPrompts()).prompts.map((one) => one.name),
    prompt: (await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "one", arg2: "two" } })).messages[0]
      .content.text,
    completion: (
      await client.complete({
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "par" },
      })
    ).completion.values,
    elicited: await text("test_elicitation", { message: "Who are you?" }, []),
    sampled: await text("test_sampling", { prompt: "Say something." }, []),
    progressed: await text("test_tool_with_progress", {}, watching),
    progress,
  };
  const stream = await listen();
  await text("touch_watched_resource", {}, []);
  await text("test_trigger_tool_change", {}, []);
  report.changes = await changes(2);
  await stream?.close();
  await client.close();
  console.log(JSON.stringify(report));
}

// Collects notifications until there are enough.
export function collector() {
  const received = [];
  let wake = () => {};
  const add = (method) => () => {
    received.push(method);
    wake();
  };
  const changes = async (count) => {
    while (received.length < count) {
      await new Promise((resolve) => (wake = resolve));
    }
    return received;
  };
  return { add, changes };
}
