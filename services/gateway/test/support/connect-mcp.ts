/** An MCP client of a gateway. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";

export type TestMcpClient = AsyncDisposable & {
  tools(): Promise<string[]>;
  /** Calls a tool. @throws {Error} With the refusal's text. */
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
};

export async function connectMcp(url: string, key: string): Promise<TestMcpClient> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      const [first] = content;
      if (isError === true) throw new Error(first?.type === "text" ? first.text : "refused");
      return z.record(z.string(), z.unknown()).parse(structuredContent);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
