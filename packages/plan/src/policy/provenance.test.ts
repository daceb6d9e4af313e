// The origin of arguments: through references, through content that models have read, and through sub-plans.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  asStored,
  decideNext,
  draftStarted,
  expanded,
  fact,
  failed,
  loopFact,
  planned,
  revised,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { StepId } from "../values/ids.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { doubtAbout } from "../machine/step/step-transitions.ts";
import { provenanceOf, provenanceOfCall, provenanceOfFork, provenanceOfUndo } from "./provenance.ts";

const from = (plan: KnownPlan, stepId: string) => provenanceOf(plan, stepOf(plan, stepId));
const read = (id: string, ref: string, more: object = {}) =>
  step(id, [], { tool: "model.write", args: { prompt: `Sum up {{${ref}.output}}` }, ...more });
const NOTHING = { tools: [], isOpen: false };

describe("a step's arguments", () => {
  it("have no origin if they have no references, whatever they wait for", () => {
    const plan = after(submitted([step("a"), step("b", ["a"], { args: { value: 1 } })]));
    expect(from(plan, "b")).toEqual(NOTHING);
  });

  it("come from every tool before them, through any number of steps (PROVENANCE-1)", () => {
    const steps = [
      step("a", [], { tool: "files.write" }),
      read("b", "a"),
      step("c", [], { args: { value: { $ref: "b.output" } } }),
    ];
    const log = [submitted(steps)];
    // PROVENANCE-2: the stored log yields the same result.
    for (const plan of [after(...log), after(...asStored(log))]) {
      expect(from(plan, "b")).toEqual({ tools: ["files.write"], isOpen: false });
      expect(from(plan, "c")).toEqual({ tools: ["files.write", "model.write"], isOpen: false });
    }
  });

  it("come from the list of a repeated step, and from the possible fallback of a step", () => {
    const each = step("c", [], { forEach: { $ref: "a.output" }, args: { value: { $ref: "item" } } });
    const steps = [step("a", [], { fallback: "b" }), step("b", [], { tool: "mail.send" }), each];
    expect(from(after(submitted(steps)), "c").tools).toEqual(["flow.echo", "mail.send"]);
  });

  it("come from the tools that a loop may call, and from any tool of a sub-plan", () => {
    const loop = { id: "a", tool: "agent.react", args: { goal: "g", tools: ["mail.send"] } };
    const sub = { id: "b", tool: "plan.run", args: { goal: "g" } };
    const plan = after(submitted([loop, sub, read("c", "a"), read("d", "b")]));
    expect(from(plan, "c")).toEqual({ tools: ["agent.react", "mail.send"], isOpen: false });
    expect(from(plan, "d")).toEqual({ tools: ["plan.run"], isOpen: true });
  });

  it("of a compensation come from the step's own output too", () => {
    const compensate = { tool: "mail.send", args: { id: "{{a.output}}" } };
    const plan = after(submitted([step("a", [], { tool: "files.write", compensate })]));
    const undo = stepOf(plan, "a").step.compensate;
    if (undo === undefined) throw new Error("nothing undoes it");
    expect(provenanceOfUndo(plan, { stepId: StepId.parse("a"), compensate: undo }).tools).toEqual([
      "files.write",
    ]);
  });
});

describe("a step of a revision", () => {
  const failing = [
    submitted([step("a", [], { tool: "files.write" }), step("b"), step("long", [], { tool: "mail.send" })], {
      replanOnFailure: true,
    }),
    succeeded("a"),
    started("long"),
    failed("b"),
    draftStarted(1),
    planned(step("c")),
  ];

  it("comes from the results that existed when it was written, and from no later one (PROVENANCE-1)", () => {
    const plan = after(...failing);
    expect(from(plan, "c").tools).toEqual(["files.write", "flow.echo"]);
    const later = andAfter(plan, succeeded("long"), planned(step("d")), revised(1, { added: ["c", "d"] }));
    expect(stepOf(later, "long").state.status).toBe("succeeded");
    expect(from(later, "c").tools).toEqual(["files.write", "flow.echo"]);
    expect(from(later, "d").tools).toEqual(["files.write", "flow.echo", "mail.send"]);
    // If it refers to the later result, it comes from that too.
    const reading = andAfter(plan, planned(read("e", "long")), succeeded("long"));
    expect(from(reading, "e").tools).toEqual(["files.write", "flow.echo", "mail.send"]);
  });

  it("comes from a list whose items have results, and from an output under review, since extracted facts reveal both", () => {
    const each = { tool: "mail.send", forEach: [1, 2], args: { to: { $ref: "item" } } };
    const judged = { tool: "files.write", expectedOutput: "a file", review: { maxIterations: 2 } };
    const plan = after(
      submitted([step("list", [], each), step("judged", [], judged), step("b")], { replanOnFailure: true }),
      expanded("list", 2),
      started("judged"),
      succeeded("judged"),
      failed("b"),
      draftStarted(1),
      planned(step("c")),
    );
    expect(stepOf(plan, "list").state.status).toBe("repeating");
    expect(stepOf(plan, "judged").state.status).toBe("reviewing");
    expect(from(plan, "c").tools).toEqual(["files.write", "flow.echo", "mail.send"]);
  });

  it("does not need another approval because of later results once it runs", () => {
    const policy = { rules: [{ tools: ["*"], from: ["mail.*"], requireApproval: true }] };
    const [goal, ...rest] = failing;
    const approval = { risk: "never", expiresAfterMs: 60_000 };
    const under = { ...goal, data: { ...goal?.data, policy, approval } } as typeof goal;
    if (under === undefined) throw new Error("nothing was submitted");
    const running = andAfter(
      after(under, ...rest),
      revised(1, { kept: ["long"], added: ["c"] }),
      started("c"),
    );
    const later = andAfter(running, succeeded("long"));
    expect(doubtAbout(later, stepOf(later, "c"))).toBeUndefined();
  });
});

describe("a call inside a loop", () => {
  it("comes from the results of its earlier calls", () => {
    const loop = { id: "a", tool: "agent.react", args: { goal: "g", tools: ["flow.echo", "mail.send"] } };
    const turn = { turn: 1, thought: "t", tool: "flow.echo", args: {}, output: { value: 1 } };
    const run = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
    const plan = after(submitted([loop]), started("a"));
    expect(provenanceOfCall(plan, stepOf(plan, "a"), { turn: 1 })).toEqual(NOTHING);
    const later = andAfter(plan, loopFact("turn.taken", run, turn));
    const called = [{ turn: 2, tool: "mail.send" }];
    const toolsBehind = (next: number) =>
      provenanceOfCall(later, stepOf(later, "a"), { turn: next, called }).tools;
    expect(toolsBehind(2)).toEqual(["flow.echo"]);
    expect(toolsBehind(3)).toEqual(["flow.echo", "mail.send"]);
  });

  it("does not come from calls of the same turn, which the model had not read", () => {
    const loop = { id: "a", tool: "agent.react", args: { goal: "g", tools: ["flow.echo", "mail.send"] } };
    const plan = after(submitted([loop]), started("a"));
    const called = [{ turn: 1, tool: "flow.echo" }];
    expect(provenanceOfCall(plan, stepOf(plan, "a"), { turn: 1, called })).toEqual(NOTHING);
  });
});

describe("a sub-plan", () => {
  it("has all its arguments come from the content of its goal (PROVENANCE-1)", () => {
    const steps = [step("a"), { id: "b", tool: "plan.run", args: { goal: "Do {{a.output}}" } }];
    const plan = andAfter(after(submitted(steps)), succeeded("a"));
    const begun = decideNext(plan).flatMap((command) =>
      command.kind === "record" ? [command.event] : [],
    )[0];
    if (begun === undefined) throw new Error("the sub-plan does not begin");
    const running = andAfter(plan, fact(begun.type, begun.data));
    const [told] = decide(running, [{ kind: "sub-plan", stepId: StepId.parse("b"), item: 0, attempt: 1 }]);
    const derivedFrom = { tools: ["flow.echo"], isOpen: false };
    expect(told).toMatchObject({ submission: { data: { derivedFrom } } });
    const child = after(submitted([step("x")], { derivedFrom }));
    expect(from(child, "x")).toEqual(derivedFrom);
    expect(provenanceOfFork(child)).toEqual(derivedFrom);
  });
});

describe("a rule about the origin of arguments", () => {
  const policy = (more: object) => ({ rules: [{ tools: ["mail.send"], from: ["flow.*"], ...more }] });
  const lax = { approval: { risk: "never", expiresAfterMs: 60_000 } };
  const mail = (ref: string) => step("m", [], { tool: "mail.send", args: { text: ref } });
  const under = (rule: object, steps: object[]) =>
    andAfter(after(submitted(steps, { ...lax, policy: policy(rule) })), succeeded("a", "text"));
  const recordedBy = (plan: KnownPlan) =>
    decideNext(plan).flatMap((command) => (command.kind === "record" ? [command.event] : []));

  it("applies to arguments that a step's output has reached, also through a model, and to no others", () => {
    const direct = under({ deny: true }, [step("a"), mail("{{a.output}}")]);
    expect(recordedBy(direct)).toMatchObject([
      {
        type: "step.failed",
        data: { error: { message: expect.stringContaining("which come from flow.echo") } },
      },
    ]);
    const through = andAfter(
      under({ deny: true }, [step("a"), read("b", "a"), mail("{{b.output}}")]),
      succeeded("b"),
    );
    expect(recordedBy(through)).toMatchObject([{ type: "step.failed", data: { stepId: "m" } }]);
    const own = under({ deny: true }, [step("a"), mail("hello")]);
    expect(stepOf(own, "m").state.status).toBe("running");
    expect(recordedBy(own)).toEqual([]);
  });

  it("has the step wait, and the request shows the origin of the arguments", () => {
    const plan = under({ requireApproval: true }, [step("a"), mail("{{a.output}}")]);
    expect(worksOf(plan)).toEqual([]);
    expect(recordedBy(plan)).toMatchObject([
      { data: { requiredBy: "policy", argumentsFrom: { tools: ["flow.echo"], isOpen: false } } },
    ]);
  });
});
