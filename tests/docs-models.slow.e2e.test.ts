// docs/first-model.md and the commands of docs/guides/local-models.md: the services get the settings that each command sets, and
// reach a server with OpenAI's protocol at the path, and with the headers, that the command names.
import { planText } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import { blocksRunBy, placeOf } from "./support/documents/block-runners.ts";
import { commandPlace } from "./support/documents/command-place.ts";
import { commandsOf, settingsOf } from "./support/documents/shell-settings.ts";
import { sharedSystem } from "./support/shared-system.ts";

const ROLES = ["planner", "executor", "reflector"] as const;
const NEEDS_APPROVAL = 7;
/** Programs of others, which serve models. */
const SERVERS = /^(?:ollama|vllm|llama-server) /;

const shared = sharedSystem();
const place = await commandPlace();
afterAll(() => place[Symbol.asyncDispose]());
const commands = blocksRunBy("tests/docs-models.slow.e2e.test.ts").flatMap((block) =>
  commandsOf(block.code.replaceAll("=… ", "=sk-test ")).map((line) => ({
    place: placeOf(block),
    file: block.file,
    line,
    ...settingsOf(line),
  })),
);
const starts = commands.filter(({ command }) => command.startsWith("npm start"));
const env = () => ({ PLANWRIGHT_URL: shared.system.url, NO_COLOR: "1" });

const Workers = z.object({ workers: z.array(z.unknown()) });
const Body = z.looseObject({ model: z.string() });
type Request = { readonly url: string; readonly headers: IncomingMessage["headers"]; readonly model: string };

/** Passes requests on to the scripted model, and keeps what they were sent with. Takes the place of every server of the pages. */
async function startProvider(modelUrl: () => string) {
  const requests: Request[] = [];
  const http = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      requests.push({
        url: request.url ?? "",
        headers: request.headers,
        model: Body.parse(JSON.parse(body)).model,
      });
      const reply = await fetch(`${modelUrl()}/chat/completions`, { method: "POST", body });
      response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await reply.arrayBuffer()));
    })();
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = z.object({ port: z.int() }).parse(http.address());
  return {
    requests,
    /** The same address on this server. */
    url: (at: string) =>
      Object.assign(new URL(at), { protocol: "http:", host: `127.0.0.1:${address.port}` }).href,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

const provider = await startProvider(() => shared.model.url);
afterAll(() => provider[Symbol.asyncDispose]());

/** Gives the settings of a command to the services. */
async function startWith({
  OPENAI_BASE_URL: at = "https://api.openai.com/v1",
  ...settings
}: Record<string, string>) {
  const given = { ...settings, OPENAI_BASE_URL: provider.url(at) };
  // What a shared system is started with, and a user's environment does not have.
  const models = Object.fromEntries(ROLES.map((role) => [`${role.toUpperCase()}_MODEL`, ""]));
  await Promise.all(
    ([...ROLES, "gateway"] as const).map((name) => shared.system.reconfigure(name, { ...models, ...given })),
  );
  // An executor that has just started has not been announced yet.
  const workers = async () =>
    Workers.parse(await (await shared.system.client.fetch("/v1/workers")).json()).workers;
  await expect.poll(workers).not.toEqual([]);
  provider.requests.length = 0;
  return given;
}

it("starts Planwright, or a server of models, with every command that sets something", () => {
  const others = commands.filter(({ command, line }) => command !== line && !command.startsWith("npm start"));
  expect(others).toEqual([]);
  const unknown = commands.filter(
    ({ command }) => !SERVERS.test(command) && !/^(?:npm start|npx planwright)\b/.test(command),
  );
  expect(unknown).toEqual([]);
  expect(starts.length).toBe(9);
});

describe.each(starts)("$place: $line", ({ env: settings }) => {
  it("reaches each role's model, as doctor shows", async () => {
    shared.model.play({ check: '{"ok": true}' });
    const given = await startWith(settings);
    const { code, out } = await runCli(["doctor"], { env: env() });
    expect({ code, out }).toEqual({ code: 0, out });
    for (const role of ROLES) expect(out).toMatch(new RegExp(`^✓ ${role} model: .* responds`, "m"));

    const { pathname, search } = new URL(given.OPENAI_BASE_URL);
    const models = ROLES.flatMap((role) => settings[`${role.toUpperCase()}_MODEL`] ?? []);
    const others = provider.requests.map(({ model }) => model).filter((model) => !models.includes(model));
    // Without a name, each role's model is one of OpenAI's.
    expect(others.filter((model) => models.length > 0 || !model.startsWith("gpt-"))).toEqual([]);
    expect(provider.requests.length).toBeGreaterThanOrEqual(ROLES.length);
    for (const { url, headers } of provider.requests) {
      expect(url).toBe(`${pathname}/chat/completions${search}`);
      expect(headers).toMatchObject(headersOf(settings));
    }
  });
});

it("shows the first plan of a model before it runs, and runs it once it is approved", async () => {
  const prices = (vendor: string) => ({
    id: vendor.toLowerCase(),
    tool: "docs.search",
    args: { query: `vendor ${vendor} pricing` },
  });
  const args = { prompt: "Recommend one of {{a.output}} and {{b.output}}." };
  const steps = [prices("A"), prices("B"), { id: "advice", tool: "model.write", args }];
  shared.model.play({
    check: '{"ok": true}',
    plan: planText({ steps, answerFrom: "advice" }),
    write: "Vendor A.",
  });
  const [first, ...rest] = commands.filter(({ file }) => file === "docs/first-model.md");
  await startWith(first?.env ?? {});
  const ours = rest.filter(({ command }) => command.startsWith("npx planwright"));
  expect(ours).toHaveLength(2);
  let planId = "";
  for (const { command } of ours) {
    const { code, printed } = await place.run(command, env());
    const isReview = command.includes("--approve-plan");
    expect({ printed, code }).toEqual({ printed, code: isReview ? NEEDS_APPROVAL : 0 });
    if (!isReview) continue;
    expect(printed).toContain("May this plan of 3 steps run?");
    [, planId = ""] = /npx planwright approve (\S+)/.exec(printed) ?? [];
  }
  await place.run(`npx planwright approve ${planId}`, env());
  const { code, printed } = await place.run(`npx planwright watch ${planId}`, env());
  expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining("Vendor A.") });
});

/** What a server is sent because of the settings of a command. */
function headersOf({
  OPENAI_API_KEY: key,
  OPENAI_KEY_HEADER: name,
  OPENAI_HEADERS: more = "",
}: Record<string, string>): Record<string, string | undefined> {
  const pairs = more.split(",").map((pair) => pair.split("="));
  const others = pairs.map(([header = "", value = ""]) => [header.toLowerCase(), value] as const);
  return {
    ...Object.fromEntries(others.filter(([header]) => header !== "")),
    ...(key === undefined ? {} : name === undefined ? { authorization: `Bearer ${key}` } : { [name]: key }),
  };
}
