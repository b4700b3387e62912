// Uses every feature of a server besides tools, with the npm package @modelcontextprotocol/client:
// node features_client.mjs legacy|auto|REVISION COMMAND [ARGUMENT...]
import { connectClient } from "./connect.mjs";
import { WATCHED, answers, capabilities, collector, printReport } from "./features.mjs";

const [wanted, command, ...args] = process.argv.slice(2);
const { add, changes } = collector();
const connected = await connectClient(wanted, command, args, { capabilities }, (client) => {
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(method, answer);
  }
  client.setNotificationHandler("notifications/resources/updated", add("resource"));
  client.setNotificationHandler("notifications/tools/list_changed", add("tools"));
});
const { client, revision } = connected;
const listen = () =>
  revision < "2026-07-28"
    ? client.subscribeResource({ uri: WATCHED }).then(() => undefined)
    : client.listen({ toolsListChanged: true, resourceSubscriptions: [WATCHED] });
await printReport(connected, listen, changes);
