/**
 * Makes a tree search's next actions from a model's reply, one by one.
 *
 * Actions of one round are alternatives: each follows the selected action, none needs another. What is proposed
 * twice is tried once, and actions beyond the wanted number are left out.
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
/** Leaves room for the number of a draft. */
const ID_CHARS_KEPT = 56;
const NONE: ReadonlySet<string> = new Set();

export class ActionBuilder implements StepsBuilder {
  readonly issues: Issue[] = [];
  readonly steps: Step[] = [];
  readonly mends: string[] = [];
  readonly #basis: ActionBasis;
  readonly #onPlanned: (planned: PlannedStep) => void;
  readonly #adopter: DraftAdopter;
  /** The actions that lead to the one that these follow. */
  readonly #path: readonly StepId[];
  readonly #contents = new Set<string>();

  /** @param onPlanned - Called with each action as soon as it is complete. */
  constructor(basis: ActionBasis, onPlanned: (planned: PlannedStep) => void) {
    this.#basis = basis;
    this.#onPlanned = onPlanned;
    this.#path = basis.expansion?.path.map(({ step }) => step.id) ?? [];
    // Never instead of an earlier one: elsewhere in the tree, the same action is another node.
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
    // After the first fault, the rest is read only to name all of them together.
    if (this.issues.length === 0) this.#onPlanned({ index, step, grant: grantFor(step, this.#basis) });
  }

  finish(): void {
    // Nothing waits for anything here.
  }

  /** No action answers the goal by its name: the search finds out. */
  idOf(): undefined {
    return undefined;
  }

  /** Models number their actions from 1 each time, and mean the path's by its ids. */
  #underOwnId(input: unknown): unknown {
    const { data } = WithId.safeParse(input);
    if (data === undefined || !this.#path.some((id) => id === data.id)) return input;
    return { ...data, id: `${data.id.slice(0, ID_CHARS_KEPT)}-d${this.#basis.draft}` };
  }

  /** The ids that it names, and the action that it follows. */
  #after(dependsOn: readonly StepId[]): StepId[] {
    const parent = this.#path.at(-1);
    return [...new Set(parent === undefined ? dependsOn : [...dependsOn, parent])];
  }
}
