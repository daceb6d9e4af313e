// From a program that a model writes to the steps of the plan.
import { ToolSpec } from "@planwright/plan";
import type { ModelReply, ModelRequest } from "@planwright/shared/model";
import type { DataSource } from "@planwright/shared/tools";
import { describe, expect, it } from "vitest";
import type { DraftRequest } from "./draft-request.ts";
import type { PlannedStep } from "./draft-builder.ts";
import { writeDraft } from "./write-draft.ts";

const tool = (name: string, more: object) =>
  ToolSpec.parse({ name, description: name, input: {}, output: {}, timeoutMs: 1, ...more });
const dryrun = tool("data.dryrun", { risk: "low", effect: "read" });
const apply = tool("data.apply", { risk: "high", effect: "once" });
const column = { name: "price", type: "real", samples: [60] };
const store: DataSource = {
  name: "store",
  kind: "sqlite",
  files: [],
  writable: true,
  rules: { inventory: { insert: false, update: true, delete: true } },
  tables: [{ name: "inventory", rows: 6, columns: [column] }],
};
const sales: DataSource = { ...store, name: "sales", writable: false };
const request: DraftRequest = {
  goal: "Buy 3 Classic",
  constraints: [],
  strategy: "code",
  tools: new Map([dryrun, apply].map((spec) => [spec.name, spec])),
  sources: [store],
  draft: 1,
  earlier: [],
  issues: [],
};
const PROGRAM = `answer_text = "Done."; STATUS = "success";`;

async function draftOf(
  text: string,
  more: Partial<DraftRequest> = {},
  finishReason: ModelReply["finishReason"] = "stop",
) {
  const asked: ModelRequest[] = [];
  const planned: PlannedStep[] = [];
  const usage = { inputTokens: 1, outputTokens: 2, estimated: false, costUsd: 0 };
  const reply = { text, finishReason, requestModel: "m", responseModel: "m", responseId: "r", usage };
  const { draft, held } = await writeDraft(
    { ...request, ...more },
    {
      model: { complete: async (one) => (asked.push(one), reply) },
      trace: { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false },
      signal: new AbortController().signal,
      onSteps: async (some) => void planned.push(...some),
    },
  );
  return {
    draft,
    planned: [...planned, ...held],
    asked,
    prompt: asked.flatMap(({ messages }) => messages.map(({ content }) => content)).join("\n"),
  };
}

describe("the strategy `code`", () => {
  it("plans the dry run of the program and the application of its changes", async () => {
    const { draft, planned, asked, prompt } = await draftOf(
      `<execute_javascript>\n${PROGRAM}\n</execute_javascript>`,
    );
    expect(draft).toMatchObject({ status: "complete", answerFrom: "apply", added: ["dryrun", "apply"] });
    expect(planned.map(({ step, grant }) => [step.tool, grant.risk, step.when])).toEqual([
      ["data.dryrun", "low", undefined],
      ["data.apply", "high", "dryrun.output.changed"],
    ]);
    expect(planned[0]?.step.args).toEqual({
      source: "store",
      language: "javascript",
      code: PROGRAM,
      request: "Buy 3 Classic",
    });
    expect(asked[0]).not.toHaveProperty("outputSchema");
    expect(prompt).toContain('{"source":"store","kind":"sqlite","tables":[{"name":"inventory","rows":6');
    expect(prompt).toContain('<rules>\n[\n{"inventory":{"insert":false');
    expect(prompt).toContain("<execute_javascript>");
  });

  it("plans no changes for a request that only reads, or for a read-only source", async () => {
    const goal = "How many Classic are left?";
    for (const more of [{ goal }, { sources: [sales] }, { tools: new Map([[dryrun.name, dryrun]]) }]) {
      const { draft, planned } = await draftOf(PROGRAM, more);
      expect(draft).toMatchObject({ status: "complete", answerFrom: "dryrun" });
      expect(planned.map(({ step }) => step.args["readOnly"])).toEqual([true]);
    }
  });

  it("chooses the only source that can be changed", async () => {
    const { planned } = await draftOf(PROGRAM, { sources: [sales, store] });
    expect(planned[0]?.step.args["source"]).toBe("store");
  });

  it.each([
    ["no source", { sources: [] }, "there is none"],
    ["several sources", { sources: [store, { ...store, name: "shop" }] }, "there are: store, shop"],
    ["no worker", { tools: new Map([[apply.name, apply]]) }, "no worker offers data.dryrun"],
  ])("makes no call where there is %s", async (_what, more, message) => {
    const { draft, asked } = await draftOf(PROGRAM, more);
    expect(draft).toMatchObject({ status: "model_failed", message: expect.stringContaining(message) });
    expect(asked).toEqual([]);
  });

  it.each([
    ["what no program may name", `const fs = require("fs"); ${PROGRAM}`, "stop", ["forbidden_code"]],
    ["no answer", `console.log("hello")`, "stop", ["missing_answer", "missing_answer"]],
    ["nothing", " ", "stop", ["no_program"]],
    ["half a program", PROGRAM, "length", ["truncated"]],
    ["a refusal", "I cannot do that.", "refusal", ["refused"]],
  ] as const)("sends back a reply with %s", async (_what, text, finishReason, codes) => {
    const { draft, planned } = await draftOf(text, {}, finishReason);
    expect(draft).toMatchObject({ status: "invalid", issues: codes.map((code) => ({ code })) });
    expect(planned).toEqual([]);
  });

  it("shows the faults of the last reply, and Python's syntax where it is required", async () => {
    const issue = { code: "forbidden_code", field: "line 1", message: "line 1: require is not allowed" };
    const { prompt } = await draftOf(PROGRAM, { issues: [issue], language: "python" });
    expect(prompt).toContain("line 1: require is not allowed");
    expect(prompt).toContain("<execute_python>");
    expect(prompt).not.toContain("<execute_javascript>");
  });
});
