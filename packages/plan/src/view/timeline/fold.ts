/** The state of a plan while its log is folded into a timeline. It is changed in place, and not exposed before the end. */
import { grantOfStep } from "../../arguments/code-run.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { GoalSubmitted } from "../../events/control-events.ts";
import type { StepOutput, ToolGrant } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Step } from "../../language/plan-language.ts";
import type { CallName } from "../../events/turn-events.ts";
import { verifiedAmong } from "../../machine/links/ties.ts";
import { type Course, newCourse } from "./course.ts";
import type { Mark, PlanSpan } from "./timeline.ts";

/**
 * Where a run stands. `ready`: nothing is left to wait for but room. `asked`: a person has to decide before it goes
 * on, about its beginning, its outcome or a call of its loop.
 */
export type RunState = "waiting" | "ready" | "working" | "asked" | "retrying" | "reviewing" | "settled";

/** One run: of a step, of one of its items, or of its compensation. */
export type Run = Course & {
  readonly of: StepFold;
  /** Its place in the list; absent for a step that runs once, and for a step as a whole. */
  readonly item?: number;
  state: RunState;
  attempt: number;
  /** The numbers of attempts that a review rejected, and of those that ended at a question. */
  rejected: number;
  asked: number;
  /** A person has let it run. */
  approved: boolean;
  /** It was ready before its plan was held, and may be with a worker. */
  wasReady?: true;
  /** Which of the plan's starts it was, when it has started. */
  start?: number;
  child?: string;
  /** The call of its loop that a person decides about. */
  call?: CallName;
  /** The turn of several calls that is under way, and those of its calls that have no outcome. */
  turn?: { readonly turn: number; readonly missing: Set<number> };
  /** The output of its last attempt, while it is under review. */
  output?: StepOutput;
};

export type StepFold = {
  readonly step: Step;
  readonly grant: ToolGrant;
  readonly compensateGrant: ToolGrant | undefined;
  readonly draft: number;
  needs: readonly StepId[];
  readonly dependents: StepFold[];
  readonly verifiers: StepFold[];
  /** Dependencies that have not delivered. */
  unmet: number;
  readonly run: Run;
  items: Run[];
  undo?: Run;
  /** What it came to for those that need it; absent while that is open. */
  standing?: "met" | "passed" | "lost";
  passedOver?: true;
  /** It has failed as a check, so that the step that it checks has. */
  excused?: true;
  /** Those that check it have what they need of it. */
  shown?: true;
  /** It has failed, and its fallback has delivered, or will not. */
  standIn?: "delivered" | "none";
  refused?: true;
  /** Whose failure it was skipped for. */
  skippedFor?: string;
};

export type Fold = {
  readonly goal: GoalSubmitted["data"];
  readonly zeroMs: number;
  lastMs: number;
  readonly steps: Map<string, StepFold>;
  /** By the step that is named as a fallback, the one that names it first. */
  readonly primaries: Map<string, string>;
  draft: {
    number: number;
    phase: "open" | "reviewing" | "sealed";
    revision: number;
    isCritique: boolean;
    steps: number;
  };
  strategy: string;
  /** How many drafts were completed; a submitted plan is one. */
  sealed: number;
  /** Steps of this draft and of later ones do not run before a person has approved them. */
  gate: { from: number } | undefined;
  paused: boolean;
  delayed: boolean;
  outOfBudget: boolean;
  /** What the plan was asked by an id, and is still open. */
  readonly asked: Map<string, AskedAbout>;
  /** Which run a retry timer is for. */
  readonly timers: Map<string, Run>;
  starts: number;
  /** Where everything had settled that has settled so far. */
  settledMs: number;
  endedMs: number | undefined;
  readonly marks: Mark[];
  readonly spans: PlanSpan[];
};

export type AskedAbout = { readonly kind: string; readonly run: Run | undefined };

export function newFold({ data, at }: GoalSubmitted): Fold {
  return {
    goal: data,
    zeroMs: Date.parse(at),
    lastMs: 0,
    steps: new Map(),
    primaries: new Map(),
    draft: { number: 0, phase: "sealed", revision: 0, isCritique: false, steps: 0 },
    strategy: data.strategy,
    sealed: data.plan === undefined ? 0 : 1,
    gate: undefined,
    paused: false,
    delayed: data.startAt !== undefined && Date.parse(data.startAt) > Date.parse(at),
    outOfBudget: false,
    asked: new Map(),
    timers: new Map(),
    starts: 0,
    settledMs: 0,
    endedMs: undefined,
    marks: [],
    spans: [],
  };
}

const WAITING = { kind: "wait", why: "dependencies" } as const;

export function newRun(of: Omit<StepFold, "run"> & { run?: Run }, atMs: number, item?: number): Run {
  const course = newCourse(atMs, item === undefined ? WAITING : { kind: "wait", why: "turn" });
  // The step is complete as soon as it has its run.
  const about = { of: of as StepFold, ...(item === undefined ? {} : { item }) };
  return { ...course, ...about, state: "waiting", attempt: 1, rejected: 0, asked: 0, approved: false };
}

export type PlannedStep = {
  readonly step: Step;
  readonly grant: ToolGrant;
  /** Of its compensation's tool. */
  readonly compensateGrant?: ToolGrant | undefined;
};

/** Adds steps whose dependencies may stand anywhere among them. Returns those that are new. */
export function putSteps(
  fold: Fold,
  planned: readonly PlannedStep[],
  { draft, atMs }: { draft: number; atMs: number },
): StepFold[] {
  const added: StepFold[] = [];
  for (const { step, grant, compensateGrant } of planned) {
    if (fold.steps.has(step.id)) continue;
    const grants = { grant: grantOfStep(grant, step), compensateGrant };
    const about = { step, ...grants, draft, dependents: [], verifiers: [] };
    const bare: Omit<StepFold, "run"> = { ...about, needs: [], unmet: 0, items: [] };
    const entry: StepFold = Object.assign(bare, { run: newRun(bare, atMs) });
    fold.steps.set(step.id, entry);
    added.push(entry);
  }
  const stepOf = (id: StepId): Step | undefined => fold.steps.get(id)?.step;
  for (const entry of added) {
    const { step } = entry;
    entry.needs = verifiedAmong({ step, dependencies: dependenciesOf(step) }, stepOf);
    for (const id of entry.needs) {
      const other = fold.steps.get(id);
      const isThere = other !== undefined && (isMet(other) || (other.shown === true && step.verifies === id));
      if (!isThere) entry.unmet += 1;
      other?.dependents.push(entry);
    }
    const { id, fallback, verifies } = step;
    if (fallback !== undefined && fallback !== id && !fold.primaries.has(fallback)) {
      fold.primaries.set(fallback, id);
    }
    if (verifies !== undefined && verifies !== id) fold.steps.get(verifies)?.verifiers.push(entry);
  }
  return added;
}

export function isMet({ standing }: StepFold): boolean {
  return standing === "met" || standing === "passed";
}

export function primaryOf(fold: Fold, stepId: string): StepFold | undefined {
  const primary = fold.primaries.get(stepId);
  return primary === undefined ? undefined : fold.steps.get(primary);
}

export function runOf(fold: Fold, { stepId, item, undo }: RunName): Run | undefined {
  const entry = fold.steps.get(stepId);
  if (entry === undefined) return undefined;
  if (undo === true) return entry.undo;
  return entry.step.forEach === undefined ? entry.run : (entry.items[item ?? 0] ?? entry.run);
}

export type RunName = {
  readonly stepId: string;
  readonly item?: number | undefined;
  readonly undo?: true | undefined;
};

/** Its items, itself, and its compensation. */
export function runsOf({ run, items, undo }: StepFold): Run[] {
  return undo === undefined ? [...items, run] : [...items, run, undo];
}

export function* allRuns(fold: Fold): Generator<Run> {
  for (const { run, items } of fold.steps.values()) {
    yield run;
    yield* items;
  }
}

/** A step that another one of the same id takes the place of. */
export function removeStep(fold: Fold, id: string): void {
  const entry = fold.steps.get(id);
  if (entry === undefined) return;
  fold.steps.delete(id);
  if (fold.primaries.get(entry.step.fallback ?? "") === id) fold.primaries.delete(entry.step.fallback ?? "");
  for (const other of fold.steps.values()) {
    drop(other.dependents, entry);
    drop(other.verifiers, entry);
  }
}

function drop(list: StepFold[], entry: StepFold): void {
  const index = list.indexOf(entry);
  if (index >= 0) list.splice(index, 1);
}
