import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { CODE_PATHS } from "./code-paths.ts";
import { type ChildPool, type ChildPoolSettings, createChildPool } from "./create-child-pool.ts";

const entry = new URL("./testing/misbehaving-child.ts", import.meta.url);
const never = new AbortController().signal;
/** Long enough for any call that finishes, even on a busy machine. */
const patient = { signal: never, timeoutMs: 60_000 };

let pool: ChildPool;

function openPool(settings: Partial<ChildPoolSettings> = {}) {
  pool = createChildPool({ entry, readablePaths: CODE_PATHS, memoryMb: 256, size: 1, ...settings });
  return pool;
}

afterEach(() => pool[Symbol.dispose]());

describe("a pool of children", () => {
  it("runs as many calls at a time as it has children", async () => {
    openPool({ size: 2 });
    const values = await Promise.all([1, 2, 3, 4, 5].map((n) => pool.call({ n }, patient)));
    expect(values).toEqual([1, 2, 3, 4, 5].map((n) => ({ echoed: { n } })));
  });

  it("answers calls of other tenants and plans while one tenant's never end (CHILD-5)", async () => {
    openPool({ size: 1, reserve: 2 });
    const stopping = new AbortController();
    const spin = (plan: string) =>
      pool.call("spin", { signal: stopping.signal, timeoutMs: 600_000, owner: { tenant: "acme", plan } });
    const spins = ["p1", "p1", "p1", "p2"].map((plan) => expect(spin(plan)).rejects.toThrow("enough"));
    const call = (plan: string, tenant: string) => pool.call(plan, { ...patient, owner: { tenant, plan } });
    expect(await call("b1", "bell")).toBeDefined();
    expect(await call("b2", "bell")).toBeDefined();
    const waits = call("p3", "acme");
    await Promise.resolve();
    stopping.abort(new Error("enough"));
    expect(await waits).toBeDefined();
    await Promise.all(spins);
  });

  it("does not use a child for a call that is aborted while it waits (CHILD-2)", async () => {
    openPool();
    const stopping = new AbortController();
    const spins = pool.call("spin", { signal: stopping.signal, timeoutMs: 600_000 });
    const waits = pool.call("pid", { signal: stopping.signal, timeoutMs: 600_000 });
    const last = pool.call("pid", patient);
    stopping.abort(new Error("enough"));
    await expect(spins).rejects.toThrow("enough");
    await expect(waits).rejects.toThrow("enough");
    expect(await last).toBeDefined();
  });

  it("reuses an idle child", async () => {
    openPool({ size: 2 });
    const first = await pool.call("pid", patient);
    expect(await pool.call("pid", patient)).toBe(first);
  });

  it("kills a child at the deadline and serves the next call with another child (CHILD-1)", async () => {
    openPool();
    const first = await pool.call("pid", patient);
    await expect(pool.call("spin", { signal: never, timeoutMs: 200 })).rejects.toMatchObject({
      name: "PermanentError",
      code: "deadline_exceeded",
    });
    expect(await pool.call("pid", patient)).not.toBe(first);
    await vi.waitFor(() => expect(isRunning(z.int().parse(first))).toBe(false), 10_000);
  });

  it("replaces a killed child before the next call arrives", async () => {
    openPool({ replaces: true });
    const first = await pool.call("pid", patient);
    expect(childrenOf("misbehaving-child")).toEqual([first]);
    await expect(pool.call("spin", { signal: never, timeoutMs: 200 })).rejects.toThrow();
    await vi.waitFor(() => expect(childrenOf("misbehaving-child")).not.toContain(first), 10_000);
    const [spare] = childrenOf("misbehaving-child");
    expect(spare).toBeDefined();
    expect(await pool.call("pid", patient)).toBe(spare);
  });

  it("kills a child when the call is aborted, and rejects with the reason (CHILD-1)", async () => {
    openPool();
    await pool.call("pid", patient);
    const stop = new AbortController();
    const spinning = pool.call("spin", { signal: stop.signal, timeoutMs: 60_000 });
    stop.abort(new Error("cancelled by its plan"));
    await expect(spinning).rejects.toThrow("cancelled by its plan");
    await expect(pool.call("after", patient)).resolves.toEqual({ echoed: "after" });
  });

  it("leaves no timer when a call is aborted while its child starts, so the process can exit", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    openPool();
    const stopping = new AbortController();
    const call = pool.call("pid", { ...patient, signal: stopping.signal });
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    stopping.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never starts a call whose signal has aborted, even while it waits", async () => {
    openPool();
    await expect(
      pool.call("pid", { signal: AbortSignal.abort(new Error("too late")), timeoutMs: 1 }),
    ).rejects.toThrow("too late");
    const stop = new AbortController();
    const first = pool.call("first", patient);
    const second = pool.call("second", { signal: stop.signal, timeoutMs: 60_000 });
    stop.abort(new Error("gave up waiting"));
    await expect(second).rejects.toThrow("gave up waiting");
    await expect(first).resolves.toEqual({ echoed: "first" });
  });

  it("rejects calls beyond its queue with a transient error", async () => {
    openPool({ queueMax: 1 });
    const calls = [pool.call(1, patient), pool.call(2, patient), pool.call(3, patient)];
    await expect(calls[2]).rejects.toBeInstanceOf(TransientError);
    await expect(Promise.all(calls.slice(0, 2))).resolves.toEqual([{ echoed: 1 }, { echoed: 2 }]);
  });

  it.each(["hoard objects", "hoard native memory"])(
    "kills a child that would %s forever",
    async (request) => {
      openPool({ memoryMb: 200 });
      await expect(pool.call(request, patient)).rejects.toMatchObject({ code: "out_of_memory" });
      await expect(pool.call("after", patient)).resolves.toEqual({ echoed: "after" });
    },
  );

  it("distinguishes a refusal, a transient error and a defect", async () => {
    openPool();
    await expect(pool.call("refuse", patient)).rejects.toMatchObject({
      code: "refused",
      message: "not this one",
    });
    await expect(pool.call("be busy", patient)).rejects.toBeInstanceOf(TransientError);
    await expect(pool.call("break", patient)).rejects.toMatchObject({ code: "internal" });
  });

  it("reports a child that exits on its own as a transient error", async () => {
    openPool();
    await expect(pool.call("exit", patient)).rejects.toThrow(/ended early \(exit code 3\)/);
    await expect(pool.call("after", patient)).resolves.toEqual({ echoed: "after" });
  });

  it("reports why a child process cannot start", async () => {
    pool = createChildPool({ entry, readablePaths: ["/nowhere"], memoryMb: 256, size: 1 });
    const refused: unknown = await pool.call("pid", patient).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TransientError);
    expect(String((refused as TransientError).cause)).toMatch(/ERR_ACCESS_DENIED/);
  });

  it("gives its children no environment, no writable files, no network and no processes", async () => {
    openPool();
    expect(await pool.call("environment", patient)).toEqual([]);
    await expect(pool.call("write a file", patient)).rejects.toThrow(/restricted/);
    await expect(pool.call("open a connection", patient)).resolves.toMatch(/restricted|ERR_ACCESS_DENIED/);
    await expect(pool.call("start a process", patient)).rejects.toBeInstanceOf(PermanentError);
  });

  it("ends an idle child after a while", async () => {
    openPool({ idleMs: 1 });
    const pid = z.int().parse(await pool.call("pid", patient));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 10_000);
  });

  it("rejects waiting calls when it is closed", async () => {
    openPool();
    const calls = [pool.call("spin", patient), pool.call("next", patient)];
    pool[Symbol.dispose]();
    for (const outcome of await Promise.allSettled(calls)) expect(outcome.status).toBe("rejected");
    await expect(pool.call("late", patient)).rejects.toThrow("the pool is closed");
  });
});

it("leaves no child behind when the parent is killed while a child is stuck (CHILD-3)", async () => {
  const parent = fork(new URL("./testing/abandoning-parent.ts", import.meta.url), { stdio: "ignore" });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [{ pid }] = z.tuple([z.object({ pid: z.int() }), z.unknown()]).parse(await once(parent, "message"));
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 10_000);
});

/** This process's children whose command line names the script. */
function childrenOf(script: string): number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => {
    try {
      const about = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = about.slice(about.lastIndexOf(")")).split(" ")[2];
      return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(script);
    } catch {
      // It has exited in the meantime.
      return false;
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
