import { expect, it } from "vitest";
import { judgementText, planPieces, planText } from "./scripted-plan.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

const plan = {
  steps: [
    { id: "s1", tool: "flow.echo", args: { value: 1 } },
    { id: "s2", tool: "flow.echo" },
  ],
};

const schema = { type: "object", properties: {}, required: [], additionalProperties: false };

function ask(url: string, role: string, { goal = "g", stream = false, schema: wanted = schema } = {}) {
  const format = { type: "json_schema", json_schema: { name: role, schema: wanted } };
  const body = JSON.stringify({
    model: "m",
    stream,
    messages: [{ role: "user", content: `<goal>\n${goal}\n</goal>` }],
    ...(role === "write" ? {} : { response_format: format }),
  });
  return fetch(`${url}/chat/completions`, { method: "POST", body });
}

it("answers each role from its own script, in order, repeating the last reply", async () => {
  await using model = await startScriptedModel({
    plan: ["one", "two"],
    write: ({ blocks, number }) => `${blocks.get("goal")} ${number}`,
  });
  const texts: string[] = [];
  for (const role of ["plan", "write", "plan", "plan"]) texts.push(await (await ask(model.url, role)).text());
  const wanted = ["one", "g 1", "two", "two"];
  for (const [index, text] of texts.entries()) expect(text).toContain(`"content":"${wanted[index]}"`);
  expect(model.count("plan")).toBe(3);
  expect(model.calls("write")).toHaveLength(1);
});

it("rejects a role that is not in the script, whatever its name", async () => {
  await using model = await startScriptedModel({ plan: "x" });
  for (const role of ["judgement", "constructor"]) {
    const response = await ask(model.url, role);
    expect(response.status).toBe(410);
    expect(await response.text()).toContain(`no reply for role ${role}`);
  }
});

it("withholds a step of a streamed plan until the test releases it", async () => {
  await using model = await startScriptedModel({
    plan: (call) => planPieces(plan, (id) => (id === "s2" ? call.hold("second") : undefined)),
  });
  const response = await ask(model.url, "plan", { stream: true });
  let body = "";
  const decoder = new TextDecoder();
  await model.reached("second");
  for await (const bytes of response.body ?? []) {
    body += decoder.decode(bytes, { stream: true });
    if (body.includes('\\"id\\":\\"s1\\"')) {
      if (model.count("plan") === 1 && !body.includes('\\"id\\":\\"s2\\"')) model.release("second");
    }
  }
  expect(body).toContain('\\"id\\":\\"s2\\"');
  expect(body).toContain("[DONE]");
});

it("writes plans and reviews in the models' format", () => {
  expect(JSON.parse(planText(plan))).toMatchObject({
    reasoning: "scripted",
    steps: [
      { id: "s1", args: { value: 1 }, dependsOn: [], successCriteria: null, expectedOutput: null },
      { id: "s2", tool: "flow.echo" },
    ],
    answerFrom: null,
  });
  expect(JSON.parse(judgementText({ text: "t", data: [1], sources: ["s1"] }))).toEqual({
    decision: "answer",
    reason: null,
    status: "success",
    text: "t",
    dataJson: "[1]",
    sources: ["s1"],
  });
});

it("plays another script as a new server would", async () => {
  await using model = await startScriptedModel({ plan: ["one", "two"] });
  await (await ask(model.url, "plan")).text();
  model.release("gate");
  model.play({
    plan: "three",
    write: async (call) => {
      await call.hold("gate");
      return `open ${call.number}`;
    },
  });
  expect([model.count("plan"), model.calls("plan")]).toEqual([0, []]);
  expect(await (await ask(model.url, "plan")).text()).toContain("three");
  expect([model.count("plan"), model.calls("plan").length]).toEqual([1, 1]);
  const writing = ask(model.url, "write");
  await model.reached("gate");
  model.release("gate");
  expect(await (await writing).text()).toContain("open 1");
});

it("fails a test whose system sent a schema that model servers reject", async () => {
  const model = await startScriptedModel({ plan: "x" });
  const properties = { $ref: { type: "string" } };
  await ask(model.url, "plan", { schema: { ...schema, properties } });
  await expect(model[Symbol.asyncDispose]()).rejects.toThrow("model servers would refuse schemas");
});
