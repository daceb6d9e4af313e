// Forks, re-runs, feedback and earlier states of plans through the gateway; the test plays the other services.
import { PlanId, PlanView, SearchSettings, Submission } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { createPublish, readPlanEvents } from "@planwright/shared/bus";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { FORKED_BYTES_MAX } from "../src/submit/fork-plan.ts";
import { fact, started, store, succeeded, wholeRun } from "./support/facts.ts";
import { inOneInstant } from "./support/in-one-instant.ts";
import { readEvents } from "./support/read-events.ts";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway({ nats: { maxPayloadBytes: 2 * 1024 * 1024 } });
const artifacts = createArtifactStore(system.bus);

async function view(planId: string, query = ""): Promise<PlanView> {
  return PlanView.parse(await (await gateway.get(`/v1/plans/${planId}${query}`)).json());
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { code: string }).code}`;
}

/** A plan that has ended. */
async function finished(): Promise<string> {
  const { planId } = await gateway.submit(TWO_STEPS);
  await store(system.bus, wholeRun(planId, ["a", "b"]));
  await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
  return planId;
}

async function archive(planId: string): Promise<void> {
  const { bus } = system;
  const archives = createArchiveStore(bus);
  const now = (): Date => new Date();
  await archivePlan({ bus, publish: createPublish(bus), archives, now }, PlanId.parse(planId));
}

const forkOf = (planId: string, body: object, headers: Record<string, string> = {}) =>
  gateway.post(`/v1/plans/${planId}/fork`, body, headers);

async function forked(planId: string, body: object): Promise<string> {
  const response = await forkOf(planId, body);
  expect(response.status).toBe(202);
  const accepted = (await response.json()) as { planId: string };
  expect(response.headers.get("location")).toBe(`/v1/plans/${accepted.planId}`);
  return accepted.planId;
}

describe("a fork", () => {
  it.each([
    ["an ended plan", () => Promise.resolve()],
    ["an archived plan", archive],
  ])("of %s runs from its step on, with the edits, and names its origin", async (_what, prepare) => {
    const origin = await finished();
    await prepare(origin);
    const planId = await forked(origin, { fromStep: "b", edits: { value: "{{a.output}} again" } });
    expect(await view(planId)).toMatchObject({
      goal: "two steps",
      fork: { planId: origin, fromStep: "b", seq: 7 },
      answerFrom: "b",
      steps: [
        { id: "a", status: "succeeded", carried: true, output: { value: "a" } },
        { id: "b", status: "queued", args: { value: "{{a.output}} again" } },
      ],
    });
    await store(system.bus, [started(planId, "b"), succeeded(planId, "b", "new")]);
    await expect.poll(async () => (await view(planId)).progress.done).toBe(2);
    // Forks can be forked.
    const second = await forked(planId, { fromStep: "b" });
    expect((await view(second)).steps[0]).toMatchObject({ carried: true, output: { value: "a" } });
  });

  it("keeps the options of the submission, except those that apply to its origin only", async () => {
    const asked = {
      planSize: { min: 1, max: 9 },
      requireSources: true,
      constraints: ["be brief"],
      metadata: { team: "ops" },
      maxReplans: 1,
      replanOnFailure: true,
      learn: false,
      facts: "all",
      budget: { tokens: 1_000 },
      approval: { risk: "medium", expiresAfterMs: 60_000 },
    };
    const startAt = new Date(Date.now() - 1_000).toISOString();
    const { planId: origin } = await gateway.submit({ ...TWO_STEPS, ...asked, startAt });
    await store(system.bus, wholeRun(origin, ["a", "b"]));
    const goalOf = async (planId: string): Promise<unknown> => {
      const [first] = await readEvents(await gateway.get(`/v1/plans/${planId}/events`), 1);
      return (JSON.parse(first?.data ?? "{}") as { data?: unknown }).data;
    };
    const rerun = await gateway.post(`/v1/plans/${origin}/rerun`, {});
    const { planId: again } = (await rerun.json()) as { planId: string };
    expect(await view(origin)).toMatchObject({ planSize: { min: 1, max: 9 }, requireSources: true });
    for (const planId of [await forked(origin, { fromStep: "b" }), again]) {
      expect(await view(planId)).toMatchObject({ planSize: { min: 1, max: 9 }, requireSources: true });
      const goal = await goalOf(planId);
      expect(goal).toMatchObject({ ...asked, unapprovedStepsMax: 100 });
      expect(goal).not.toHaveProperty("startAt");
    }
  });

  it("copies the files of carried steps", async () => {
    const { planId: origin } = await gateway.submit(TWO_STEPS);
    const id = PlanId.parse(origin);
    const file = await artifacts.put(id, "notes/a.txt", Buffer.from("a file"), "text/plain");
    const whole = await artifacts.put(id, "outputs/a-0-1.json", Buffer.from("[1]"), "application/json");
    const data = {
      ...succeeded(origin, "a").data,
      output: { artifact: whole, preview: "[1]" },
      artifacts: [file],
    };
    await store(system.bus, [started(origin, "a"), fact(origin, "step.succeeded", data, `${origin}/a/done`)]);
    await store(system.bus, [started(origin, "b"), succeeded(origin, "b")]);
    await expect.poll(async () => (await view(origin)).progress.done).toBe(2);

    const planId = await forked(origin, { fromStep: "b" });
    await artifacts.removeAll(id);
    expect((await view(planId)).artifacts).toEqual([file]);
    const kept = await gateway.get(`/v1/plans/${planId}/artifacts/notes/a.txt`);
    expect(await kept.text()).toBe("a file");
    expect(await artifacts.get(PlanId.parse(planId), "outputs/a-0-1.json")).toBeDefined();
    expect(await codeOf(await forkOf(origin, { fromStep: "b" }))).toBe("409 fork_refused");
  });

  it("copies list results that are files, and turns more of them into files if necessary", async () => {
    const each = { id: "each", tool: "flow.echo", forEach: [1, 2, 3], args: { value: { $ref: "item" } } };
    const sum = { id: "sum", tool: "flow.echo", args: { value: { $ref: "each.output" } } };
    const { planId: origin } = await gateway.submit({ goal: "a list", plan: { steps: [each, sum] } });
    const name = "outputs/each-0-1.json";
    const whole = await artifacts.put(PlanId.parse(origin), name, Buffer.from("[1]"), "application/json");
    await store(system.bus, [
      fact(origin, "step.expanded", { stepId: "each", items: 3 }, `${origin}/expand`),
    ]);
    const large = { rows: ["x".repeat(system.bus.payloadBytesMax / 2)] };
    const outputs = [{ artifact: whole, preview: "[1]" }, { value: large }, { value: "small" }];
    for (const [item, output] of outputs.entries()) {
      const { data } = succeeded(origin, "each");
      await store(system.bus, [
        fact(origin, "step.succeeded", { ...data, item, output }, `${origin}/each/${item}/done`),
      ]);
    }
    await store(system.bus, [started(origin, "sum"), succeeded(origin, "sum")]);
    await expect.poll(async () => (await view(origin)).progress.done).toBe(5);

    const planId = await forked(origin, { fromStep: "sum" });
    await artifacts.removeAll(PlanId.parse(origin));
    const made = "outputs/each-carried-1.json";
    const list = [{ artifact: name }, { artifact: made }, "small"];
    expect((await view(planId)).steps[0]).toMatchObject({ carried: true, output: { value: list } });
    const read = async (file: string) =>
      JSON.parse(Buffer.from((await artifacts.get(PlanId.parse(planId), file))?.content ?? []).toString());
    expect([await read(name), await read(made)]).toEqual([[1], large]);
  });

  it("stores results that are too large for one message as files, the largest first", async () => {
    const args = { value: [{ $ref: "large.output" }, { $ref: "small.output" }] };
    const { planId: origin } = await gateway.submit({
      goal: "large",
      plan: { steps: [echo("large"), echo("small"), { ...echo("both"), args }] },
    });
    // The rest of the message takes up half of it.
    const large = "x".repeat(system.bus.payloadBytesMax / 2);
    const small = "y".repeat(2_000);
    for (const [step, value] of Object.entries({ large, small, both: 1 })) {
      await store(system.bus, [started(origin, step), succeeded(origin, step, value)]);
    }
    await expect.poll(async () => (await view(origin)).progress.done).toBe(3);

    const planId = await forked(origin, { fromStep: "both" });
    for (const of of [planId, await forkedOnceMore(planId)]) {
      const { steps } = await view(of);
      expect(steps[0]?.output).toMatchObject({ artifact: { name: "outputs/large-carried.json" } });
      expect(steps[0]?.output).toHaveProperty("preview", large.slice(0, 1_000));
      expect(steps[1]?.output).toEqual({ value: small });
      expect(steps.map(({ carried }) => carried)).toEqual([true, true, undefined]);
      const kept = await artifacts.get(PlanId.parse(of), "outputs/large-carried.json");
      expect(JSON.parse(Buffer.from(kept?.content ?? []).toString())).toBe(large);
    }

    async function forkedOnceMore(first: string): Promise<string> {
      await store(system.bus, [started(first, "both"), succeeded(first, "both")]);
      await expect.poll(async () => (await view(first)).progress.done).toBe(3);
      return forked(first, { fromStep: "both" });
    }
  });

  it("copies up to 256 MiB of files", async () => {
    const wrote = async (bytes: number): Promise<string> => {
      const { planId: origin } = await gateway.submit(TWO_STEPS);
      const file = { name: "files/a.bin", contentType: "application/octet-stream", bytes };
      const data = { ...succeeded(origin, "a").data, artifacts: [file] };
      await store(system.bus, [
        started(origin, "a"),
        fact(origin, "step.succeeded", data, `${origin}/a/done`),
      ]);
      await store(system.bus, [started(origin, "b"), succeeded(origin, "b")]);
      await expect.poll(async () => (await view(origin)).progress.done).toBe(2);
      return origin;
    };
    const tooLarge = await forkOf(await wrote(FORKED_BYTES_MAX + 1), { fromStep: "b" });
    expect(tooLarge.status).toBe(409);
    expect(await tooLarge.json()).toMatchObject({
      code: "fork_refused",
      detail: expect.stringContaining("the files have 268435457 bytes; a fork copies max 268435456"),
    });
    // Not too large, but missing: it was never written here.
    const gone = await forkOf(await wrote(FORKED_BYTES_MAX), { fromStep: "b" });
    expect(await gone.json()).toMatchObject({
      code: "fork_refused",
      detail: expect.stringContaining("is gone"),
    });
  });

  it("is the same one for the same key, and another request with the key is refused", async () => {
    const origin = await finished();
    const key = { "idempotency-key": "fork-1" };
    const first: unknown = await (await forkOf(origin, { fromStep: "b" }, key)).json();
    expect(await (await forkOf(origin, { fromStep: "b" }, key)).json()).toEqual(first);
    expect(await codeOf(await forkOf(origin, { fromStep: "a" }, key))).toBe("422 idempotency_key_reused");
  });

  it("is refused with a reason when there is nothing to start from", async () => {
    const origin = await finished();
    expect(await codeOf(await forkOf(origin, { fromStep: "x" }))).toBe("404 step_not_found");
    expect(await codeOf(await forkOf("nothing", { fromStep: "b" }))).toBe("404 plan_not_found");
    expect(await codeOf(await forkOf(origin, {}))).toBe("400 invalid_request");
    const wrong = await forkOf(origin, { fromStep: "b", edits: { other: 1 } });
    expect(await wrong.json()).toMatchObject({ code: "invalid_plan" });
    const { planId: open } = await gateway.submit(TWO_STEPS);
    expect(await codeOf(await forkOf(open, { fromStep: "a" }))).toBe("409 step_not_settled");
  });
});

describe("a re-run", () => {
  const rerunOf = (planId: string, body?: object, headers: Record<string, string> = {}) =>
    gateway.post(`/v1/plans/${planId}/rerun`, body ?? "{}", headers);

  async function rerun(planId: string, edits?: object): Promise<string> {
    const response = await rerunOf(planId, edits === undefined ? undefined : { edits });
    expect([response.status, await response.clone().text()]).toEqual([202, expect.anything()]);
    return ((await response.json()) as { planId: string }).planId;
  }
  const submissionOf = async (planId: string): Promise<Record<string, unknown>> =>
    (await (await gateway.get(`/v1/plans/${planId}/submission`)).json()) as Record<string, unknown>;

  it.each([
    ["an open plan", async () => (await gateway.submit(TWO_STEPS)).planId],
    ["an ended plan", finished],
    ["an archived plan", async () => archived(await finished())],
  ])("of %s runs every step of the same plan again, and links to its origin", async (_what, prepare) => {
    const origin = await prepare();
    const planId = await rerun(origin);
    expect(planId).not.toBe(origin);
    const again = await view(planId);
    expect(again).toMatchObject({ goal: "two steps", rerunOf: origin, status: "running" });
    expect(again.steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "queued"],
      ["b", "waiting"],
    ]);
    expect(again.fork).toBeUndefined();
    expect((await view(await rerun(planId))).rerunOf).toBe(planId);
  });

  async function archived(planId: string): Promise<string> {
    await archive(planId);
    return planId;
  }

  /** A value for every field of a submission, so that a new field cannot be forgotten in re-runs. */
  const EVERY_FIELD: Readonly<Record<string, unknown>> = {
    goal: "everything",
    strategy: "parallel",
    constraints: ["be brief"],
    tools: ["flow.echo"],
    data: ["sales"],
    approval: { plan: true, risk: "medium", confidenceBelow: 0.5, expiresAfterMs: 60_000 },
    review: { plan: true, answer: false, steps: true },
    search: SearchSettings.parse({}),
    program: { language: "python" },
    maxReplans: 1,
    replanOnFailure: true,
    budget: { tokens: 90_000, seconds: 60, onExhausted: "ask" },
    facts: "large",
    requireSources: true,
    priority: "low",
    planSize: { min: 1, max: 9 },
    learn: false,
    metadata: { team: "ops" },
    startAt: new Date(Date.now() + 3_600_000).toISOString(),
    plan: TWO_STEPS.plan,
    input: { text: `${"A sentence. ".repeat(100)}The end.`, chunkChars: 600, groupSize: 3 },
  };

  it("repeats every field of the submission, but not its start time", async () => {
    expect(Object.keys(EVERY_FIELD).toSorted()).toEqual(Object.keys(Submission.shape).toSorted());
    const { plan, input, startAt, ...drafted } = EVERY_FIELD;
    await using other = await system.gateway({ folder: "every-field", env: await withSales() });
    const submitted = async (body: object) => {
      const { planId } = await other.submit(body);
      // One gateway shows what it submitted without reading it back; the other reads it from the log.
      const [shown] = await readEvents(await other.get(`/v1/plans/${planId}/events`), 1);
      const [stored] = await Array.fromAsync(readPlanEvents(system.bus, PlanId.parse(planId)));
      expect(JSON.parse(shown?.data ?? "")).toEqual(stored?.event);
      const read = await other.get(`/v1/plans/${planId}/submission`);
      return (await read.json()) as Record<string, unknown>;
    };
    expect(await submitted({ ...drafted, startAt })).toEqual(drafted);
    const whole = { ...drafted, review: { answer: true, plan: false, steps: true } };
    const { plan: again, ...rest } = await submitted({ ...whole, plan });
    expect(rest).toEqual(whole);
    expect(again).toMatchObject(TWO_STEPS.plan);
    const read = { ...whole, strategy: "summarize", tools: ["model.write"], input };
    expect(await submitted(read)).toEqual(read);
    const direct = { ...whole, strategy: "direct", tools: ["model.write"] };
    expect(await submitted(direct)).toEqual(direct);
  });

  async function withSales() {
    const folder = path.join(system.folder, "sources");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "sales.csv"), "region,revenue\nnorth,1\n");
    return { PLANWRIGHT_UPLOADS: folder };
  }

  it("with edits has the edited fields replaced, and omits those that are null", async () => {
    const origin = (await gateway.submit({ ...TWO_STEPS, constraints: ["x"], budget: { tokens: 10 } }))
      .planId;
    const edits = { goal: "one step", constraints: null, plan: { steps: [TWO_STEPS.plan.steps[0]] } };
    const planId = await rerun(origin, edits);
    const { steps, ...edited } = await view(planId);
    expect(edited).toMatchObject({ goal: "one step", constraints: [], rerunOf: origin });
    expect(steps.map(({ id }) => id)).toEqual(["a"]);
    expect(await submissionOf(planId)).toMatchObject({ budget: { tokens: 10 } });
    const replanned = await view(await rerun(origin, { plan: null, strategy: "parallel" }));
    expect(replanned).toMatchObject({ strategy: "parallel", steps: [] });
  });

  it("with another goal drafts a new plan when the plan follows from the goal", async () => {
    const { planId: direct } = await gateway.submit({ goal: "say hello", strategy: "direct" });
    const [hello] = (await view(await rerun(direct, { goal: "say goodbye" }))).steps;
    expect(hello?.args).toEqual({ prompt: "say goodbye" });
    const { planId: read } = await gateway.submit({ goal: "who?", input: { text: "It was Ann." } });
    const [asked] = (await view(await rerun(read, { goal: "when?" }))).steps;
    expect(asked?.args).toEqual({ prompt: "when?", context: "It was Ann." });
  });

  it("of a fork runs its whole plan, including the steps that were carried over", async () => {
    const fork = await forked(await finished(), { fromStep: "b", edits: { value: "edited" } });
    const { steps, ...again } = await view(await rerun(fork));
    expect(again).toMatchObject({ rerunOf: fork });
    expect(steps).toMatchObject([
      { id: "a", status: "queued" },
      { id: "b", args: { value: "edited" } },
    ]);
  });

  it("is the same one for the same key, and another request with the key is refused", async () => {
    const origin = await finished();
    const key = { "idempotency-key": "rerun-1" };
    const first: unknown = await (await rerunOf(origin, {}, key)).json();
    expect(await (await rerunOf(origin, {}, key)).json()).toEqual(first);
    expect(await codeOf(await rerunOf(origin, { edits: { goal: "other" } }, key))).toBe(
      "422 idempotency_key_reused",
    );
  });

  it("is refused with the invalid field", async () => {
    const origin = await finished();
    const refusal = async (edits: object) =>
      ((await (await rerunOf(origin, { edits })).json()) as { detail: string }).detail;
    expect(await refusal({ gaol: "typo" })).toContain("gaol");
    expect(await refusal({ goal: 5 })).toContain("edits.goal: ");
    expect(await refusal({ maxReplans: -1 })).toContain("edits.maxReplans: ");
    expect(await refusal({ goal: null })).toContain("goal: ");
    expect(await refusal({ data: ["nothing"] })).toContain("data[0]: ");
    expect(await refusal({ plan: { steps: [{ id: "a", tool: "no.such" }] } })).toContain("step a, tool: ");
    expect(await codeOf(await rerunOf("nothing"))).toBe("404 plan_not_found");
  });
});

describe("an earlier state of a plan", () => {
  it("can be shown after any number of its events, even from the archive", async () => {
    const planId = await finished();
    const seen = async () => {
      const views = await Promise.all([1, 2, 3, 5, 7].map((seq) => view(planId, `?seq=${seq}`)));
      return views.map(({ seq, status, steps }) => [seq, status, ...steps.map((step) => step.status)]);
    };
    const before = await seen();
    expect(before).toEqual([
      [1, "running", "queued", "waiting"],
      [2, "running", "running", "waiting"],
      [3, "running", "succeeded", "queued"],
      [5, "running", "succeeded", "succeeded"],
      [7, "succeeded", "succeeded", "succeeded"],
    ]);
    expect(await view(planId, "?seq=7")).toEqual(await view(planId));
    await archive(planId);
    expect(await seen()).toEqual(before);
    expect(await codeOf(await gateway.get(`/v1/plans/${planId}?seq=8`))).toBe("400 invalid_request");
    expect(await codeOf(await gateway.get(`/v1/plans/${planId}?seq=0`))).toBe("400 invalid_request");
  });
});

describe("feedback", () => {
  const say = (planId: string, body: object) => gateway.post(`/v1/plans/${planId}/feedback`, body);

  it("is kept with the ended plan, in its log, its view and its archive", async () => {
    const planId = await finished();
    const { seq } = await view(planId);
    const answered = await say(planId, { rating: 4, comment: "good", by: "ann" });
    expect(await answered.json()).toMatchObject({ number: 1, rating: 4, comment: "good", by: "ann" });
    expect(await view(planId)).toMatchObject({ seq, feedback: { rating: 4, number: 1 } });
    await archive(planId);
    expect((await say(planId, { rating: 2 })).status).toBe(200);
    await archive(planId);
    await using other = await system.gateway({ folder: "feedback" });
    const shown = PlanView.parse(await (await other.get(`/v1/plans/${planId}`)).json());
    expect(shown).toMatchObject({ seq, feedback: { rating: 2, number: 2 } });
  });

  it("is refused before the end, without a rating from 1 to 5, and for missing plans", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    expect(await codeOf(await say(planId, { rating: 4 }))).toBe("409 plan_not_ended");
    const done = await finished();
    for (const rating of [0, 6, 2.5, "5", undefined]) {
      expect(await codeOf(await say(done, { rating }))).toBe("400 invalid_request");
    }
    expect(await codeOf(await say("nothing", { rating: 3 }))).toBe("404 plan_not_found");
  });

  it("of several users is all kept, up to a limit", async () => {
    const planId = await finished();
    for (let round = 0; round < 10; round++) {
      await inOneInstant(() => Promise.all([1, 2].map(() => say(planId, { rating: 3 }))));
    }
    expect((await view(planId)).feedback?.number).toBe(20);
    expect(await codeOf(await say(planId, { rating: 5 }))).toBe("409 feedback_given");
  });
});
