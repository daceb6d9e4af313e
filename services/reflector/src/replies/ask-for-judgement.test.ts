// A truncated synthesis, over real HTTP: a part of an answer is never presented as the whole.
import { evolve, type KnownPlan, type Plan, PlanEvent, type Usage } from "@planwright/plan";
import { JobFailedError } from "@planwright/shared/jobs";
import { createModelClient, SpendingMeter } from "@planwright/shared/model";
import { judgementText, type ModelScript, startScriptedModel } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf } from "../handlers/synthesize-answer.ts";
import { answerReviewPrompt } from "../prompts/answer-review-prompt.ts";
import { stepReviewPrompt } from "../prompts/step-review-prompt.ts";
import { planAfter, submittedPlan } from "../../test/support/plan-after.ts";
import { askForJudgement, type Judgement } from "./judgement.ts";

const TEXT = 'It is "42" in all, as s1 says.';
const whole = judgementText({ text: TEXT, data: { total: 42 }, sources: ["s1"] });
const trace = { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false };
const plan = planAfter({ output: { value: 42 } });

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => void (model = await startScriptedModel({})));
afterAll(() => model[Symbol.asyncDispose]());

async function judged(script: ModelScript, of = plan): Promise<Judged> {
  model.play(script);
  const client = createModelClient({ baseUrl: model.url, apiKey: "k", model: "m", role: "reflector" });
  const meter = new SpendingMeter(client, {});
  const asking = { model: meter.model, trace, signal: new AbortController().signal };
  try {
    const judgement = await askForJudgement(of, new Map(), asking);
    return { kind: "judged", judgement, ...meter.report() };
  } catch (error) {
    if (!(error instanceof JobFailedError)) throw error;
    return { kind: "unjudged", cause: error.message };
  }
}

type Judged =
  | { readonly kind: "judged"; readonly judgement: Judgement; readonly usage: Usage }
  | { readonly kind: "unjudged"; readonly cause: string };

/** Whether there is no answer, or a partial one with a note: the whole text, or its start up to a whole word. */
function isHonest(outcome: Judged): boolean {
  if (outcome.kind === "unjudged") return true;
  const { status, text, sources, data } = outcome.judgement;
  if (status !== "partial" || sources?.length !== 0 || data !== undefined) return false;
  const [said = "", note] = text.split(" …\n\n");
  return note === undefined ? text === TEXT : TEXT.startsWith(`${said} `) && note.includes("ends early");
}

const limits = () =>
  model.calls("judgement").map(({ request }) => request.max_completion_tokens ?? request.max_tokens);

describe("a truncated review", () => {
  it.each(["length", "stop"] as const)(
    "at any position, twice, and ended with %s is no whole answer",
    async (finishReason) => {
      const misleading: unknown[] = [];
      for (let at = 0; at < whole.length; at++) {
        const outcome = await judged({ judgement: { text: whole.slice(0, at), finishReason } });
        if (!isHonest(outcome)) misleading.push({ at, outcome });
      }
      expect(misleading).toEqual([]);
    },
  );

  it("is requested again with a larger limit, and the second reply counts", async () => {
    for (let at = 0; at < whole.length; at += 7) {
      const cut = { text: whole.slice(0, at), finishReason: "length" } as const;
      const outcome = await judged({ judgement: [cut, { text: whole }] });
      expect(outcome).toMatchObject({
        kind: "judged",
        judgement: { status: "success", text: TEXT, data: { total: 42 } },
        usage: { modelCalls: 2 },
      });
      expect(limits()).toEqual([undefined, 4_096]);
    }
  });

  it("is complete when only white space follows it up to the limit", async () => {
    const outcome = await judged({ judgement: { text: `${whole}\n\n  \n`, finishReason: "length" } });
    expect(outcome).toMatchObject({ kind: "judged", judgement: { text: TEXT, status: "success" } });
    expect(model.count("judgement")).toBe(1);
  });

  it("is not complete just because a complete value precedes it", async () => {
    const text = `${judgementText({ text: "It is 4." })} No, wait: ${whole.slice(0, 40)}`;
    const outcome = await judged({ judgement: { text, finishReason: "length" } });
    expect(outcome).not.toMatchObject({ judgement: { status: "success" } });
  });
});

describe("an answer whose sources are required", () => {
  const strict = planAfter({ output: { value: 42 } }, { requireSources: true });
  const bare = judgementText({ text: "It is 42. It is cheap.", sources: ["s1"] });
  const cited = judgementText({ text: "It is 42 [s1]. It is cheap.", sources: ["s1"] });
  const given = async (...replies: string[]) => {
    const outcome = await judged({ judgement: replies }, strict);
    if (outcome.kind !== "judged") throw new Error(outcome.cause);
    return answerOf(strict, outcome.judgement, new Map());
  };

  it("is unchanged when each sentence with a number or a name cites a source", async () => {
    expect(await given(cited)).toMatchObject({ status: "success", text: "It is 42 [s1]. It is cheap." });
    expect(model.count("judgement")).toBe(1);
  });

  it("is repaired once, given the sentences that lack a source", async () => {
    expect(await given(bare, cited)).toMatchObject({
      status: "success",
      text: "It is 42 [s1]. It is cheap.",
    });
    const [first, second] = model.calls("judgement").map(({ request }) => JSON.stringify(request));
    expect(first).toContain("Sources are required");
    expect(second).toContain("cite a source from the results in this sentence");
    expect(second).toContain("It is 42.");
  });

  it("is partial and names the sentences when it still lacks them", async () => {
    expect(await given(bare)).toEqual({
      text: 'It is 42. It is cheap.\n\nWithout a source: "It is 42.".',
      status: "partial",
      sources: ["s1"],
      artifacts: [],
    });
    expect(model.count("judgement")).toBe(2);
  });
});

describe("an answer that cites a source that no step has", () => {
  it("loses it from text and list, names it, and is partial", async () => {
    const text = "It is 42 (https://evil.example/x) [s1].";
    const outcome = await judged({ judgement: judgementText({ text, sources: ["s1", "s7"] }) });
    if (outcome.kind !== "judged") throw new Error(outcome.cause);
    expect(answerOf(plan, outcome.judgement, new Map())).toEqual({
      text: "It is 42 [s1].\n\nRemoved sources that no step of this plan has: https://evil.example/x, s7.",
      status: "partial",
      sources: ["s1"],
      artifacts: [],
    });
  });
});

describe("results that lack something", () => {
  const at = "2026-01-01T00:00:00Z";
  const run = { item: 0, attempt: 1, workerId: "w", startedAt: at, durationMs: 1 };
  const steps = ["part", "cut", "broken", "after", "each"].map((id) => ({
    id,
    description: `find ${id}`,
    tool: "docs.search",
    ...(id === "after" ? { dependsOn: ["broken"] } : {}),
  }));
  const reason = "step broken failed";
  const lacking = [
    {
      type: "step.succeeded",
      data: { ...run, stepId: "part", output: { value: 1 }, partial: "the east is missing" },
    },
    { type: "step.succeeded", data: { ...run, stepId: "cut", output: { value: 2 }, truncated: true } },
    { type: "step.succeeded", data: { ...run, stepId: "each", output: { value: 3 } } },
    {
      type: "step.failed",
      data: { ...run, stepId: "broken", error: { code: "no_page", message: "no page" }, retryable: false },
    },
    { type: "step.skipped", data: { stepIds: ["after"], because: "broken", reason } },
  ].reduce<Plan>(
    (state, event, index) => evolve(state, PlanEvent.parse({ id: `e${index}`, planId: "p1", at, ...event })),
    submittedPlan({ plan: { steps } }),
  ) as KnownPlan;
  const asked = () =>
    model
      .calls("judgement")
      .map(({ request }) => request.messages.map(({ content }) => String(content)).join("\n"))
      .map((text) => /<results>\n(.*)\n<.results>/s.exec(text)?.[1] ?? "[]")
      .map((results) => JSON.parse(results) as object[]);

  it("are sent to the reviewer with the missing parts of each", async () => {
    await judged({ judgement: judgementText({ text: "1, 2 and 3." }) }, lacking);
    const [results = []] = asked();
    expect(results).toMatchObject([
      { id: "part", status: "succeeded", incomplete: "the east is missing.", output: 1 },
      { id: "cut", incomplete: "The text ends early: the model reached its length limit.", output: 2 },
      { id: "broken", status: "failed", error: "no_page: no page" },
      { id: "after", status: "skipped", error: reason },
      { id: "each", status: "succeeded", output: 3 },
    ]);
    expect(results.at(-1)).not.toHaveProperty("incomplete");
    const [{ request } = { request: {} }] = model.calls("judgement");
    // The date in the log, which is the same when the prompt is rendered again.
    expect(JSON.stringify(request)).toContain(JSON.stringify("<today>\n2026-01-01\n</today>").slice(1, -1));
    expect(JSON.stringify(request)).toContain("nothing that it needs failed, could not run or is incomplete");
  });

  it("make an answer partial and are named in it, even if the reviewer calls it a success", async () => {
    const outcome = await judged({ judgement: judgementText({ text: "1, 2 and 3." }) }, lacking);
    if (outcome.kind !== "judged") throw new Error(outcome.cause);
    const answer = answerOf(lacking, outcome.judgement, new Map());
    expect(answer.status).toBe("partial");
    for (const said of [
      "the east is missing",
      "step cut (find cut) ends early",
      "step broken (find broken) failed: no page",
    ])
      expect(answer.text).toContain(said);
  });

  it("are sent to the reviewer of the answer, and of the step", () => {
    const answer = answerReviewPrompt.render({ plan: lacking, loaded: new Map(), issues: [] }).messages;
    expect(answer[1]?.content).toContain('"incomplete":"the east is missing."');
    const [entry] = lacking.steps.values();
    if (entry?.state.status !== "succeeded") throw new Error("wanted a step with an output");
    const incomplete = "2 of its items failed.";
    const state = {
      ...entry.state,
      status: "reviewing",
      review: 1,
      partial: "2 of its items failed",
    } as const;
    const about = { plan: lacking, entry: { ...entry, state }, loaded: new Map(), issues: [] };
    const [, user] = stepReviewPrompt.render(about).messages;
    expect(user?.content).toContain(`<incomplete>\n${incomplete}\n</incomplete>`);
  });
});
