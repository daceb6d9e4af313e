/** The programs among a plan's steps: their source, their errors by line, and their calls and changes. */
import { displayedArguments } from "@planwright/plan/displayed-arguments";
import type { JsonObject, PlanView, StepView } from "../api/api-types.ts";
import { type RowChange, rowChangesOf } from "../approvals/row-changes.tsx";
import { isObject } from "../values/is-object.ts";
import { APPLY, CODE_RUN, DRYRUN } from "./program-tools.ts";

export type Fault = {
  /** From 1; undefined when the error has no line. */
  readonly line: number | undefined;
  readonly message: string;
  readonly code: string;
  readonly attempt: number;
};

export type Turn = NonNullable<StepView["turns"]>[number];
type LedgerEntry = PlanView["effects"][number];

/** A tool call made by the program. */
export type InnerCall = {
  readonly turn: number;
  readonly tool: string;
  /** Its outcome; undefined while it runs. */
  readonly taken: Turn | undefined;
  /** Its entry in the plan's effect ledger; undefined for a read-only call. */
  readonly effect: LedgerEntry | undefined;
};

export type Program = {
  readonly step: StepView;
  readonly language: string;
  readonly source: string;
  readonly faults: readonly Fault[];
  readonly logs: readonly string[];
  readonly calls: readonly InnerCall[];
  /** The rows that the program changes, before and after. */
  readonly changes: readonly RowChange[];
  /** Set when a reviewer has edited these changes. */
  readonly changesEditedBy: string | undefined;
  /** The step that applies the changes to the data. */
  readonly apply: StepView | undefined;
  /** The step of the program that this one replaces. */
  readonly instead: string | undefined;
};

type Viewed = Pick<PlanView, "steps" | "revisions" | "approvals" | "effects" | "strategy">;

/** In the plan's order, but each after the program that it replaces. */
export function programsOf(view: Viewed): Program[] {
  const steps = view.steps.filter(({ tool }) => tool === CODE_RUN || tool === DRYRUN);
  const instead = insteadOf(view, steps);
  return steps.map((step) => programOf(view, step, instead.get(step.id)));
}

/** Versions of one program, oldest first. */
export function versionsOf(programs: readonly Program[]): Program[][] {
  const chains: Program[][] = [];
  for (const program of programs) {
    const chain = chains.find((versions) => versions.at(-1)?.step.id === program.instead);
    if (chain !== undefined && program.instead !== undefined) chain.push(program);
    else chains.push([program]);
  }
  return chains;
}

function programOf(view: Viewed, step: StepView, instead: string | undefined): Program {
  const args = argumentsOf(view, step);
  const { code, language } = args;
  const output = valueOf(step);
  const apply = view.steps.find(({ tool, dependsOn }) => tool === APPLY && dependsOn.includes(step.id));
  const edited = apply === undefined ? undefined : editsOf(view, apply);
  const changes = rowChangesOf(edited?.edits?.["changes"] ?? output?.["changes"]);
  const faults = faultsOf(step);
  const source = typeof code === "string" ? code : code === undefined ? "" : JSON.stringify(code, null, 2);
  return {
    step,
    language: typeof language === "string" ? language : "",
    // The tool counts lines from the first that is not blank.
    source: step.tool === CODE_RUN ? source.trim() : source,
    faults,
    logs: logsOf(step, output),
    calls: callsOf(view, step),
    changes,
    changesEditedBy: edited?.edits?.["changes"] === undefined ? undefined : (edited.decidedBy ?? "a user"),
    apply,
    instead,
  };
}

/** The arguments that it ran with: edited by a reviewer or as planned, with references resolved. */
function argumentsOf(view: Viewed, step: StepView): JsonObject {
  const edited = editsOf(view, step)?.edits;
  if (edited !== undefined) return edited;
  const outputs = new Map<string, StepView["output"]>(view.steps.map(({ id, output }) => [id, output]));
  const { resolved } = displayedArguments(step.args, (id) => outputs.get(id));
  return isObject(resolved) ? resolved : step.args;
}

function editsOf({ approvals }: Viewed, { id }: StepView) {
  return approvals.findLast(
    ({ stepId, edits, decision }) => stepId === id && edits !== undefined && decision === "approve",
  );
}

function valueOf({ output }: StepView): JsonObject | undefined {
  return output !== undefined && "value" in output && isObject(output.value) ? output.value : undefined;
}

const WROTE = "; it wrote: ";
const LINE = /^line (\d{1,6}): /;

function faultsOf(step: StepView): Fault[] {
  const failed = step.failedAttempts.map(({ attempt, error }) => ({ attempt, error }));
  const isTold = failed.some(({ attempt }) => attempt === step.attempt);
  const last = step.error === undefined || isTold ? [] : [{ attempt: step.attempt, error: step.error }];
  return [...failed, ...last].flatMap(({ attempt, error }) =>
    // One message lists every forbidden line.
    (error.message.split(WROTE)[0] ?? "").split(/; (?=line \d+: )/).map((message) => {
      const line = LINE.exec(message)?.[1];
      return { line: line === undefined ? undefined : Number(line), message, code: error.code, attempt };
    }),
  );
}

/** What the program logged: everything if it finished, otherwise the part that its error message quotes. */
function logsOf({ error }: StepView, output: JsonObject | undefined): string[] {
  const logs = output?.["logs"];
  if (Array.isArray(logs))
    return logs.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const [, wrote] = error?.message.split(WROTE) ?? [];
  return wrote === undefined ? [] : wrote.split("\n");
}

function callsOf({ effects }: Viewed, step: StepView): InnerCall[] {
  const ledger = new Map(
    effects.flatMap((entry) =>
      entry.stepId === step.id && entry.turn !== undefined ? [[entry.turn, entry]] : [],
    ),
  );
  const calls: InnerCall[] = (step.turns ?? []).map((taken) => {
    return { turn: taken.turn, tool: taken.tool ?? "", taken, effect: ledger.get(taken.turn) };
  });
  const known = new Set(calls.map(({ turn }) => turn));
  for (const [turn, effect] of ledger) {
    if (!known.has(turn)) calls.push({ turn, tool: effect.tool, taken: undefined, effect });
  }
  return calls.toSorted((left, right) => left.turn - right.turn);
}

/**
 * Which program replaces which. In a code plan there is one at a time; elsewhere a revision names the step that caused
 * it, and the first program that it adds replaces that one.
 */
function insteadOf(
  { strategy, revisions, steps }: Viewed,
  programs: readonly StepView[],
): Map<string, string> {
  const instead = new Map<string, string>();
  if (strategy === "code") {
    const runs = programs.filter(({ tool }) => tool === DRYRUN);
    for (const [index, { id }] of runs.entries()) {
      const before = runs[index - 1];
      if (before !== undefined) instead.set(id, before.id);
    }
    return instead;
  }
  for (const { causedBy, added } of revisions) {
    const cause = steps.find(({ id }) => id === causedBy);
    const failed = cause?.tool === APPLY ? programs.find(({ id }) => cause.dependsOn.includes(id)) : cause;
    const next = programs.find(({ id, tool }) => added.includes(id) && tool === failed?.tool);
    if (failed !== undefined && next !== undefined && programs.includes(failed))
      instead.set(next.id, failed.id);
  }
  return instead;
}
