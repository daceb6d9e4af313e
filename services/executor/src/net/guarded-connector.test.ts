// The connector alone, with a different definition of public: the only way to see it let something through.
import { Agent, request } from "undici";
import { afterEach, expect, it } from "vitest";
import { type HttpServer, reply, startHttpServer } from "../testing/http-server.ts";
import { guardedConnector, type Resolve } from "./guarded-connector.ts";

const here: Resolve = (_name, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function get(host: string, isPublic: (address: string) => boolean): Promise<string> {
  server = await startHttpServer({ "/": reply("hello") });
  const agent = new Agent({ connect: guardedConnector({ resolve: here, timeoutMs: 5_000, isPublic }) });
  const port = server.host.split(":")[1];
  const { body } = await request(`http://${host}:${port}/`, { dispatcher: agent });
  return body.text();
}

it.each(["a-name.example", "127.0.0.1"])("connects to %s when its address is public", async (host) => {
  await expect(get(host, () => true)).resolves.toBe("hello");
});

it("checks each address that it would use, and the one that it used", async () => {
  const seen: string[] = [];
  await get("a-name.example", (address) => seen.push(address) > 0);
  expect(seen).toEqual(["127.0.0.1", "127.0.0.1"]);
});

it("closes a connection to an address other than the resolved one before sending anything", async () => {
  let questions = 0;
  const refused = get("a-name.example", () => {
    questions += 1;
    return questions === 1;
  });
  await expect(refused).rejects.toThrow(/a-name\.example resolves to an address that is not public/);
  expect(server?.asked).toEqual([]);
});
