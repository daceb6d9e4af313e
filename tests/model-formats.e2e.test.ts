// Model servers that take no form of structured output, in the whole system: the plan is drafted, run and answered all the
// same. Each is met by services that have just been started, because what a server takes is remembered.
import { judgementText, planText } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem();

const Body = z.looseObject({
  response_format: z.looseObject({ type: z.string() }).optional(),
  messages: z.array(z.object({ content: z.string() })).default([]),
});

/** Refuses every request with a format by `refuse`, and answers any other with a plan or a judgement; notes the formats. */
async function startServer(refuse: (response: ServerResponse) => void, plan: string) {
  const formats: string[] = [];
  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const { response_format: format, messages } = Body.parse(
        JSON.parse(Buffer.concat(chunks).toString() || "{}"),
      );
      formats.push(format?.type ?? "prompt");
      if (format !== undefined) {
        refuse(response);
        return;
      }
      const isPlan = messages[0]?.content.includes('"answerFrom"') === true;
      const message = { role: "assistant", content: isPlan ? plan : JUDGEMENT };
      const body = { id: "c", model: "m", choices: [{ message, finish_reason: "stop" }] };
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    })();
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    formats,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

const says = (status: number) => (response: ServerResponse) =>
  void response
    .writeHead(status, { "content-type": "application/json", "retry-after-ms": "1" })
    .end(JSON.stringify({ error: { message: "out of order" } }));

const STEP = { id: "s1", tool: "math.evaluate", args: { expression: "2 + 2" } };
const JUDGEMENT = judgementText({ text: "It is 4.", sources: ["s1"] });
const PLAN = planText({ steps: [STEP], answerFrom: "s1" });
const LIST = '1. Add up (tool: math.evaluate, expression: "2 + 2")';

it.each([
  ["refuses response_format", says(400), PLAN],
  ["answers 500 whenever there is one", says(500), PLAN],
  ["refuses it, and writes a numbered list instead of JSON,", says(400), LIST],
])("a server that %s is sent the prompt alone from then on, and plans", async (_, refuse, plan) => {
  await using server = await startServer(refuse, plan);
  const { system } = shared;
  const asks = ["planner", "reflector"] as const;
  await Promise.all(asks.map((name) => system.reconfigure(name, { OPENAI_BASE_URL: server.url })));
  const run = async () => {
    const { planId } = await system.client.submit({ goal: "what is 2 + 2?", strategy: "parallel" });
    return system.client.ended(planId);
  };
  const view = await run();
  expect(view.status).toBe("succeeded");
  expect(view.steps).toMatchObject([{ tool: "math.evaluate", status: "succeeded" }]);
  expect(new Set(server.formats)).toEqual(new Set(["json_schema", "json_object", "prompt"]));
  expect(server.formats.length).toBeLessThanOrEqual(8);
  server.formats.length = 0;
  expect((await run()).status).toBe("succeeded");
  expect(new Set(server.formats)).toEqual(new Set(["prompt"]));
});
