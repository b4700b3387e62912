// Calls the calculator with the npm package @modelcontextprotocol/sdk: node calculator_sdk.mjs COMMAND [ARGUMENT...]
import { connectSdk } from "./connect.mjs";
import { printReport } from "./calculator.mjs";

const [command, ...args] = process.argv.slice(2);
await printReport(await connectSdk(command, args));
