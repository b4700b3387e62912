// Lists the tools of a server and makes the calls of a file, each as [name, arguments]:
// node sample_calls.mjs sdk|legacy|auto|REVISION FILE COMMAND [ARGUMENT...]
import { readFileSync } from "node:fs";

import { connectClient, connectSdk } from "./connect.mjs";
import { call, installed } from "./calculator.mjs";

const [wanted, file, command, ...args] = process.argv.slice(2);
const connected = await (wanted === "sdk" ? connectSdk(command, args) : connectClient(wanted, command, args));
const { client, revision, package: name } = connected;
const { tools } = await client.listTools();
const results = [];
for (const [tool, args] of JSON.parse(readFileSync(file))) {
  results.push(await call(client, tool, args));
}
await client.close();
console.log(JSON.stringify({ client: installed(name), revision, tools, results }));
