// Drives a calculator with the npm package @modelcontextprotocol/client:
// node client.mjs legacy|auto|REVISION COMMAND [ARGUMENT...]
import { connectClient } from "./connect.mjs";
import { report } from "./visit.mjs";

const [wanted, command, ...args] = process.argv.slice(2);
await report(await connectClient(wanted, command, args));
