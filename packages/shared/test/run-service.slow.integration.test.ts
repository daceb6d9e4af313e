// A service as a real child process, as seen by its parent and its operator.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";

const fixture = new URL("./fixtures/sample-service.ts", import.meta.url);

/** Shared, so that later processes need not compile the same code again. */
const { NODE_COMPILE_CACHE = "" } = process.env;

/** Forks the sample service; disposing kills it if a test has failed to end it. */
function startSample(env: Record<string, string>) {
  const child = fork(fixture, {
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.err += text));
  // Not `close`, which is never emitted when the parent itself has closed the channel.
  const closed = Promise.all([
    once(child, "exit"),
    ...[child.stdout, child.stderr].map((stream) => stream && once(stream, "end")),
  ]);
  return {
    child,
    ready: once(child, "message").then(([message]: unknown[]) => message),
    output,
    async ended() {
      await closed;
      return { code: child.exitCode, signal: child.signalCode, ...output };
    },
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

function logged(child: ChildProcess, phrase: string): Promise<void> {
  return new Promise((seen) => {
    child.stdout?.on("data", (text: string) => text.includes(phrase) && seen());
  });
}

describe("a service process", () => {
  it("announces itself, and drains and exits with 0 on SIGTERM (SERVICE-2, SERVICE-3)", async () => {
    using sample = startSample({});
    expect(await sample.ready).toEqual({ type: "ready", service: "sample", url: "http://127.0.0.1:0" });
    sample.child.kill("SIGTERM");
    const { code, out } = await sample.ended();
    expect(code).toBe(0);
    const phrases = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg);
    expect(phrases).toEqual(["started", "stopping", "drained", "stopped"]);
  });

  it("stops when its parent is gone (SERVICE-2)", async () => {
    using sample = startSample({});
    await sample.ready;
    sample.child.disconnect();
    expect(await sample.ended()).toMatchObject({ code: 0, out: expect.stringContaining("drained") });
  });

  it("still drains when SIGTERM follows SIGINT (SERVICE-2)", async () => {
    using sample = startSample({ MODE: "slow-stop" });
    await sample.ready;
    const stopping = logged(sample.child, "stopping");
    sample.child.kill("SIGINT");
    await stopping;
    sample.child.kill("SIGTERM");
    expect(await sample.ended()).toMatchObject({ code: 0, out: expect.stringContaining("drained") });
  });

  it("is killed by a second signal of the same kind (SERVICE-2)", async () => {
    using sample = startSample({ MODE: "stuck" });
    await sample.ready;
    const stopping = logged(sample.child, "stopping");
    sample.child.kill("SIGINT");
    await stopping;
    sample.child.kill("SIGINT");
    expect(await sample.ended()).toMatchObject({ code: null, signal: "SIGINT" });
  });

  it("is forced to end with code 1 when it cannot stop in time, and reports what keeps it running (SERVICE-3)", async () => {
    using sample = startSample({ MODE: "stuck" });
    await sample.ready;
    sample.child.kill("SIGTERM");
    const { code, out } = await sample.ended();
    expect(code).toBe(1);
    const last = JSON.parse(out.trim().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ msg: "did not stop in time", open: { Timeout: expect.any(Number) } });
  });

  it("abandons a start that is interrupted, with code 0", async () => {
    using sample = startSample({ MODE: "slow-start" });
    await logged(sample.child, "starting slowly");
    sample.child.kill("SIGTERM");
    expect(await sample.ended()).toMatchObject({ code: 0, out: expect.not.stringContaining("started") });
  });

  it("fails with code 1 when it ends unexpectedly", async () => {
    using sample = startSample({ MODE: "ends" });
    expect(await sample.ended()).toMatchObject({
      code: 1,
      out: expect.stringContaining("unexpectedly"),
    });
  });

  it("reports why it cannot start in one line without a stack", async () => {
    using sample = startSample({ MODE: "refuses" });
    const { code, out } = await sample.ended();
    expect(code).toBe(1);
    expect(out).toContain('"code":"port_taken","reason":"port 1 is taken"');
    expect(out).not.toContain("stack");
  });

  it("keeps the stack of an unexpected error", async () => {
    using sample = startSample({ MODE: "throws" });
    expect(await sample.ended()).toMatchObject({
      code: 1,
      out: expect.stringContaining("sample-service.ts"),
    });
  });

  it("ends even if nothing reads its output any more", async () => {
    using sample = startSample({ MODE: "ends" });
    sample.child.stdout?.destroy();
    expect(await once(sample.child, "exit")).toEqual([1, null]);
  });

  it("rejects an invalid environment with every fault, code 1 and no stack (SERVICE-1)", async () => {
    using sample = startSample({ PORT: "http", LOG_LEVEL: "loud", NATS_URL: "nats://me:hush@" });
    const { code, err, out } = await sample.ended();
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err.trim().split("\n")).toEqual([
      "sample: cannot start, the environment has 3 faults:",
      expect.stringContaining("NATS_URL: wanted URLs separated by commas, each starting with nats://"),
      '  LOG_LEVEL: wanted one of trace, debug, info, warn, error, fatal, silent, came "loud"',
      '  PORT: wanted a port number from 0 to 65535, came "http"',
    ]);
    expect(err).not.toContain("hush");
  });
});
