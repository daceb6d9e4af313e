// A request at each limit is accepted; one beyond is refused with the field, the expected and the actual value.
import { LIMITS } from "@planwright/plan";
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { connectSocket } from "./support/connect-socket.ts";
import { sharedGateway } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const text = (chars: number): string => "x".repeat(chars);
const listOf = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));
const goal = (more: object) => ({ goal: "g", ...more });

/** A body of exactly this size: white space around JSON counts. */
const bodyOf = (bytes: number): string => JSON.stringify({ goal: "g" }).padEnd(bytes, " ");
/** Metadata that takes `bytes` bytes as JSON. */
const metadataOf = (bytes: number) => ({ a: text(bytes - JSON.stringify({ a: "" }).length) });
/** Metadata whose innermost list is `levels` deep in the body. */
const nested = (levels: number): string =>
  `{"goal":"g","metadata":{"a":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;

type Row = readonly [limit: string, make: (size: number) => unknown, max: number, code: string, says: RegExp];

const BODIES: readonly Row[] = [
  ["bytes of body", bodyOf, 4 * MIB, "body_too_large", /too large/],
  ["levels of nesting", nested, 100, "malformed_json", /at most 100 levels of nesting, got more/],
  [
    "characters of a goal",
    (chars) => ({ goal: text(chars) }),
    20_000,
    "invalid_request",
    /^goal: wanted at most 20000 characters, got .*20001 characters/,
  ],
  [
    "constraints",
    (count) => goal({ constraints: listOf(count, () => "c") }),
    50,
    "invalid_request",
    /^constraints: wanted at most 50 entries, got a list of 51$/,
  ],
  [
    "characters of a constraint",
    (chars) => goal({ constraints: [text(chars)] }),
    2_000,
    "invalid_request",
    /^constraints\[0\]: wanted at most 2000 characters, got .*2001/,
  ],
  [
    "allowed tools",
    (count) => goal({ tools: listOf(count, () => "flow.echo") }),
    200,
    "invalid_request",
    /^tools: wanted at most 200 entries, got a list of 201$/,
  ],
  [
    "revisions",
    (maxReplans) => goal({ maxReplans }),
    20,
    "invalid_request",
    /^maxReplans: wanted at most 20, got 21$/,
  ],
  [
    "bytes of metadata",
    (bytes) => goal({ metadata: metadataOf(bytes) }),
    64 * 1024,
    "invalid_request",
    /^metadata: wanted at most 65536 bytes as JSON, got 65537$/,
  ],
  [
    "characters of a metadata key",
    (chars) => goal({ metadata: { [text(chars)]: 1 } }),
    128,
    "invalid_request",
    /^metadata.*: wanted a valid key/,
  ],
  [
    "milliseconds of an approval",
    (expiresAfterMs) => goal({ approval: { expiresAfterMs } }),
    30 * DAY_MS,
    "invalid_request",
    /^approval\.expiresAfterMs: wanted at most 2592000000, got 2592000001$/,
  ],
  [
    "tokens of a budget",
    (tokens) => goal({ budget: { tokens } }),
    1_000_000_000,
    "invalid_request",
    /^budget\.tokens: wanted at most 1000000000, got 1000000001$/,
  ],
  [
    "seconds of a budget",
    (seconds) => goal({ budget: { seconds } }),
    2_592_000,
    "invalid_request",
    /^budget\.seconds: wanted at most 2592000, got 2592001$/,
  ],
  [
    "steps of a budget",
    (steps) => goal({ budget: { steps } }),
    1_000_000,
    "invalid_request",
    /^budget\.steps: wanted at most 1000000, got 1000001$/,
  ],
  [
    "steps",
    (count) => goal({ plan: { steps: listOf(count, (index) => echo(`s${index}`)) } }),
    LIMITS.stepsMax,
    "invalid_plan",
    /^steps: wanted at most 10000 steps, got 10001/,
  ],
];

const QUERIES: readonly (readonly [
  limit: string,
  path: (size: number) => string,
  max: number,
  says: RegExp,
])[] = [
  ["plans of a page", (limit) => `/v1/plans?limit=${limit}`, 200, /^limit: wanted at most 200, got "201"$/],
  [
    "characters of a search",
    (chars) => `/v1/plans?q=${text(chars)}`,
    500,
    /^q: wanted at most 500 characters, got .*501 characters/,
  ],
];

const submit = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.post("/v1/plans", body, headers);

describe("a request", () => {
  it.each(BODIES)("can have as many %s as allowed", async (_limit, make, max) => {
    const response = await submit(make(max));
    expect([response.status, await response.text()]).toEqual([202, expect.stringContaining("planId")]);
  });

  it.each(BODIES)("is refused with one of the %s too many", async (_limit, make, max, code, says) => {
    const before = await system.stored();
    const problem = await (await submit(make(max + 1))).json();
    expect(problem).toMatchObject({ code, detail: expect.stringMatching(says) });
    expect(await system.stored()).toBe(before);
  });

  it.each(QUERIES)("can request as many %s as allowed, and no more", async (_limit, path, max, says) => {
    expect((await gateway.get(path(max))).status).toBe(200);
    const problem = await (await gateway.get(path(max + 1))).json();
    expect(problem).toMatchObject({ code: "invalid_request", detail: expect.stringMatching(says) });
  });

  it("can have an Idempotency-Key of 255 characters, but not of 256", async () => {
    expect((await submit({ goal: "g" }, { "idempotency-key": text(255) })).status).toBe(202);
    const problem = await (await submit({ goal: "g" }, { "idempotency-key": text(256) })).json();
    expect(problem).toMatchObject({
      code: "invalid_request",
      detail: expect.stringMatching(/idempotency-key.*: wanted 1 to 255 printable characters, got .*256/),
    });
  });

  it("is refused with more headers than the server reads", async () => {
    const headers = Object.fromEntries(listOf(200, (index) => [`x-${index}`, text(100)]));
    const response = await gateway.get("/v1/plans", headers);
    expect(response.status).toBe(431);
  });
});

describe("a frame", () => {
  it("can hold a body as large as HTTP allows, and its envelope", async () => {
    await using socket = await connectSocket(gateway.url);
    socket.say(
      JSON.stringify({ id: 1, type: "submit", body: { goal: "g" } }).padEnd(4 * MIB + 64 * 1024, " "),
    );
    expect(await socket.hear(({ id }) => id === 1)).toMatchObject({ type: "accepted" });
    socket.say(text(4 * MIB + 64 * 1024 + 1));
    expect(await socket.closed()).toBe(1009);
  });

  it("can have an id of 128 characters, but not of 129", async () => {
    await using socket = await connectSocket(gateway.url);
    socket.say({ id: text(128), type: "unwatch", planId: "p" });
    expect(await socket.hear(({ id }) => id === text(128))).toMatchObject({ type: "ok" });
    socket.say({ id: text(129), type: "unwatch", planId: "p" });
    expect(await socket.hear(({ type }) => type === "error")).toMatchObject({ code: "invalid_request" });
  });
});
