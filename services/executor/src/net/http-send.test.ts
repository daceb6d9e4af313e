// http.send against real servers on loopback: what was sent, and what each failure says about the effect.
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { startEffectCounter } from "@planwright/testkit";
import { createServer } from "node:net";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createSender, httpSend } from "./http-send.ts";
import { FETCH_LIMITS } from "./create-fetcher.ts";
import { NotDoneError } from "@planwright/tools-kit";
import { type HttpServer, redirect, type Route, startHttpServer } from "../testing/http-server.ts";
import { testContext } from "../tools/testing/test-context.ts";

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

const tool = (allow: readonly string[], totalMs = FETCH_LIMITS.totalMs) =>
  httpSend({ sender: createSender({ allow, limits: { ...FETCH_LIMITS, totalMs }, now: () => 0 }) });

const status =
  (code: number, headers: Record<string, string> = {}): Route =>
  (_request, response) =>
    response.writeHead(code, headers).end("{}");

async function failureOf(route: Route, totalMs?: number): Promise<unknown> {
  server = await startHttpServer({ "/": route });
  const sending = tool([server.host], totalMs).run({ url: server.url("/"), body: 1 }, testContext());
  return sending.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

describe("http.send", () => {
  it("sends its body as JSON with the effect key, and returns the response", async () => {
    await using effects = await startEffectCounter();
    const output = await tool([effects.host]).run(
      { url: effects.url("plain"), body: { n: 1 } },
      testContext(),
    );
    expect(output).toEqual({
      status: 200,
      contentType: "application/json",
      body: { key: "p1/s1/0/0", times: 1 },
    });
    expect(effects.counts()).toEqual(new Map([["p1/s1/0/0", 1]]));
  });

  it("sends nothing to a private address that is not allowed", async () => {
    await using effects = await startEffectCounter();
    await expect(tool([]).run({ url: effects.url("plain") }, testContext())).rejects.toThrow(
      /address refused/,
    );
    expect(effects.requests).toEqual([]);
  });
});

describe("a failure with nothing done", () => {
  it.each([400, 403, 404, 409, 422])("is permanent when the target responds with %i", async (code) => {
    expect(await failureOf(status(code))).toMatchObject({ name: "PermanentError", code: "http_status" });
  });

  it("is permanent when the target redirects, which is not followed", async () => {
    expect(await failureOf(redirect("/elsewhere", 307))).toBeInstanceOf(PermanentError);
    expect(server?.asked).toEqual(["/"]);
  });

  it.each([408, 425, 429])("is temporary when the target responds with %i", async (code) => {
    const error = await failureOf(status(code, { "retry-after": "7" }));
    expect(error).toBeInstanceOf(NotDoneError);
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  it("is temporary when no server listens", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    closed.close();
    await once(closed, "close");
    await expect(tool([host]).run({ url: `http://${host}/` }, testContext())).rejects.toBeInstanceOf(
      NotDoneError,
    );
  });
});

describe("a failure with an unknown outcome", () => {
  it.each<[string, Route]>([
    ["the target answered 500", status(500)],
    ["the target answered 503", status(503, { "retry-after": "1" })],
    ["the connection is lost before an answer", (request) => request.socket.destroy()],
    [
      "the answer breaks off",
      (_request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", () => response.destroy());
      },
    ],
    ["the answer is packed as nobody asked", status(200, { "content-encoding": "compress" })],
  ])("is reported when %s", async (_why, route) => {
    const error = await failureOf(route);
    expect(error).toBeInstanceOf(TransientError);
    expect(error).not.toBeInstanceOf(NotDoneError);
  });

  it("is reported when no answer arrives in time", async () => {
    const error = await failureOf(() => undefined, 100);
    expect(error).toBeInstanceOf(TransientError);
    expect(error).not.toBeInstanceOf(NotDoneError);
  });
});

describe("a check of http.send", () => {
  it("returns what the target reports about the key", async () => {
    await using effects = await startEffectCounter();
    const args = { url: effects.url("plain"), checkUrl: effects.url("check"), body: 1 };
    const { run, check } = tool([effects.host]);
    expect(await check(args, testContext())).toEqual({ kind: "not-done" });
    await run(args, testContext());
    expect(await check(args, testContext())).toMatchObject({ kind: "done", output: { status: 200 } });
    expect(effects.count("p1/s1/0/0")).toBe(1);
  });

  it("returns unknown without a check URL or when the response is inconclusive", async () => {
    server = await startHttpServer({ "/check": status(500) });
    const { check } = tool([server.host]);
    expect(await check({ url: server.url("/") }, testContext())).toEqual({ kind: "unknown" });
    const args = { url: server.url("/"), checkUrl: server.url("/check") };
    expect(await check(args, testContext())).toEqual({ kind: "unknown" });
  });
});

it("can run again with the same key if the target declares that it drops repeats", () => {
  const { rejectsRepeatedKeys } = tool([]);
  expect(rejectsRepeatedKeys({ url: "https://example.org" })).toBe(false);
  expect(rejectsRepeatedKeys({ url: "https://example.org", rejectsRepeats: true })).toBe(true);
});
