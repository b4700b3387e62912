// Calls the calculator with the npm package @modelcontextprotocol/client:
// node calculator_client.mjs legacy|auto|REVISION COMMAND [ARGUMENT...]
import { connectClient } from "./connect.mjs";
import { printReport } from "./calculator.mjs";

const [wanted, command, ...args] = process.argv.slice(2);
await printReport(await connectClient(wanted, command, args));
