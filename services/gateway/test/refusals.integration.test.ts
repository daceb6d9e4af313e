// Everything that the gateway refuses: a clear 4xx that names the fault, and nothing stored.
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { sharedGateway } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const planOf = (...steps: object[]) => ({ goal: "g", plan: { steps } });
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const REFUSALS: readonly [name: string, body: unknown, status: number, code: string, names: RegExp][] = [
  ["malformed JSON", '{"goal": "x"', 400, "malformed_json", /JSON/],
  ["an empty body", "", 400, "malformed_json", /empty/],
  [
    "a body without end to its nesting",
    `{"metadata":{"a":${nested(200_000)}}}`,
    400,
    "malformed_json",
    /nesting/,
  ],
  ["a list instead of a body", [], 400, "invalid_request", /body/],
  ["no goal", {}, 400, "invalid_request", /goal/],
  ["an empty goal", { goal: "  " }, 400, "invalid_request", /goal/],
  ["an unknown field", { goal: "g", gaol: 1 }, 400, "invalid_request", /gaol/],
  ["an unknown strategy", { goal: "g", strategy: "guess" }, 400, "invalid_request", /strategy/],
  [
    "a review of the draft of a submitted plan",
    { ...planOf(echo("a")), review: { plan: true } },
    400,
    "invalid_request",
    /review\.plan: a submitted plan has no draft/,
  ],
  [
    "a review of the draft where none is written",
    { goal: "g", strategy: "direct", review: { plan: { again: true } } },
    400,
    "invalid_request",
    /review\.plan: the strategy direct/,
  ],
  ["a lone surrogate", '{"goal":"\\ud800"}', 400, "invalid_request", /surrogate/],
  ["a NUL", { goal: "a\0b" }, 400, "invalid_request", /NUL/],
  [
    "metadata beyond the limit",
    { goal: "g", metadata: { a: "x".repeat(70_000) } },
    400,
    "invalid_request",
    /metadata/,
  ],
  [
    "a NUL in metadata",
    { goal: "g", metadata: { a: ["x\0"] } },
    400,
    "invalid_request",
    /metadata\.a\[0\].*NUL/,
  ],
  ["half a character in a key", '{"goal":"g","metadata":{"\\ud800":1}}', 400, "invalid_request", /surrogate/],
  [
    "a number beyond all numbers",
    '{"goal":"g","metadata":{"a":1e999}}',
    400,
    "invalid_request",
    /metadata\.a.*finite/,
  ],
  [
    "a key that would be lost",
    '{"goal":"g","metadata":{"__proto__":1}}',
    400,
    "invalid_request",
    /__proto__/,
  ],
  [
    "an unknown tool in tools",
    { goal: "g", tools: ["flow.echo", "no.such"] },
    422,
    "unknown_tool",
    /no\.such/,
  ],
  [
    "a program for no data source",
    { goal: "g", strategy: "code" },
    422,
    "data_required",
    /^data: .*got none/,
  ],
  [
    "a program for an empty list of them",
    { goal: "g", strategy: "code", data: [] },
    422,
    "data_required",
    /^data: /,
  ],
  ["an unknown data source", { goal: "g", data: ["sales"] }, 422, "unknown_source", /sales/],
  ["a plan that is no plan", { goal: "g", plan: 7 }, 422, "invalid_plan", /^plan: wanted an object.*7/],
  ["a plan without steps", planOf(), 422, "invalid_plan", /step/],
  [
    "a cycle",
    planOf(echo("a", { dependsOn: ["b"] }), echo("b", { dependsOn: ["a"] })),
    422,
    "invalid_plan",
    /a → b → a/,
  ],
  ["an unknown tool in a plan", planOf({ ...echo("a"), tool: "flow.eco" }), 422, "invalid_plan", /flow\.eco/],
  [
    "a dangling reference",
    planOf(echo("a", { value: { $ref: "z.output" } })),
    422,
    "invalid_plan",
    /z\.output/,
  ],
  ["a bad argument", planOf({ id: "a", tool: "flow.wait", args: { ms: "soon" } }), 422, "invalid_plan", /ms/],
  [
    "a tool outside the allowed ones",
    { ...planOf(echo("a")), tools: ["flow.wait"] },
    422,
    "invalid_plan",
    /flow\.echo/,
  ],
  [
    "a sequence against its references",
    { ...planOf(echo("a", { dependsOn: ["b"] }), echo("b")), strategy: "sequential" },
    422,
    "invalid_plan",
    /→/,
  ],
  [
    "a prototype key",
    '{"goal":"g","plan":{"steps":[{"id":"a","tool":"flow.echo","args":{"value":{"__proto__":1}}}]}}',
    422,
    "invalid_plan",
    /__proto__/,
  ],
];

describe("a refusal", () => {
  it.each(REFUSALS)("of %s names the fault and stores nothing", async (_, body, status, code, names) => {
    const response = await gateway.post("/v1/plans", body);
    const problem = (await response.json()) as { code: string; detail: string; status: number };
    expect(problem).toMatchObject({ status, code });
    expect(problem.detail).toMatch(names);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(await system.stored()).toBe(0);
  });

  it("of a plan lists every issue with its step and field", async () => {
    const body = planOf({ ...echo("a"), tool: "no.such" }, echo("b", { dependsOn: ["c"] }));
    const problem = await (await gateway.post("/v1/plans", body)).json();
    expect(problem).toMatchObject({
      issues: [
        { stepId: "a", field: "tool", code: "unknown_tool" },
        { stepId: "b", field: "dependsOn[0]", code: "unknown_dependency" },
      ],
    });
  });

  it.each(["", "x".repeat(256), "two words"])("of the idempotency key %j explains it", async (key) => {
    const response = await gateway.post("/v1/plans", { goal: "g" }, { "idempotency-key": key });
    expect(await response.json()).toMatchObject({
      code: "invalid_request",
      detail: expect.stringContaining("idempotency-key"),
    });
  });

  it("reaches a client that sends 50 MB", async () => {
    const body = JSON.stringify({ goal: "x".repeat(50 * 1024 * 1024) });
    const response = await gateway.post("/v1/plans", body);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "body_too_large" });
    expect(await system.stored()).toBe(0);
  });

  it("reaches a client that sends 50 MB without declaring the size", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(32);
    let left = 50;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const response = await fetch(`${gateway.url}/v1/plans`, {
      method: "POST",
      body,
      duplex: "half",
    });
    expect(response.status).toBe(413);
  });

  it("of an unknown plan or path is a 404 in the same form", async () => {
    for (const path of ["/v1/plans/nope", "/v1/plans/nope/events", "/v1/plans/a.b*"]) {
      const response = await gateway.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: "plan_not_found" });
    }
    expect(await (await gateway.get("/v1/nothing")).json()).toMatchObject({ code: "not_found" });
  });
});
