// Drives a calculator with the npm package @modelcontextprotocol/sdk: node sdk.mjs COMMAND [ARGUMENT...]
import { connectSdk } from "./connect.mjs";
import { report } from "./visit.mjs";

const [command, ...args] = process.argv.slice(2);
await report(await connectSdk(command, args));
