import { type StepEntry, Step, ToolSpec } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { ModelClient, ModelReply, ModelRequest } from "@planwright/shared/model";
import { planText } from "@planwright/testkit";
import { expect, it } from "vitest";
import type { PlannedStep } from "./draft-builder.ts";
import type { DraftRequest } from "./draft-request.ts";
import { writeDraft } from "./write-draft.ts";

const ECHO = ToolSpec.parse({
  name: "flow.echo",
  description: "echo",
  input: {},
  output: {},
  risk: "low",
  timeoutMs: 1,
});
const request: DraftRequest = {
  goal: "g",
  constraints: [],
  strategy: "parallel",
  tools: new Map([[ECHO.name, ECHO]]),
  sources: [],
  draft: 1,
  earlier: [],
  issues: [],
};
const trace = { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false };
const steps = [
  { id: "s1", tool: "flow.echo" },
  { id: "s2", tool: "flow.echo" },
];
const never = new AbortController().signal;
const idsOf = (planned: readonly PlannedStep[]) => planned.map(({ step }) => step.id);

function replyWith(text: string): ModelReply {
  const usage = { inputTokens: 1, outputTokens: 2, estimated: false, costUsd: 0.5 };
  return { text, finishReason: "stop", requestModel: "m", responseModel: "m", responseId: "r", usage };
}

/** A model that answers with `complete`, but never before its caller has had a turn. */
const modelOf = (complete: (request: ModelRequest) => ModelReply | Promise<ModelReply>): ModelClient => ({
  complete: async (asked) => complete(asked),
});
const nobody = modelOf(() => {
  throw new Error("nobody was to be asked");
});

it("accepts a reply in one piece, from a server that does not stream, and leaves its steps to the draft's end", async () => {
  const taken: string[] = [];
  const { draft, held } = await writeDraft(request, {
    model: modelOf(() => replyWith(planText({ steps, answerFrom: "s2" }))),
    trace,
    signal: never,
    onSteps: async (planned) => void taken.push(...idsOf(planned)),
  });
  expect([taken, idsOf(held)]).toEqual([[], ["s1", "s2"]]);
  expect(draft).toMatchObject({
    status: "complete",
    answerFrom: "s2",
    reasoning: "scripted",
    usage: { modelCalls: 1, inputTokens: 1, outputTokens: 2, costUsd: 0.5 },
  });
});

it("makes no call when there is no tool to plan with", async () => {
  const onSteps = () => Promise.resolve();
  const { draft } = await writeDraft(
    { ...request, tools: new Map() },
    { model: nobody, trace, signal: never, onSteps },
  );
  expect(draft).toMatchObject({ status: "model_failed", retryable: true, usage: { modelCalls: 0 } });
});

it("stops the model when a step cannot be handed over, and reports why", async () => {
  const fault = new Error("the draft has been ended");
  const model = modelOf(
    ({ onText, signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        onText?.(planText({ steps }).slice(0, -20));
      }),
  );
  const onSteps = () => Promise.reject(fault);
  await expect(writeDraft(request, { model, trace, signal: never, onSteps })).rejects.toBe(fault);
});

it("throws the signal's reason when it aborts, whatever the model does then", async () => {
  const stop = new AbortController();
  const reason = new Error("the worker stops");
  const model = modelOf(() => {
    stop.abort(reason);
    throw new PermanentError("the connection is gone");
  });
  const onSteps = () => Promise.resolve();
  await expect(writeDraft(request, { model, trace, signal: stop.signal, onSteps })).rejects.toBe(reason);
});

it("allows a review of an answer that names no step", async () => {
  const model = modelOf(() => replyWith(planText({ steps, answerFrom: "s9" })));
  const { draft } = await writeDraft(request, {
    model,
    trace,
    signal: never,
    onSteps: () => Promise.resolve(),
  });
  expect(draft.status).toBe("complete");
  expect(draft).not.toHaveProperty("answerFrom");
});

it("needs no new step when an earlier one is the answer", async () => {
  const step = Step.parse({ id: "s1", tool: "flow.echo" });
  // Only the content of an earlier step and its state's name matter here.
  const entry = {
    step,
    dependents: [],
    position: 0,
    state: { status: "succeeded", output: { value: 1 } },
  } as unknown as StepEntry;
  const model = modelOf(() => replyWith(planText({ steps: [], answerFrom: "s1" })));
  const deps = { model, trace, signal: never, onSteps: () => Promise.resolve() };
  expect(await writeDraft({ ...request, draft: 2, earlier: [entry] }, deps)).toMatchObject({
    draft: { status: "complete", steps: [], added: [], answerFrom: "s1" },
    held: [],
  });
});

it("requests lines without a schema, and takes each step before the reply is complete", async () => {
  const taken: string[] = [];
  const model = modelOf(async ({ onText, outputSchema, messages }) => {
    expect(outputSchema).toBeUndefined();
    expect(messages[0]?.content).toContain("one line per step");
    onText?.('s1: flow.echo {"value": 1}\ns2: flow.echo {"value"');
    await expect.poll(() => taken).toEqual(["s1"]);
    onText?.(': {"$ref": "s1.output"}}\nanswer: s2');
    return replyWith("");
  });
  const { draft, held } = await writeDraft(request, {
    model,
    format: "lines",
    trace,
    signal: never,
    onSteps: async (planned) => void taken.push(...idsOf(planned)),
  });
  expect([taken, idsOf(held)]).toEqual([["s1"], ["s2"]]);
  expect(draft).toMatchObject({ status: "complete", answerFrom: "s2" });
});

it("accepts JSON from a model that was prompted for lines", async () => {
  const model = modelOf(() => replyWith(planText({ steps, answerFrom: "s2" })));
  const onSteps = () => Promise.resolve();
  const { draft } = await writeDraft(request, { model, format: "lines", trace, signal: never, onSteps });
  expect(draft).toMatchObject({ status: "complete", added: ["s1", "s2"], answerFrom: "s2" });
});
