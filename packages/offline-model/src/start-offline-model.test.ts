import { expect, it } from "vitest";
import { startOfflineModel } from "./start-offline-model.ts";
import { block, OFFERED_TOOLS } from "./testing/run-goal.ts";

function ask(url: string, schema: string | null, content: string, stream = false) {
  const format = { type: "json_schema", json_schema: { name: schema, schema: {} } };
  const body = {
    model: "gpt-any",
    stream,
    messages: [{ role: "user", content }],
    ...(schema === null ? {} : { response_format: format }),
  };
  return fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

it("identifies itself in its list of models and in replies", async () => {
  await using model = await startOfflineModel();
  const list: unknown = await (await fetch(`${model.url}/models`)).json();
  expect(list).toMatchObject({
    data: [{ id: "planwright-offline", description: "demo model: rules, not a language model" }],
  });
  expect(await (await ask(model.url, null, block("task", "Write a song"))).json()).toMatchObject({
    model: "planwright-offline",
  });
});

it("streams a plan with one event for each step", async () => {
  await using model = await startOfflineModel();
  const prompt = [block("goal", "What is 2 + 3? What is 4 * 5?"), block("tools", OFFERED_TOOLS)].join("\n");
  const events = (await (await ask(model.url, "plan", prompt, true)).text()).split("\n\n");
  const steps = events.filter((event) => event.includes('\\"tool\\":\\"math.evaluate\\"'));
  expect(steps).toHaveLength(2);
});

it("refuses a schema without a rule", async () => {
  await using model = await startOfflineModel();
  expect(await (await ask(model.url, "horoscope", "x")).json()).toMatchObject({
    choices: [{ message: { content: null, refusal: expect.stringContaining("horoscope") } }],
  });
});

it.each(["plan", "judgement", null])("answers a prompt without any blocks as %j", async (schema) => {
  await using model = await startOfflineModel();
  for (const prompt of [
    "",
    "no blocks",
    "<goal>\nx\n",
    block("results", "{not json"),
    block("tools", [{ name: 1 }]),
  ]) {
    expect((await ask(model.url, schema, prompt)).status).toBe(200);
  }
});
