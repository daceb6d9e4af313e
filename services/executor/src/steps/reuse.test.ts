import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool } from "../tools/define-tool.ts";
import { testContext } from "../tools/testing/test-context.ts";
import { createReuse, withReuse } from "./create-reuse.ts";

/** A tool whose calls end when the test decides. */
function bench(reusableMs: number | undefined) {
  const clock = { ms: 0 };
  const calls: (PromiseWithResolvers<unknown> & { readonly args: unknown })[] = [];
  const tool = defineTool({
    name: "test.read",
    description: "Waits for the test.",
    input: z.strictObject({ q: z.unknown() }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    timeoutMs: 1_000,
    ...(reusableMs === undefined ? {} : { reusableMs }),
    run: (args) => {
      const call = { ...Promise.withResolvers<unknown>(), args };
      calls.push(call);
      return call.promise;
    },
  });
  const [wrapped = tool] = withReuse(
    [tool],
    createReuse(() => clock.ms),
  );
  const reused: string[] = [];
  const run = (q: unknown, given: Parameters<typeof testContext>[0] = {}) =>
    wrapped.run({ q }, testContext({ noteReused: () => reused.push(given.stepId ?? "s1"), ...given }));
  return { run, calls, reused, clock };
}

const settled = (call: PromiseWithResolvers<unknown> | undefined, output: unknown) => call?.resolve(output);

describe("equal calls of one plan", () => {
  it("are one call when simultaneous, and all but the first know that their output was reused", async () => {
    const { run, calls, reused } = bench(0);
    const all = Promise.all([
      run({ a: 1, b: 2 }, { stepId: "s1" }),
      run({ b: 2, a: 1 }, { stepId: "s2" }),
      run({ a: 1, b: 2 }, { stepId: "s3" }),
    ]);
    expect(calls).toHaveLength(1);
    settled(calls[0], "out");
    expect(await all).toEqual(["out", "out", "out"]);
    expect(reused).toEqual(["s2", "s3"]);
  });

  it("are one call in succession for as long as the tool allows", async () => {
    const { run, calls, reused, clock } = bench(100);
    const first = run(1);
    settled(calls[0], "out");
    await first;
    clock.ms = 99;
    expect(await run(1)).toBe("out");
    clock.ms = 100;
    const later = run(1);
    settled(calls[1], "new");
    expect(await later).toBe("new");
    expect([calls.length, reused.length]).toEqual([2, 1]);
  });

  it("are two calls in succession when the tool only shares simultaneous ones", async () => {
    const { run, calls, reused } = bench(0);
    for (const output of ["a", "b"]) {
      const running = run(1);
      settled(calls.at(-1), output);
      expect(await running).toBe(output);
    }
    expect([calls.length, reused.length]).toEqual([2, 0]);
  });
});

describe("a call is made again", () => {
  it.each([
    ["for another plan", { planId: "p2" }],
    ["when it is tried again", { attempt: 2 }],
    ["when its last output was not good enough", { feedback: { output: 1, issues: [], suggestion: "" } }],
  ])("%s", async (_why, given) => {
    const { run, calls, reused } = bench(1_000);
    const first = run(1);
    settled(calls[0], "a");
    await first;
    const second = run(1, given);
    expect(calls).toHaveLength(2);
    settled(calls[1], "b");
    expect(await second).toBe("b");
    expect(reused).toEqual([]);
  });

  it("with other arguments, and of tools that do not allow it (REUSE-1)", async () => {
    const { run, calls } = bench(1_000);
    void run(1);
    void run("1");
    expect(calls).toHaveLength(2);
    const plain = bench(undefined);
    void plain.run(1);
    void plain.run(1);
    expect(plain.calls).toHaveLength(2);
  });

  it("by the next waiting caller when the first call fails (REUSE-2)", async () => {
    const { run, calls, reused } = bench(1_000);
    const all = Promise.allSettled([run(1), run(1), run(1)]);
    calls[0]?.reject(new Error("down"));
    await expect.poll(() => calls.length).toBe(2);
    settled(calls[1], "up");
    expect(await all).toMatchObject([
      { status: "rejected" },
      { status: "fulfilled", value: "up" },
      { status: "fulfilled", value: "up" },
    ]);
    expect([calls.length, reused.length]).toEqual([2, 1]);
  });

  it("by another worker, which does not have this one's outputs (REUSE-3)", async () => {
    const [one, other] = [bench(1_000), bench(1_000)];
    const first = one.run(1);
    settled(one.calls[0], "out");
    await first;
    void other.run(1);
    expect([one.calls.length, other.calls.length]).toEqual([1, 1]);
  });

  it("after a retry, whose output replaces the kept one", async () => {
    const { run, calls } = bench(1_000);
    const first = run(1);
    settled(calls[0], "bad");
    await first;
    const again = run(1, { attempt: 2 });
    settled(calls[1], "good");
    await again;
    const third = run(1);
    expect(calls).toHaveLength(3);
    settled(calls[2], "good");
    await third;
  });

  it("when the kept outputs would be too large: the oldest is dropped first", async () => {
    const { run, calls } = bench(1_000);
    for (let q = 0; q <= 256; q += 1) {
      const running = run(q);
      settled(calls[q], q);
      await running;
    }
    expect(await run(256)).toBe(256);
    void run(0);
    expect(calls).toHaveLength(258);
    const big = run("big");
    settled(calls[258], "x".repeat(300_000));
    await big;
    void run("big");
    expect(calls).toHaveLength(260);
  });
});

it("does not reuse an output for a step that is no longer wanted", async () => {
  const { run, calls } = bench(1_000);
  const first = run(1);
  const stopped = run(1, { signal: AbortSignal.abort(new Error("cancelled")) });
  settled(calls[0], "out");
  await first;
  await expect(stopped).rejects.toThrow("cancelled");
});

it("refuses reuse for tools that have effects or call a model", () => {
  const base = {
    description: "x",
    input: z.strictObject({}),
    output: AnyJson,
    risk: "low",
    timeoutMs: 1,
    run: async () => 1,
  } as const;
  expect(() => defineTool({ ...base, name: "a.b", effect: "idempotent", reusableMs: 0 })).toThrow(
    /reusableMs/,
  );
  expect(() => defineTool({ ...base, name: "a.b", effect: "read", modelTokens: 5, reusableMs: 0 })).toThrow(
    /reusableMs/,
  );
});
