// The contents of a policy file, and what it requires of calls with known, unusual or missing arguments.
import { describe, expect, it } from "vitest";
import { isDenied, isToolDenied, policyAlwaysRequires, policyRequires, decidersOf } from "./gates.ts";
import type { GateRule } from "./gate-policy.ts";
import { fitsPattern } from "./match-rules.ts";
import { PolicyFile, policyOf } from "./policy-file.ts";

const rules = (...list: GateRule[]) => ({ rules: list });
const refund = (args?: object) => ({ tool: "refund", args: args as never, risk: "medium" }) as const;
const below100 = rules(
  { tools: ["refund"], when: "amount < 100", requireApproval: false },
  { tools: ["refund"], requireApproval: true },
);

describe("a pattern", () => {
  it.each([
    ["email.send", "email.send", true],
    ["email.send", "email.*", true],
    ["email.sender", "email.send", false],
    ["email", "email.*", false],
    ["a.b.c", "*.c", true],
    ["a.b.c", "a*b*c", true],
    ["abc", "a*bc*c", false],
    ["aba", "ab*ba", false],
    ["anything", "*", true],
    ["aXb", "a.b", false],
  ])("matches %s with %s: %s", (name, pattern, fits) => {
    expect(fitsPattern(name, pattern)).toBe(fits);
  });
});

describe("a rule with a condition over arguments", () => {
  it.each([
    [{ amount: 99 }, false],
    [{ amount: 100 }, true],
    [{}, true],
    [{ amount: null }, true],
    [{ amount: "5" }, true],
    [{ amount: { $artifact: "outputs/a.json", path: [] } }, true],
    [{ amount: { $template: ["1", { $artifact: "a", path: [] }] } }, true],
    [undefined, true],
  ])(
    "lifts the gate only if its condition is certainly true: %j needs approval: %s (POLICY-1)",
    (args, required) => {
      expect(policyRequires(below100, refund(args))).toBe(required);
    },
  );

  it.each([
    ["not amount > 100", {}],
    ["not (amount > 100)", { amount: "a lot" }],
    ["amount > 100 or not limit >= 5", { amount: 7 }],
  ])("does not lift the gate based on missing arguments: %s with %j", (when, args) => {
    const policy = rules(
      { tools: ["*"], when, requireApproval: false },
      { tools: ["*"], requireApproval: true },
    );
    expect(policyRequires(policy, refund(args))).toBe(true);
  });

  it.each([
    [{ amount: 5 }, false],
    [{ amount: 5_000 }, true],
    [{ amount: "5000" }, true],
    [{ amount: [5_000] }, true],
  ])("denies calls that it cannot evaluate: %j is denied: %s (POLICY-1)", (args, denied) => {
    const policy = rules({ tools: ["refund"], when: "amount > 1000", deny: true });
    expect(isDenied(policy, refund(args))).toBe(denied);
    expect(isToolDenied(policy, "refund")).toBe(false);
  });

  it("reads nested arguments, and the length of texts and lists", () => {
    const policy = rules({
      tools: ["*"],
      when: 'to[0].host == "evil.example" or body.length > 3',
      deny: true,
    });
    const call = (args: object) => isDenied(policy, refund(args));
    expect(call({ to: [{ host: "evil.example" }], body: "" })).toBe(true);
    expect(call({ to: [{ host: "good.example" }], body: "long" })).toBe(true);
    expect(call({ to: [], body: "abc" })).toBe(false);
  });
});

describe("rules", () => {
  it("are read in order, and the first with a setting decides it", () => {
    const policy = rules(
      { tools: ["mail.*"], approvers: ["acme/ann"] },
      { tools: ["mail.draft"], requireApproval: false },
      { tools: ["mail.*"], requireApproval: true, approvers: ["acme/bob"] },
    );
    const call = (tool: string) => ({ tool, args: {}, risk: "high" }) as const;
    expect(policyRequires(policy, call("mail.draft"))).toBe(false);
    expect(policyRequires(policy, call("mail.send"))).toBe(true);
    expect(decidersOf(policy, call("mail.send"))).toEqual({
      approvers: ["acme/ann"],
      submitterMayApprove: true,
    });
  });

  it("lift the general risk for one tool, and for no other", () => {
    const policy = {
      approval: { risk: "medium" },
      ...rules({ tools: ["refund"], requireApproval: false }),
    } as const;
    expect(policyRequires(policy, refund({}))).toBe(false);
    expect(policyRequires(policy, { ...refund({}), tool: "other" })).toBe(true);
    expect(policyRequires(policy, { ...refund({}), tool: "other", risk: "low" })).toBe(false);
  });

  it("count as requiring approval of every call only if no condition can lift it", () => {
    expect(policyAlwaysRequires(below100, refund())).toBe(false);
    const above = rules({ tools: ["refund"], when: "amount > 100", requireApproval: true });
    expect(policyAlwaysRequires(above, refund())).toBe(false);
    expect(policyAlwaysRequires(rules({ tools: ["*"], requireApproval: true }), refund())).toBe(true);
  });

  it("whose condition cannot be evaluated allow only approvers that all of them name", () => {
    const policy = rules(
      {
        tools: ["refund"],
        when: "amount < 100",
        approvers: ["acme/ann", "acme/boss"],
        submitterMayApprove: true,
      },
      { tools: ["refund"], approvers: ["acme/boss"], submitterMayApprove: false },
    );
    expect(decidersOf(policy, refund({ amount: 5 }))).toEqual({
      approvers: ["acme/ann", "acme/boss"],
      submitterMayApprove: true,
    });
    expect(decidersOf(policy, refund({ amount: "5" }))).toEqual({
      approvers: ["acme/boss"],
      submitterMayApprove: false,
    });
  });
});

describe("a policy file", () => {
  it("gives a tenant its own settings, and its rules before the general ones", () => {
    const file = PolicyFile.parse({
      approval: { risk: "high" },
      approvers: ["ops"],
      rules: [{ tools: ["*"], requireApproval: true }],
      tenants: { acme: { approvers: ["acme/ann"], rules: [{ tools: ["refund"], requireApproval: false }] } },
    });
    expect(policyOf(file, "acme")).toEqual({
      approval: { risk: "high" },
      approvers: ["acme/ann"],
      rules: [
        { tools: ["refund"], requireApproval: false },
        { tools: ["*"], requireApproval: true },
      ],
    });
    expect(policyOf(file, "other").approvers).toEqual(["ops"]);
    expect(policyOf(file, "constructor").approvers).toEqual(["ops"]);
  });

  it.each([
    [{ rules: [{ tools: ["refund"], require: true }] }, "Unrecognized key"],
    [{ rules: [{ tools: [], deny: true }] }, "rules"],
    [{ rules: [{ tools: ["refund"] }] }, "wanted at least one of deny"],
    [{ rules: [{ tools: ["refund"], when: "amount <", deny: true }] }, "wanted a reference"],
    [{ rules: [{ tools: ["refund"], when: "amount + 1 > 2", deny: true }] }, "amount < 100 and"],
    [{ rules: [{ tools: ["a b"], deny: true }] }, "pattern such as"],
    [{ approvers: ["acme/ann/x"] }, "wanted an identity"],
    [{ approval: { risk: "never" } }, "risk"],
    [{ maxBudget: { usd: -1 } }, "usd"],
    [{ tenants: { "a b": {} } }, "tenants"],
  ])("is refused when it contains %j", (file, message) => {
    const { error } = PolicyFile.safeParse(file);
    expect(`${JSON.stringify(error?.issues)}`).toContain(message);
  });
});
