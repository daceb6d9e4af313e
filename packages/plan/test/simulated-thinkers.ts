/** Planners, joiners and critics of a simulated world: their reports come from a model, and can contain anything. */
import type { PlanEvent } from "../src/events/plan-event.ts";
import { wholeOf } from "../src/language/budget.ts";
import { NO_USAGE } from "../src/values/add-usage.ts";
import type { CritiqueWork, DraftWork, FactsWork, JoinWork, ReviewWork } from "../src/events/work.ts";
import type { PlannedStep } from "./arbitraries.ts";
import { abandoned, draftStarted, planned } from "./facts.ts";
import {
  anyStepId,
  endOfCritique,
  endOfDraft,
  endOfJoin,
  endOfReview,
  inDraft,
  patchOf,
} from "./simulated-ends.ts";
import { type Activity, named, type WorkersWorld } from "./simulated-worker.ts";
import { areTied } from "./ties.ts";

type ThinkersWorld = Pick<WorkersWorld, "truth" | "store" | "choose" | "spending">;

export class SimulatedThinkers {
  readonly #world: ThinkersWorld;
  /** The steps of the first draft, of the second, and so on, cyclically. */
  readonly #drafts: readonly (readonly PlannedStep[])[];

  constructor(world: ThinkersWorld, drafts: readonly (readonly PlannedStep[])[]) {
    this.#world = world;
    this.#drafts = drafts;
  }

  *draft({ draft, allowance }: DraftWork): Activity {
    if (this.#world.choose(12) === 11) {
      this.#world.spending.use(allowance, this.#world.choose);
      const lost = { cause: "interrupted", usage: NO_USAGE, forfeited: wholeOf(allowance ?? {}) };
      this.#world.store(named(`draft ${draft}`, abandoned(draft, lost)));
      return;
    }
    const spent = this.#world.spending.use(allowance, this.#world.choose);
    this.#world.store(
      named(`draft ${draft} started`, draftStarted(draft, this.#world.truth().goal.strategy)),
    );
    const steps = this.#drafts[(draft - 1) % this.#drafts.length] ?? [];
    const ids: string[] = [];
    /** Steps that are not stored yet. */
    let held: PlanEvent[] = [];
    const store = (...events: PlanEvent[]): void => {
      if (held.length + events.length > 0) this.#world.store(...held, ...events);
      held = [];
    };
    const end = () =>
      named(
        `draft ${draft}`,
        endOfDraft(draft, { spent, truth: this.#world.truth(), ids }, this.#world.choose),
      );
    const endsAfter = this.#world.choose(4) === 3 ? this.#world.choose(steps.length + 1) : steps.length;
    for (const [index, one] of steps.entries()) {
      // Steps that are read at the same time are stored together.
      if (this.#world.choose(3) < 2) {
        store();
        yield;
      }
      if (index === endsAfter) store(end());
      const { step, ...grants } = inDraft(one, draft);
      const mayNeedOlder =
        this.#world.choose(5) === 4 && this.#world.truth().steps.size > 0 && !areTied(steps);
      const older = mayNeedOlder ? anyStepId(this.#world.truth(), this.#world.choose) : undefined;
      const dependsOn =
        older === undefined || older === step.id ? step.dependsOn : [...step.dependsOn, older];
      held.push(named(`${draft} ${index}`, planned({ ...step, dependsOn }, { draft, index, ...grants })));
      ids.push(step.id);
    }
    if (this.#world.choose(3) < 2) {
      store();
      yield;
    }
    store(end());
  }

  *join({ join, allowance }: JoinWork): Activity {
    const spent = this.#world.spending.use(allowance, this.#world.choose);
    yield;
    this.#world.store(
      named(
        `join ${join}`,
        endOfJoin({ join, allowance }, { spent, truth: this.#world.truth() }, this.#world.choose),
      ),
    );
  }

  *process({ stepId, item, attempt, allowance }: FactsWork): Activity {
    yield;
    const spent = this.#world.spending.use(allowance, this.#world.choose);
    this.#world.store(
      named(
        `facts ${stepId} ${item} ${attempt}`,
        patchOf(stepId, attempt, { ...spent, item }, this.#world.choose),
      ),
    );
  }

  *review(work: ReviewWork): Activity {
    const spent = this.#world.spending.use(work.allowance, this.#world.choose);
    yield;
    const id = `review ${work.stepId} ${work.attempt} ${work.review}`;
    this.#world.store(named(id, endOfReview(work, spent, this.#world.choose)));
  }

  *critique(work: CritiqueWork): Activity {
    const spent = this.#world.spending.use(work.allowance, this.#world.choose);
    yield;
    const id = `critique ${work.of} ${work.draft} ${work.review}`;
    this.#world.store(named(id, endOfCritique(work, spent, this.#world.choose)));
  }
}
