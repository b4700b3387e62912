// The steps that both npm clients take on the server that has one of everything, and what they saw of it.
import { installed } from "./visit.mjs";

export const WATCHED = "test://watched-resource";

// What the client can be asked, and what it then answers.
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

// `listen` opens a stream of changes, or subscribes; `changes` are the notifications that came of it.
export async function report({ client, revision, package: name }, listen, changes) {
  const text = async (tool, args, options) => (await client.callTool({ name: tool, arguments: args }, ...options)).content[0].text;
  const progress = [];
  const watch = { onprogress: ({ progress: done, total }) => progress.push([done, total]) };
  // The first generation has the schema of the result between the two.
  const watching = name.endsWith("/sdk") ? [undefined, watch] : [watch];
  const seen = {
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
  seen.changes = await changes(2);
  await stream?.close();
  await client.close();
  console.log(JSON.stringify(seen));
}

// Collects notifications until there are enough.
export function collector() {
  const came = [];
  let wake = () => {};
  const note = (method) => () => {
    came.push(method);
    wake();
  };
  const changes = async (count) => {
    while (came.length < count) {
      await new Promise((resolve) => (wake = resolve));
    }
    return came;
  };
  return { note, changes };
}
