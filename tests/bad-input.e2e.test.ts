// Whatever a client sends, the whole system refuses it by name at its door, stores nothing, and continues.
import { jetstreamManager } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { PROBE_SUBJECT } from "@planwright/shared/bus";
import { echo, type TestSystem } from "@planwright/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectSocket, type SocketClient, type Told } from "./support/connect-socket.ts";
import { sharedSystem } from "./support/shared-system.ts";

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
});

const shared = sharedSystem();
let system: TestSystem;
/** One connection for all refusals: none of them may end it. */
let socket: SocketClient;
/** Another client's connection, which watches a plan all the while. */
let bystander: SocketClient;

beforeAll(async () => {
  system = shared.system;
  [socket, bystander] = await Promise.all([connectSocket(system.url), connectSocket(system.url)]);
});
afterAll(async () => {
  await Promise.all([socket, bystander].map((one) => one?.[Symbol.asyncDispose]()));
});

/** The subjects of the messages that the stream holds, without the one by which gateways find out that it takes writes. */
async function storedSubjects(stream: "PLANS" | "DEAD"): Promise<string[]> {
  const connection = await connectNats({ url: system.nats.url }, { name: "test" });
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(stream, {
      subjects_filter: ">",
    });
    return Object.keys(state.subjects ?? {}).filter((subject) => subject !== PROBE_SUBJECT);
  } finally {
    await connection.close();
  }
}

const saying = (value: unknown) => echo("a", { value });
const planOf = (...steps: unknown[]) => ({ goal: "g", plan: { steps } });
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
/** JSON that no object of this program could become. */
const rawValue = (value: string): string =>
  `{"goal":"g","plan":{"steps":[{"id":"a","tool":"flow.echo","args":{"value":${value}}}]}}`;

type Refusal = readonly [name: string, body: unknown, status: number, code: string, names: RegExp];

const OF_PLANS = [
  ["a cycle", planOf(echo("a", { dependsOn: ["b"] }), echo("b", { dependsOn: ["a"] })), /a → b → a/],
  [
    "a cycle of references",
    planOf(saying({ $ref: "b.output" }), echo("b", { value: "{{a.output}}" })),
    /a → b → a/,
  ],
  ["a step that waits for itself", planOf(echo("a", { dependsOn: ["a"] })), /step a, dependsOn\[0\].*itself/],
  ["a step that refers to itself", planOf(saying("{{a.output}}")), /step a, args\.value.*own/],
  ["a dependency on nothing", planOf(echo("a", { dependsOn: ["z"] })), /step a, dependsOn\[0\].*"z"/],
  ["a dangling reference", planOf(saying({ $ref: "z.output.rows[0]" })), /step a, args\.value.*z\.output/],
  ["a dangling reference in text", planOf(saying("see {{z.output}}")), /z\.output/],
  ["a malformed reference", planOf(saying({ $ref: "z" })), /step a, args\.value.*"z"/],
  ["an unknown tool", planOf({ ...echo("a"), tool: "flow.eco" }), /step a, tool.*"flow\.eco".*flow\.echo/],
  [
    "a bad argument",
    planOf({ id: "a", tool: "flow.wait", args: { ms: "soon" } }),
    /step a, args\.ms.*"soon"/,
  ],
  [
    "a missing argument",
    planOf({ id: "a", tool: "sql.query", args: { source: "sales" } }),
    /step a, args\.sql/,
  ],
  ["an unknown argument", planOf({ ...echo("a"), args: { value: 1, valeu: 2 } }), /step a, args\.valeu/],
  ["duplicate ids", planOf(echo("a"), echo("b"), echo("a")), /"a" at steps\[0\] and at steps\[2\]/],
  ["an id with a dot", planOf(echo("a.b")), /steps\[0\]\.id.*"a\.b"/],
  ["an id with a star", planOf(echo("*")), /steps\[0\]\.id.*"\*"/],
  ["an id with a >", planOf(echo(">")), /steps\[0\]\.id.*">"/],
  ["an id with a line break", planOf(echo("a\n")), /steps\[0\]\.id/],
  ["an id of 65 characters", planOf(echo("a".repeat(65))), /steps\[0\]\.id/],
  ["an id that is a list", planOf({ ...echo("a"), id: [7] }), /steps\[0\]\.id.*a list of 1/],
  ["a prototype key in arguments", rawValue('{"__proto__":{"x":1}}'), /step a, args\.value\.__proto__/],
  [
    "a prototype key in a step",
    '{"goal":"g","plan":{"steps":[{"__proto__":1,"id":"a","tool":"flow.echo","args":{"value":1}}]}}',
    /__proto__/,
  ],
  ["a reserved marker", planOf(saying({ $artifact: "x" })), /\$artifact/],
  ["a NUL in an argument", planOf(saying("a\0b")), /step a, args\.value.*NUL/],
  ["a lone surrogate in an argument", rawValue('"\\ud800"'), /step a, args\.value.*surrogate/],
  ["a number beyond all numbers", rawValue("1e999"), /step a, args\.value.*finite/],
  ["a wait without end", planOf({ id: "a", tool: "flow.wait", args: { ms: 1e308 } }), /step a, args\.ms/],
  ["a timeout without end", planOf(echo("a", { timeoutMs: 1e308 })), /timeoutMs/],
  ["arguments over 256 KiB", planOf(saying("x".repeat(256 * 1024))), /step a, args.*262144/],
  [
    "10,001 steps",
    planOf(...Array.from({ length: 10_001 }, (_, index) => echo(`s${index}`))),
    /10000.*10001/,
  ],
  ["arguments nested too deeply", rawValue(nested(80)), /step a, args\.value.*nesting/],
  ["no steps", planOf(), /steps.*empty/],
  ["a plan that is an empty list", { goal: "g", plan: [] }, /steps.*empty/],
  ["an unknown field of a step", planOf({ ...echo("a"), priority: 1 }), /priority/],
  [
    "two names of one field",
    planOf({ ...echo("a"), depends_on: [], dependsOn: [] }),
    /unknown field "depends_on": use "dependsOn"/,
  ],
  ["an answer from nowhere", { goal: "g", plan: { steps: [echo("a")], answerFrom: "z" } }, /answerFrom.*"z"/],
  ["a pool that no subject can hold", planOf(echo("a", { agent: "a.*" })), /agent/],
] as const satisfies readonly (readonly [string, unknown, RegExp])[];

const OF_REQUESTS = [
  ["no goal", {}, /goal/],
  ["an empty goal", { goal: " \n" }, /goal/],
  ["an over-long goal", { goal: "x".repeat(20_001) }, /goal.*20000/],
  ["a goal that is a list", { goal: ["g"] }, /goal: wanted text, got a list of 1/],
  ["a NUL in the goal", { goal: "a\0b" }, /goal.*NUL/],
  ["a lone surrogate in the goal", '{"goal":"\\udfff"}', /goal.*surrogate/],
  ["an unknown field", { goal: "g", gaol: 1 }, /gaol/],
  ["a prototype key", '{"goal":"g","__proto__":{"plan":1}}', /__proto__/],
  ["a prototype key in metadata", '{"goal":"g","metadata":{"a":{"__proto__":1}}}', /metadata\.a.*__proto__/],
  [
    "a number beyond all numbers in metadata",
    '{"goal":"g","metadata":{"a":[1e999]}}',
    /metadata\.a\[0\].*finite/,
  ],
  ["metadata over 64 KiB", { goal: "g", metadata: { a: "x".repeat(65_536) } }, /metadata.*65536/],
  ["an unknown strategy", { goal: "g", strategy: "guess" }, /strategy.*parallel/],
  ["revisions without end", { goal: "g", maxReplans: 1e308 }, /maxReplans/],
  ["half a revision", { goal: "g", maxReplans: 0.5 }, /maxReplans/],
  ["constraints as text", { goal: "g", constraints: "be brief" }, /constraints/],
  ["a tool that could be a subject", { goal: "g", tools: ["flow.>"] }, /tools\[0\]/],
  ["a list instead of a body", [], /body/],
  ["null instead of a body", "null", /body/],
] as const satisfies readonly (readonly [string, unknown, RegExp])[];

const REFUSALS: readonly Refusal[] = [
  ...OF_PLANS.map(([name, body, names]): Refusal => [name, body, 422, "invalid_plan", names]),
  ...OF_REQUESTS.map(([name, body, names]): Refusal => [name, body, 400, "invalid_request", names]),
  ["an unknown tool among the allowed", { goal: "g", tools: ["no.such"] }, 422, "unknown_tool", /no\.such/],
  ["an unknown data source", { goal: "g", data: ["nowhere"] }, 422, "unknown_source", /nowhere/],
];

const NOT_JSON: readonly [name: string, body: string, names: RegExp][] = [
  ["malformed JSON", '{"goal": "x"', /JSON/],
  ["JSON with something after it", '{"goal":"g"} x', /JSON at position 13/],
  ["a form", "goal=g", /JSON/],
  ["an empty body", "", /empty/],
  ["nesting without end", `{"metadata":{"a":${nested(100_000)}}}`, /nesting/],
];

const post = (
  body: NonNullable<RequestInit["body"]>,
  headers: Record<string, string> = { "content-type": "application/json" },
) => system.client.fetch("/v1/plans", { method: "POST", body, headers });

async function problemOf(response: Response): Promise<z.infer<typeof Problem>> {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));
const answerTo = (id: unknown) => (message: Told) => message["id"] === id;

// In this order: until the last part nothing is stored, and then everything still works.
describe("refused input", () => {
  afterEach(async () => {
    const subjects = await storedSubjects("PLANS");
    if (subjects.length > 0) throw new Error(`wanted nothing in the log, got ${subjects.join(", ")}`);
  });

  it.each(REFUSALS)("over HTTP: %s", async (_, body, status, code, names) => {
    const problem = await problemOf(await post(textOf(body)));
    expect(problem).toMatchObject({ status, code, detail: expect.stringMatching(names) });
    expect(problem.detail.length).toBeLessThan(2_000);
  });

  it.each(REFUSALS)("over WebSocket: %s", async (name, body, _, code, names) => {
    socket.say(`{"id":${JSON.stringify(name)},"type":"submit","body":${textOf(body)}}`);
    const told = await socket.hear(answerTo(name));
    expect(told).toMatchObject({ type: "error", code, message: expect.stringMatching(names) });
  });

  it.each(NOT_JSON)("over HTTP: %s", async (_, body, names) => {
    const problem = await problemOf(await post(body));
    expect(problem).toMatchObject({
      status: 400,
      code: "malformed_json",
      detail: expect.stringMatching(names),
    });
  });

  it.each(NOT_JSON)("as a frame: %s", async (_, body, names) => {
    await using own = await connectSocket(system.url);
    own.say(body);
    const told = await own.hear(({ type }) => type === "error");
    expect(told).toMatchObject({ code: "malformed_json", message: expect.stringMatching(names) });
    expect(told["id"]).toBeUndefined();
  });

  it("a body that is no text at all, whatever it is called", async () => {
    for (const type of ["application/json", "image/png", "text/html", "application/octet-stream"]) {
      const response = await post(new Uint8Array([0x89, 0x50, 0, 0xff, 0xfe]), { "content-type": type });
      expect([type, (await problemOf(response)).code]).toEqual([type, "malformed_json"]);
    }
  });

  it("50 MB of body, with and without its length", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x20);
    const announced = await post(new Uint8Array(50 * 1024 * 1024).fill(0x20));
    expect(await problemOf(announced)).toMatchObject({ status: 413, code: "body_too_large" });
    let left = 50;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as const;
    const streamed = await system.client.fetch("/v1/plans", init);
    expect(await problemOf(streamed)).toMatchObject({ status: 413, code: "body_too_large" });
  });

  it("frames of no known kind, one by one", async () => {
    const frames: [object | Buffer, object][] = [
      [
        { id: "f1", type: "dance" },
        { id: "f1", code: "invalid_request" },
      ],
      [{ id: "f2" }, { id: "f2", code: "invalid_request" }],
      [
        { id: "f3", type: "watch" },
        { id: "f3", code: "invalid_request" },
      ],
      [
        { id: "f4", type: "watch", planId: "a.*" },
        { id: "f4", code: "plan_not_found" },
      ],
      [
        { id: "f5", type: "watch", planId: "p", after: -1 },
        { id: "f5", code: "invalid_request" },
      ],
      [
        { id: "f6", type: "cancel", planId: ">" },
        { id: "f6", code: "plan_not_found" },
      ],
      [
        { id: "f7", type: "submit" },
        { id: "f7", code: "invalid_request" },
      ],
      [
        { id: "f8", type: "submit", body: { goal: "g" }, idempotencyKey: "two words" },
        { id: "f8", code: "invalid_request" },
      ],
      [
        { id: "f9", type: "unwatch", planId: "p", extra: 1 },
        { id: "f9", code: "invalid_request" },
      ],
    ];
    for (const [frame] of frames) socket.say(frame);
    for (const [frame, expected] of frames) {
      const id = "id" in frame ? frame.id : undefined;
      expect(await socket.hear(answerTo(id))).toMatchObject({ type: "error", ...expected });
    }
    socket.say(Buffer.from('{"id":"bin","type":"dance"}'));
    const binary = await socket.hear(({ message }) => String(message).includes("binary"));
    expect(binary).toMatchObject({ type: "error", code: "invalid_request" });
  });

  it("a frame over the limit ends only its own connection, with the matching code", async () => {
    await using own = await connectSocket(system.url);
    own.say(`"${"x".repeat(5 * 1024 * 1024)}"`);
    expect(await own.closed()).toBe(1009);
    socket.say({ id: "still-here", type: "unwatch", planId: "p" });
    expect(await socket.hear(answerTo("still-here"))).toMatchObject({ type: "ok" });
  });

  it("pages of other sites", async () => {
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      await expect(connectSocket(system.url, { origin })).rejects.toThrow("403");
      const response = await post(JSON.stringify({ goal: "g" }), { origin, "content-type": "text/plain" });
      expect(await problemOf(response)).toMatchObject({ status: 403, code: "foreign_origin" });
    }
  });

  it("questions about plans that no plan could have as its id", async () => {
    for (const planId of ["nope", "a.b", "*", "%3E", "%00", "..%2f..", "__proto__", "x".repeat(500)]) {
      for (const rest of ["", "/events", "/artifacts", "/artifacts/x", "/trace"]) {
        const response = await system.client.fetch(`/v1/plans/${planId}${rest}`);
        expect([planId, rest, (await problemOf(response)).code]).toEqual([planId, rest, "plan_not_found"]);
      }
    }
  });
});

describe("afterwards", () => {
  it("everything works, also for those who were connected all the while", async () => {
    bystander.say({
      id: "w",
      type: "submit",
      body: {
        goal: "g",
        plan: { steps: [echo("__proto__"), echo("constructor")], answerFrom: "constructor" },
      },
      watch: true,
    });
    const accepted = await bystander.hear(answerTo("w"));
    expect(accepted).toMatchObject({ type: "accepted" });
    await bystander.hear(({ type, event }) => type === "event" && typeOf(event) === "plan.ended");
    const view = await system.client.view(String(accepted["planId"]));
    expect(view.steps.map(({ id, status }) => [id, status])).toEqual([
      ["__proto__", "succeeded"],
      ["constructor", "succeeded"],
    ]);
    expect(await storedSubjects("DEAD")).toEqual([]);
    expect(system.processes("gateway")[0]?.output()).not.toMatch(/"level":(50|60)/);
  });
});

describe("a plan at every limit of a step", () => {
  it("runs", async () => {
    const text = (chars: number): string => "x".repeat(chars);
    const id = text(64);
    const value = { list: Array.from({ length: 61 }).reduce((inner: unknown) => [inner], 1), text: "" };
    const room = 256 * 1024 - JSON.stringify({ value }).length;
    const step = echo(id, {
      description: text(2_000),
      value: { ...value, text: text(room) },
      timeoutMs: 86_400_000,
      retry: { maxAttempts: 5, backoffMs: 3_600_000 },
      confidence: 1,
    });
    const constraints = Array.from({ length: 50 }, () => text(2_000));
    const after = echo("after", { value: { $ref: `${id}.output.list` } });
    const plan = { steps: [step, after], answerFrom: "after", reasoning: text(20_000) };
    const body = { goal: text(20_000), constraints, metadata: { a: text(65_000) }, maxReplans: 20, plan };
    const { planId } = await system.client.submit(body, { "idempotency-key": text(255) });
    const view = await system.client.ended(planId);
    expect([view.status, view.answer?.data]).toEqual(["succeeded", value.list]);
  });
});

function typeOf(event: unknown): string {
  return z.object({ type: z.string() }).parse(event).type;
}
