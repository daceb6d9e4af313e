/**
 * Turns a model's reply into a tree search's next actions, one by one.
 *
 * Actions of one round are alternatives: each follows the selected action, and none depends on another. A repeated proposal is
 * tried once, and actions beyond the requested number are left out.
 */
import {
  canonicalJson,
  checkStep,
  createDraftAdopter,
  type DraftAdopter,
  type Issue,
  type Json,
  normalizeDraftStep,
  type Step,
  type StepId,
} from "@planwright/plan";
import { z } from "zod";
import { grantFor, MENDS_MAX, type PlannedStep, type StepsBuilder } from "./draft-builder.ts";
import type { DraftRequest } from "./draft-request.ts";

export type ActionBasis = Pick<DraftRequest, "tools" | "agents" | "draft" | "earlier" | "expansion">;

const WithId = z.looseObject({ id: z.string() });
/** Leaves room for the draft's number. */
const ID_CHARS_KEPT = 56;
const NONE: ReadonlySet<string> = new Set();

export class ActionBuilder implements StepsBuilder {
  readonly issues: Issue[] = [];
  readonly steps: Step[] = [];
  readonly mends: string[] = [];
  readonly #basis: ActionBasis;
  readonly #onPlanned: (planned: PlannedStep) => void;
  readonly #adopter: DraftAdopter;
  /** The actions that lead to the one that the new ones follow. */
  readonly #path: readonly StepId[];
  readonly #contents = new Set<string>();

  /** @param onPlanned - Called with each action as soon as it is complete. */
  constructor(basis: ActionBasis, onPlanned: (planned: PlannedStep) => void) {
    this.#basis = basis;
    this.#onPlanned = onPlanned;
    this.#path = basis.expansion?.path.map(({ step }) => step.id) ?? [];
    // Never reused from an earlier one: elsewhere in the tree, the same action is a different node.
    const earlier = basis.earlier.map(({ step }) => [step.id, { step, usable: false, done: false }] as const);
    this.#adopter = createDraftAdopter(basis.draft, new Map(earlier));
  }

  get added(): StepId[] {
    return this.steps.map(({ id }) => id);
  }

  noteMend(mend: string): void {
    if (this.mends.length < MENDS_MAX) this.mends.push(mend);
  }

  take(input: Json, index: number): void {
    const { tools, agents, expansion } = this.#basis;
    const known = { tools, agents, planned: NONE, earlier: new Set<string>(this.#path) };
    const read = normalizeDraftStep(input, tools, (mend) => this.noteMend(`action ${index + 1}: ${mend}`));
    const { step: own, issues } = checkStep(this.#underOwnId(read), known);
    if (own === undefined) {
      this.issues.push(...issues);
      return;
    }
    const content = canonicalJson({ tool: own.tool, args: own.args });
    if (this.#contents.has(content) || this.steps.length >= (expansion?.width ?? 1)) return;
    this.#contents.add(content);
    const { step } = this.#adopter.adopt({ ...own, dependsOn: this.#after(own.dependsOn) });
    this.steps.push(step);
    // After the first fault, the rest is only read to report all faults together.
    if (this.issues.length === 0) this.#onPlanned({ index, step, grant: grantFor(step, this.#basis) });
  }

  finish(): void {
    // No action waits for another.
  }

  /** No action is named as the answer: the search determines it. */
  idOf(): undefined {
    return undefined;
  }

  /** Models number their actions from 1 each time, but refer to actions of the path by their ids. */
  #underOwnId(input: unknown): unknown {
    const { data } = WithId.safeParse(input);
    if (data === undefined || !this.#path.some((id) => id === data.id)) return input;
    return { ...data, id: `${data.id.slice(0, ID_CHARS_KEPT)}-d${this.#basis.draft}` };
  }

  /** The dependencies it names, and the action that it follows. */
  #after(dependsOn: readonly StepId[]): StepId[] {
    const parent = this.#path.at(-1);
    return [...new Set(parent === undefined ? dependsOn : [...dependsOn, parent])];
  }
}
