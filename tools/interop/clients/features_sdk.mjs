// Uses every feature of a server besides tools, with the npm package @modelcontextprotocol/sdk: node features_sdk.mjs COMMAND [ARGUMENT...]
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connectSdk } from "./connect.mjs";
import { WATCHED, answers, capabilities, collector, printReport } from "./features.mjs";

const [command, ...args] = process.argv.slice(2);
const { add, changes } = collector();
const connected = await connectSdk(command, args, { capabilities }, (client) => {
  for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema]) {
    client.setRequestHandler(schema, (request) => answers[request.method]());
  }
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, add("resource"));
  client.setNotificationHandler(ToolListChangedNotificationSchema, add("tools"));
});
await printReport(connected, () => connected.client.subscribeResource({ uri: WATCHED }).then(() => undefined), changes);
