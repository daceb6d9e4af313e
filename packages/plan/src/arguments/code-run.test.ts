// Programs that call tools are loops: they start in the log, and only once their plan is complete.
import { describe, expect, it } from "vitest";
import { after, stepOf, submitted } from "../../test/facts.ts";
import { CODE_RUN } from "./code-run.ts";

const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 60_000 } as const;
const grantOf = (args: object, more: object = {}) =>
  stepOf(
    after(submitted([{ id: "a", tool: CODE_RUN, args }], { grants: { [CODE_RUN]: { ...grant, ...more } } })),
    "a",
  ).grant;

describe("the grant of a program", () => {
  it.each([{}, { tools: [] }])("is that of code.run if the program calls no tool: %j", (args) => {
    expect(grantOf(args)).toEqual(grant);
  });

  it.each([
    [{ tools: ["docs.search"] }, {}],
    [{ tools: ["docs.search", "model.write"] }, { modelTokens: 65_536 }],
    [{ tools: [{ $ref: "b.output" }] }, { modelTokens: 65_536 }],
    [{ tools: { $ref: "b.output" } }, { modelTokens: 65_536 }],
  ])("is that of a loop if the program calls tools: %j", (args, more) => {
    expect(grantOf(args)).toEqual({ ...grant, risk: "medium", effect: "idempotent", ...more });
  });

  it("keeps the risk that the operator set", () => {
    expect(grantOf({ tools: ["docs.search"] }, { risk: "high" })).toMatchObject({ risk: "high" });
  });
});
