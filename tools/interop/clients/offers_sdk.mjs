// Has all that a server may offer, with the npm package @modelcontextprotocol/sdk: node offers_sdk.mjs COMMAND [ARGUMENT...]
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connectSdk } from "./connect.mjs";
import { WATCHED, answers, capabilities, collector, report } from "./offers.mjs";

const [command, ...args] = process.argv.slice(2);
const { note, changes } = collector();
const connected = await connectSdk(command, args, { capabilities }, (client) => {
  for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema]) {
    client.setRequestHandler(schema, (request) => answers[request.method]());
  }
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, note("resource"));
  client.setNotificationHandler(ToolListChangedNotificationSchema, note("tools"));
});
await report(connected, () => connected.client.subscribeResource({ uri: WATCHED }).then(() => undefined), changes);
