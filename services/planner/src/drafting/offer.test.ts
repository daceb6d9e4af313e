import { ToolSpec } from "@planwright/plan";
import type { Registry } from "@planwright/shared/bus";
import type { DataSource } from "@planwright/shared/tools";
import { expect, it } from "vitest";
import { createOffers } from "./offer.ts";

/** An in-memory registry. */
function registry<Entry>(initial: Readonly<Record<string, Entry>> = {}) {
  const entries = new Map(Object.entries(initial));
  const checks = new Set<() => void>();
  const own: Registry<Entry> = {
    entries: () => entries,
    put: async (name, entry) => {
      entries.set(name, entry);
      for (const check of checks) check();
    },
    replace: async (name, { after }) => own.put(name, after).then(() => true),
    remove: async (name) => void entries.delete(name),
    onChange: (listener) => {
      checks.add(listener);
      return { [Symbol.dispose]: () => void checks.delete(listener) };
    },
    until: (isEnough, signal) =>
      new Promise((resolve, reject) => {
        const check = () => void (isEnough(entries) && resolve());
        checks.add(check);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
        check();
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return own;
}

const tool = (name: string, risk = "low") =>
  ToolSpec.parse({ name, description: name, input: {}, output: {}, risk, timeoutMs: 1 });
const source = (name: string, rest: Partial<DataSource> = {}): DataSource => ({
  name,
  tenant: null,
  kind: "csv",
  files: [{ fileName: "f.csv", artifact: "a", bytes: 1, sha256: "0" }],
  ...rest,
});
const never = new AbortController().signal;
const approval = { risk: "never", plan: false, expiresAfterMs: 60_000 } as const;

it("waits for tools that are still to be announced, and for data to be described", async () => {
  const tools = registry<ToolSpec>();
  const sources = registry<DataSource>({ sales: source("sales") });
  const offers = createOffers({ tools, sources, signal: never, waitMs: 60_000 });
  const offered = offers.offer({ tenant: "t", approval }, never);
  await tools.put("a.b", tool("a.b"));
  await tools.put("c.d", tool("c.d"));
  await sources.put("sales", source("sales", { tables: [] }));
  const offer = await offered;
  expect([...offer.tools.keys()]).toEqual(["a.b", "c.d"]);
  expect(offer.sources.map(({ name }) => name)).toEqual(["sales"]);
});

it("continues without parts that do not arrive in time", async () => {
  const tools = registry({ "a.b": tool("a.b") });
  const sources = registry({ sales: source("sales"), broken: source("broken", { fault: "no table" }) });
  const offers = createOffers({ tools, sources, signal: never, waitMs: 20 });
  const offer = await offers.offer({ tenant: "t", approval, tools: ["a.b", "not.there"] }, never);
  expect([[...offer.tools.keys()], offer.sources]).toEqual([["a.b"], []]);
});

it("offers only what a plan may use, and no high-risk tools without approval", async () => {
  const tools = registry({ "a.b": tool("a.b"), "c.d": tool("c.d"), "e.f": tool("e.f", "high") });
  const sources = registry({ one: source("one", { tables: [] }), two: source("two") });
  const offers = createOffers({ tools, sources, signal: never, waitMs: 60_000 });
  const offer = await offers.offer({ tenant: "t", approval, tools: ["a.b", "e.f"], sources: ["one"] }, never);
  expect([...offer.tools.keys()]).toEqual(["a.b"]);
  expect(offer.sources.map(({ name }) => name)).toEqual(["one"]);
  for (const [risk, offered] of [
    ["never", ["a.b"]],
    ["high", ["a.b", "e.f"]],
    ["low", ["a.b", "e.f"]],
  ] as const) {
    const gated = { tenant: "t", approval: { ...approval, risk }, tools: ["a.b", "e.f"], sources: [] };
    const asked = await offers.offer(gated, never);
    expect([...asked.tools.keys()]).toEqual(offered);
  }
});

it("stops waiting when aborted", async () => {
  const stop = new AbortController();
  const offers = createOffers({
    tools: registry<ToolSpec>(),
    sources: registry<DataSource>(),
    signal: never,
  });
  const offered = offers.offer({ tenant: "t", approval }, stop.signal);
  stop.abort(new Error("enough"));
  await expect(offered).rejects.toThrow("enough");
});

it("offers the installation's data and the tenant's own uploads, never those of another tenant", async () => {
  const tools = registry({ "a.b": tool("a.b") });
  const sources = registry({
    demo: source("demo", { tables: [] }),
    "ada/sales": source("sales", { tenant: "ada", tables: [], kind: "sqlite" }),
    "bob/sales": source("sales", { tenant: "bob", tables: [] }),
    "bob/secret": source("secret", { tenant: "bob", tables: [] }),
    // The installation's own source comes first.
    "ada/demo": source("demo", { tenant: "ada", tables: [], kind: "sqlite" }),
    old: source("old", { tenant: undefined, tables: [] }),
  });
  const offers = createOffers({ tools, sources, signal: never, waitMs: 60_000 });
  const offered = async (tenant: string, names?: string[]) =>
    (await offers.offer({ tenant, approval, sources: names }, never)).sources.map(({ name, kind }) => [
      name,
      kind,
    ]);
  expect(await offered("ada")).toEqual([
    ["demo", "csv"],
    ["sales", "sqlite"],
  ]);
  expect(await offered("bob")).toEqual([
    ["demo", "csv"],
    ["sales", "csv"],
    ["secret", "csv"],
  ]);
  expect(await offered("Ada")).toEqual([["demo", "csv"]]);
  expect(await offered("ada", ["secret", "bob/secret", "old"])).toEqual([]);
});
