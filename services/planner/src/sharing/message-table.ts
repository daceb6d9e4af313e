/** The messages with steps that are held or have been sent, by their ids and by the steps that they contain. */
import type { PlanId, RunCommand, SentRun, StepId } from "@planwright/plan";

/** A message for the queue of a pool. */
export type Message = SentRun & {
  readonly pool: string;
  readonly planId: PlanId;
  /** When it was first to be sent, in milliseconds of Unix time. */
  readonly takenMs: number;
  /** Set while it is held and matches the plan's state: only until the next release. */
  command?: RunCommand;
};

export class MessageTable {
  readonly #messages = new Map<string, Message>();
  readonly #ofSteps = new Map<PlanId, Map<StepId, Set<Message>>>();

  all(): Iterable<Message> {
    return this.#messages.values();
  }

  get(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  add(message: Message): void {
    this.#messages.set(message.id, message);
    const steps = this.#ofSteps.get(message.planId) ?? new Map<StepId, Set<Message>>();
    this.#ofSteps.set(message.planId, steps);
    for (const { stepId } of message.attempts) {
      const messages = steps.get(stepId) ?? new Set<Message>();
      steps.set(stepId, messages.add(message));
    }
  }

  remove(message: Message): void {
    this.#messages.delete(message.id);
    const steps = this.#ofSteps.get(message.planId);
    if (steps === undefined) return;
    for (const { stepId } of message.attempts) {
      const messages = steps.get(stepId);
      messages?.delete(message);
      if (messages?.size === 0) steps.delete(stepId);
    }
    if (steps.size === 0) this.#ofSteps.delete(message.planId);
  }

  /** The messages of a plan, or of one of its steps. */
  of(planId: PlanId, stepId?: StepId): Message[] {
    const steps = this.#ofSteps.get(planId);
    if (steps === undefined) return [];
    if (stepId !== undefined) return [...(steps.get(stepId) ?? [])];
    return [...steps.values()].flatMap((messages) => [...messages]);
  }
}
