// Forks, feedback and replays at the gateway's doors; the test plays the other services.
import { PlanId, PlanView } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { createPublish } from "@planwright/shared/bus";
import { describe, expect, it } from "vitest";
import { FORKED_BYTES_MAX } from "../src/fork/copy-files.ts";
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
  ])(
    "of %s runs from its step on, with what was edited, and says where it came from",
    async (_what, prepare) => {
      const origin = await finished();
      await prepare(origin);
      const planId = await forked(origin, { fromStep: "b", edits: { value: "{{a.output}} again" } });
      expect(await view(planId)).toMatchObject({
        goal: "two steps",
        fork: { planId: origin, fromStep: "b", seq: 7 },
        answerFrom: "b",
        steps: [
          { id: "a", status: "succeeded", carried: true, output: { value: "a" } },
          { id: "b", status: "running", args: { value: "{{a.output}} again" } },
        ],
      });
      await store(system.bus, [started(planId, "b"), succeeded(planId, "b", "new")]);
      await expect.poll(async () => (await view(planId)).progress.done).toBe(2);
      // Forks can be forked.
      const second = await forked(planId, { fromStep: "b" });
      expect((await view(second)).steps[0]).toMatchObject({ carried: true, output: { value: "a" } });
    },
  );

  it("takes copies of the files along", async () => {
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

  it("takes copies of the results of a list along that are files, and makes more of them where it has to", async () => {
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

  it("keeps as files what is too large to be carried over in one message, the largest first", async () => {
    const args = { value: [{ $ref: "large.output" }, { $ref: "small.output" }] };
    const echo = (id: string, more: object = {}) => ({ id, tool: "flow.echo", args: { value: 1 }, ...more });
    const { planId: origin } = await gateway.submit({
      goal: "large",
      plan: { steps: [echo("large"), echo("small"), echo("both", { args })] },
    });
    // The rest of the message takes its half.
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

  it("takes no more than 256 MiB of files along", async () => {
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
      detail: expect.stringContaining("at most 268435456 bytes of files, these have 268435457"),
    });
    // Not too large; only nobody has written it here.
    const gone = await forkOf(await wrote(FORKED_BYTES_MAX), { fromStep: "b" });
    expect(await gone.json()).toMatchObject({
      code: "fork_refused",
      detail: expect.stringContaining("is gone"),
    });
  });

  it("is the same one for the same key, and another request is refused", async () => {
    const origin = await finished();
    const key = { "idempotency-key": "fork-1" };
    const first: unknown = await (await forkOf(origin, { fromStep: "b" }, key)).json();
    expect(await (await forkOf(origin, { fromStep: "b" }, key)).json()).toEqual(first);
    expect(await codeOf(await forkOf(origin, { fromStep: "a" }, key))).toBe("422 idempotency_key_reused");
  });

  it("is refused by name where there is nothing to begin with", async () => {
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

describe("a plan as it was", () => {
  it("is shown after any number of its facts, also from the archive", async () => {
    const planId = await finished();
    const seen = async () => {
      const views = await Promise.all([1, 2, 3, 5, 7].map((seq) => view(planId, `?seq=${seq}`)));
      return views.map(({ seq, status, steps }) => [seq, status, ...steps.map((step) => step.status)]);
    };
    const before = await seen();
    expect(before).toEqual([
      [1, "running", "running", "waiting"],
      [2, "running", "running", "waiting"],
      [3, "running", "succeeded", "running"],
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

  it("is refused before the end, without a rating from 1 to 5, and of plans that are not there", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    expect(await codeOf(await say(planId, { rating: 4 }))).toBe("409 plan_not_ended");
    const done = await finished();
    for (const rating of [0, 6, 2.5, "5", undefined]) {
      expect(await codeOf(await say(done, { rating }))).toBe("400 invalid_request");
    }
    expect(await codeOf(await say("nothing", { rating: 3 }))).toBe("404 plan_not_found");
  });

  it("of several at once is all kept, up to a limit", async () => {
    const planId = await finished();
    for (let round = 0; round < 10; round++) {
      await inOneInstant(() => Promise.all([1, 2].map(() => say(planId, { rating: 3 }))));
    }
    expect((await view(planId)).feedback?.number).toBe(20);
    expect(await codeOf(await say(planId, { rating: 5 }))).toBe("409 feedback_given");
  });
});
