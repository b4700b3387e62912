// The client of @modelcontextprotocol/client: node client.mjs ONE_AT_A_TIME IN_FLIGHT SERVER..
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [one, flight, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "0" });
await client.connect(new StdioClientTransport({ command, args }));

// Makes the calls with this many in flight, and returns the mean nanoseconds of a call.
async function many(calls, window) {
  const start = process.hrtime.bigint();
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      const id = next++;
      const [a, b] = [id * 7 + 1, ((id * 13) % 1009) - 500];
      const result = await client.callTool({ name: "add", arguments: { a, b } });
      if (result.content[0].text !== String(a + b)) throw new Error(`wrong reply to ${id}: ${JSON.stringify(result)}`);
    }
  };
  await Promise.all(Array.from({ length: window }, worker));
  return Number(process.hrtime.bigint() - start) / calls;
}

await many(300, 1);
console.log(`${await many(Number(one), 1)} ${await many(Number(flight), 64)}`);
await client.close();
