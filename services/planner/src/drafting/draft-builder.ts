/**
 * Turns a model's output into a plan's steps, one by one.
 *
 * A step with a dependency that the model has not written yet is held back until it arrives; dependencies still missing at the
 * end of the draft are issues. After the first issue nothing is planned any more: the rest is only read to report all faults
 * together.
 */
import {
  after,
  checkPlan,
  checkStep,
  createDraftAdopter,
  dependenciesOf,
  type DraftAdopter,
  type DraftSoFar,
  grantOf,
  type Issue,
  issuesOfTies,
  type Json,
  normalizeDraftStep,
  standingOf,
  Step,
  StepId,
  type ToolGrant,
  withAgent,
} from "@planwright/plan";
import type { DraftRequest } from "./draft-request.ts";

/** A step in the form stored in the log. */
export type PlannedStep = {
  /** The step's position in the draft, from 0. */
  readonly index: number;
  readonly step: Step;
  readonly grant: ToolGrant;
  readonly compensateGrant?: ToolGrant;
};

/** The maximum per draft; more would add nothing new. */
export const MENDS_MAX = 50;

/** Accepts the steps of a draft while a model writes them. */
export type StepsBuilder = Pick<DraftBuilder, keyof DraftBuilder>;

export type DraftBasis = Pick<DraftRequest, "tools" | "agents" | "draft" | "earlier"> & {
  /** Whether the steps run one after another. */
  readonly inOrder?: boolean;
  /** Whether every step runs again, even if an earlier one has the same content. */
  readonly reusesNothing?: boolean;
};

export class DraftBuilder {
  /** What is wrong with the draft so far. */
  readonly issues: Issue[] = [];
  /** The draft's steps in the order of planning, including earlier steps that are reused. */
  readonly steps: Step[] = [];
  /** The ids of the steps that are new to the plan. */
  readonly added: StepId[] = [];
  /** What was corrected, as text; the first {@link MENDS_MAX}. */
  readonly mends: string[] = [];
  readonly #basis: DraftBasis;
  readonly #onPlanned: (planned: PlannedStep) => void;
  readonly #adopter: DraftAdopter;
  /** Steps of earlier drafts whose results exist or may still arrive. */
  readonly #usable = new Set<StepId>();
  /** The draft's own ids. */
  readonly #planned = new Set<StepId>();
  /** By the first dependency that each of them lacks. */
  readonly #held = new Map<StepId, HeldStep[]>();
  /** Held steps whose missing dependencies have arrived. */
  readonly #freed: HeldStep[] = [];
  readonly #ties = { steps: new Array<Step>(), fallbacks: new Map<StepId, StepId>() };
  #previous: StepId | undefined;

  /** @param onPlanned - Called with each step that is new to the plan, once all its dependencies were planned. */
  constructor(basis: DraftBasis, onPlanned: (planned: PlannedStep) => void) {
    this.#basis = basis;
    this.#onPlanned = onPlanned;
    const earlier = basis.earlier.map((entry) => {
      const standing = basis.reusesNothing === true ? "lost" : standingOf(entry);
      const known = { step: entry.step, usable: standing === "met" || standing === "open" };
      return [entry.step.id, { ...known, done: standing === "met" }] as const;
    });
    for (const [id, { usable }] of earlier) if (usable) this.#usable.add(id);
    this.#adopter = createDraftAdopter(basis.draft, new Map(earlier));
  }

  /** Records a corrected mistake of the model, as text. */
  noteMend(mend: string): void {
    if (this.mends.length < MENDS_MAX) this.mends.push(mend);
  }

  /** Takes the draft's next step, decoded but not yet checked. */
  take(input: Json, index: number): void {
    const step = normalizeDraftStep(input, this.#basis.tools, (mend) =>
      this.noteMend(`step ${index + 1}: ${mend}`),
    );
    this.#look(step, index);
    for (let next = this.#freed.shift(); next !== undefined; next = this.#freed.shift()) {
      this.#look(next.step, next.index);
    }
  }

  /** Ends the draft: steps that could not be planned become issues. */
  finish(): void {
    this.issues.push(...issuesOfHeld([...this.#held.values()].flat(), this.#soFar()));
    if (this.issues.length === 0) this.issues.push(...issuesOfTies(this.#ties));
  }

  /** The plan's id for an id of the draft; undefined when that step cannot have a result. */
  idOf(id: string): StepId | undefined {
    const { data } = StepId.safeParse(id);
    return data !== undefined && this.#isKnown(data) ? this.#adopter.idOf(data) : undefined;
  }

  #look(input: unknown, index: number): void {
    const { step, issues } = checkStep(input, this.#soFar());
    if (step !== undefined) this.#admit(step, index);
    else if (!issues.every(isAboutOrder) || !this.#hold(input, index)) this.#refuse(input, issues);
  }

  #admit(own: Step, index: number): void {
    const step = this.#inOrder(own);
    this.#ties.steps.push(own);
    if (own.fallback !== undefined) this.#ties.fallbacks.set(own.fallback, own.id);
    if (this.issues.length === 0) this.#plan(step, index);
    this.#free(step.id);
  }

  /**
   * Makes steps run one at a time, where required. A fallback or a verification step already waits for the step it belongs to.
   */
  #inOrder(own: Step): Step {
    if (this.#basis.inOrder !== true || this.#ties.fallbacks.has(own.id)) return own;
    const step = own.verifies === undefined ? after(own, this.#previous) : own;
    this.#previous = own.id;
    return step;
  }

  #plan(own: Step, index: number): void {
    const { step, reused } = this.#adopter.adopt(own);
    this.steps.push(step);
    if (reused) return;
    this.added.push(step.id);
    const { compensate } = step;
    const grant = grantFor(step, this.#basis);
    this.#onPlanned(
      compensate === undefined
        ? { index, step, grant }
        : { index, step, grant, compensateGrant: grantFor(compensate, this.#basis) },
    );
  }

  #hold(input: unknown, index: number): boolean {
    const { data: step } = Step.safeParse(input);
    const missing = step && dependenciesOf(step).find((id) => !this.#isKnown(id));
    if (step === undefined || missing === undefined) return false;
    this.#held.set(missing, [...(this.#held.get(missing) ?? []), { step, index }]);
    return true;
  }

  #refuse(input: unknown, issues: readonly Issue[]): void {
    this.issues.push(...issues);
    const id = StepId.safeParse(
      typeof input === "object" && input !== null && "id" in input ? input.id : null,
    );
    // Steps that depend on this one are not faulty too.
    if (id.success) this.#free(id.data);
  }

  #free(id: StepId): void {
    this.#planned.add(id);
    this.#freed.push(...(this.#held.get(id) ?? []));
    this.#held.delete(id);
  }

  #isKnown(id: StepId): boolean {
    return this.#planned.has(id) || this.#usable.has(id);
  }

  #soFar() {
    const { tools, agents } = this.#basis;
    return { tools, agents, planned: this.#planned, earlier: this.#usable, ties: this.#ties };
  }
}

/** Whether a step is faulty only because of steps that have not been written yet. */
function isAboutOrder({ code }: Issue): boolean {
  return code === "dangling_reference" || code === "unknown_dependency" || code === "unknown_verified";
}

/** A step that waits for another one to be written. */
type HeldStep = { readonly step: Step; readonly index: number };

/** The issues of steps whose dependencies never arrived: they are not in the draft, or the steps wait for each other. */
function issuesOfHeld(held: readonly HeldStep[], draft: DraftSoFar): readonly Issue[] {
  if (held.length === 0) return [];
  const known = new Set<string>(draft.planned);
  for (const { step } of held) known.add(step.id);
  const dangling = held.flatMap(({ step }) => {
    known.delete(step.id);
    const { issues } = checkStep(step, { ...draft, planned: known });
    known.add(step.id);
    return issues;
  });
  if (dangling.length > 0) return dangling;
  const { issues } = checkPlan({ steps: held.map(({ step }) => step) }, draft);
  return issues.filter(({ code }) => code === "cycle");
}

/**
 * The data about a step's tool and agent that the log needs to run the step.
 *
 * @throws {TypeError} When the tool is not offered: a step passes its check only with an offered one.
 */
export function grantFor(
  call: Pick<Step, "tool" | "agent">,
  { tools, agents }: Pick<DraftRequest, "tools" | "agents">,
): ToolGrant {
  const spec = tools.get(call.tool);
  if (spec === undefined) throw new TypeError(`wanted a tool that is offered, got ${call.tool}`);
  const grant = grantOf(spec);
  return agents === undefined ? grant : withAgent(grant, call, agents.types);
}
