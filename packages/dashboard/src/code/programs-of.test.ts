import { expect, it } from "vitest";
import type { PlanView } from "../api/api-types.ts";
import { programsOf, versionsOf } from "./programs-of.ts";
import { changedLines } from "./source-diff.tsx";

const STEP = {
  description: "",
  dependsOn: [],
  attempt: 1,
  failedAttempts: [],
  status: "succeeded",
  args: {},
};
const CHANGE = { table: "stock", op: "update", key: { id: 1 }, before: { n: 3 }, after: { n: 2 } };

/** As the gateway sends it, with only the fields that are read. */
function view(steps: readonly object[], more: object = {}): PlanView {
  const whole = { strategy: "sequential", revisions: [], approvals: [], effects: [], ...more };
  return { ...whole, steps: steps.map((step) => ({ ...STEP, ...step })) } as unknown as PlanView;
}
const run = (id: string, more: object = {}) => ({
  id,
  tool: "code.run",
  args: { language: "python", code: `${id} = 1` },
  ...more,
});
const dryrun = (id: string, more: object = {}) => ({ ...run(id, more), tool: "data.dryrun" });
const idsOf = (plan: PlanView) =>
  versionsOf(programsOf(plan)).map((chain) => chain.map(({ step }) => step.id));

it("counts lines from the first one that the tool runs, and reads a source from another step", () => {
  const code = { $ref: "text.output.code" };
  const [program] = programsOf(
    view([
      { id: "text", tool: "flow.echo", output: { value: { code: "\n\nx = 1\n" } } },
      run("a", { args: { language: "python", code } }),
    ]),
  );
  expect(program).toMatchObject({ source: "x = 1", language: "python", faults: [], apply: undefined });
});

it("shows the edited program if a reviewer edited it", () => {
  const edits = { language: "javascript", code: "return 2" };
  const approvals = [{ stepId: "a", decision: "approve", edits }];
  expect(programsOf(view([run("a")], { approvals }))[0]).toMatchObject({
    source: "return 2",
    language: "javascript",
  });
});

it("splits an error message into one error per forbidden line, and keeps the program's logs separate", () => {
  const error = {
    code: "forbidden_code",
    message: "line 2: import is not allowed; line 5: eval is not allowed; it wrote: one\ntwo",
  };
  const failedAttempts = [{ attempt: 1, error: { code: "timeout", message: "took too long" } }];
  const [program] = programsOf(view([run("a", { status: "failed", attempt: 2, error, failedAttempts })]));
  expect(program?.faults.map(({ line, attempt, message }) => [attempt, line, message])).toEqual([
    [1, undefined, "took too long"],
    [2, 2, "line 2: import is not allowed"],
    [2, 5, "line 5: eval is not allowed"],
  ]);
  expect(program?.logs).toEqual(["one", "two"]);
});

it("lists an error of a failed attempt once", () => {
  const error = { code: "code_error", message: "line 1: boom" };
  const step = run("a", { status: "failed", error, failedAttempts: [{ attempt: 1, error }] });
  expect(programsOf(view([step]))[0]?.faults).toHaveLength(1);
});

it("links calls to their ledger entries, including calls that have not returned", () => {
  const turns = [
    { turn: 1, attempt: 1, thought: "", tool: "docs.search", args: {} },
    { turn: 2, attempt: 1, thought: "", tool: "mail.send", args: {} },
  ];
  const entry = (turn: number, status: string) => ({
    stepId: "a",
    turn,
    tool: "mail.send",
    status,
    key: `k${turn}`,
  });
  const effects = [entry(2, "done"), entry(3, "started"), { ...entry(2, "done"), stepId: "other" }];
  const [program] = programsOf(view([run("a", { turns })], { effects }));
  expect(
    program?.calls.map(({ turn, tool, taken, effect }) => [turn, tool, taken !== undefined, effect?.key]),
  ).toEqual([
    [1, "docs.search", true, undefined],
    [2, "mail.send", true, "k2"],
    [3, "mail.send", false, "k3"],
  ]);
});

it("shows the rows of the dry run, or the rows that a reviewer approved instead", () => {
  const output = { value: { changes: [CHANGE], logs: ["x", 1], changed: true } };
  const apply = { id: "apply", tool: "data.apply", dependsOn: ["d"] };
  const [shown] = programsOf(view([dryrun("d", { output }), apply]));
  expect(shown).toMatchObject({
    changes: [CHANGE],
    logs: ["x", "1"],
    apply: { id: "apply" },
    changesEditedBy: undefined,
  });
  const edited = { ...CHANGE, after: { n: 1 } };
  const approvals = [
    { stepId: "apply", decision: "approve", edits: { changes: [edited] }, decidedBy: "ann" },
  ];
  const [changed] = programsOf(view([dryrun("d", { output }), apply], { approvals }));
  expect(changed).toMatchObject({ changes: [edited], changesEditedBy: "ann" });
});

it("treats a revision's first program with the same tool as the new version of the program that caused the revision", () => {
  const revisions = [{ causedBy: "b", added: ["e", "c", "d"] }];
  const steps = [run("a"), run("b"), { id: "e", tool: "flow.echo" }, run("c"), run("d")];
  expect(idsOf(view(steps, { revisions }))).toEqual([["a"], ["b", "c"], ["d"]]);
  const conflict = [{ causedBy: "apply", added: ["d2"] }];
  const plan = [dryrun("d1"), { id: "apply", tool: "data.apply", dependsOn: ["d1"] }, dryrun("d2")];
  expect(idsOf(view(plan, { revisions: conflict }))).toEqual([["d1", "d2"]]);
});

it("treats each program of a code plan as the new version of the previous one", () => {
  expect(idsOf(view([dryrun("d1"), dryrun("d2"), dryrun("d3")], { strategy: "code" }))).toEqual([
    ["d1", "d2", "d3"],
  ]);
});

it("shows the lines around a change, and the number of omitted lines", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `l${index}`);
  const shown = changedLines(lines.join("\n"), lines.with(15, "new").join("\n"));
  expect(shown.map(({ side, text }) => `${side} ${text}`)).toEqual([
    "gap 12 lines",
    "both l12",
    "both l13",
    "both l14",
    "left l15",
    "right new",
    "both l16",
    "both l17",
    "both l18",
    "gap 11 lines",
  ]);
  expect(changedLines("a\nb", "a\nb")).toEqual([]);
});
