// Has all that a server may offer, with the npm package @modelcontextprotocol/client:
// node offers_client.mjs legacy|auto|REVISION COMMAND [ARGUMENT...]
import { connectClient } from "./connect.mjs";
import { WATCHED, answers, capabilities, collector, report } from "./offers.mjs";

const [wanted, command, ...args] = process.argv.slice(2);
const { note, changes } = collector();
const connected = await connectClient(wanted, command, args, { capabilities }, (client) => {
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(method, answer);
  }
  client.setNotificationHandler("notifications/resources/updated", note("resource"));
  client.setNotificationHandler("notifications/tools/list_changed", note("tools"));
});
const { client, revision } = connected;
const listen = () =>
  revision < "2026-07-28"
    ? client.subscribeResource({ uri: WATCHED }).then(() => undefined)
    : client.listen({ toolsListChanged: true, resourceSubscriptions: [WATCHED] });
await report(connected, listen, changes);
