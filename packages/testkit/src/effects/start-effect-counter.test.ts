// Tests the counter that other tests rely on to find doubled effects.
import { expect, it } from "vitest";
import { type EffectCounter, startEffectCounter } from "./start-effect-counter.ts";

function send(effects: EffectCounter, target: "plain" | "deduping", key: string, body = "{}") {
  return fetch(effects.url(target), { method: "POST", headers: { "idempotency-key": key }, body });
}

async function check(effects: EffectCounter, key: string): Promise<number> {
  return (await fetch(effects.url("check"), { headers: { "idempotency-key": key } })).status;
}

it("counts every request to a target that ignores keys, and names doubled keys", async () => {
  await using effects = await startEffectCounter();
  for (const key of ["a", "a", "b"]) await send(effects, "plain", key);
  expect(effects.counts()).toEqual(
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
  expect(effects.doubled()).toEqual(["a"]);
});

it("counts a key once when repeats are dropped, and answers them identically", async () => {
  await using effects = await startEffectCounter();
  const answers = [await send(effects, "deduping", "a"), await send(effects, "deduping", "a")];
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
    { key: "a", times: 1 },
    { key: "a", times: 1 },
  ]);
  expect(effects.count("a")).toBe(1);
  expect(effects.requests).toHaveLength(2);
});

it("reports whether a key took effect", async () => {
  await using effects = await startEffectCounter();
  expect(await check(effects, "a")).toBe(404);
  await send(effects, "plain", "a");
  expect(await check(effects, "a")).toBe(200);
  expect(effects.doubled()).toEqual([]);
});

it("holds a request before or after its effect, and drops it when scripted to", async () => {
  await using effects = await startEffectCounter();
  const before = effects.hold("before");
  const first = send(effects, "plain", "a").catch(() => "dropped");
  expect(await before.reached).toBe("a");
  expect(effects.count("a")).toBe(0);
  before.release({ drop: true });
  expect(await first).toBe("dropped");
  expect(effects.count("a")).toBe(0);

  const after = effects.hold("after");
  const second = send(effects, "plain", "a");
  await after.reached;
  expect(effects.count("a")).toBe(1);
  after.release();
  expect((await second).status).toBe(200);
});

it("starts over after `forget`", async () => {
  await using effects = await startEffectCounter();
  await send(effects, "plain", "a");
  effects.hold("after");
  effects.forget();
  expect([[...effects.counts()], effects.doubled(), effects.requests]).toEqual([[], [], []]);
  expect(await check(effects, "a")).toBe(404);
  await send(effects, "plain", "a");
  expect(effects.count("a")).toBe(1);
});
