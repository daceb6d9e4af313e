import type { PlanEvent } from "@planwright/plan";

/** An event that a plan counts, with its number in the plan. */
export class NumberedEvent {
  readonly seq: number;
  readonly event: PlanEvent;
  #json: string | undefined;

  constructor(seq: number, event: PlanEvent) {
    this.seq = seq;
    this.event = event;
  }

  /** The event as JSON, serialized once for all watchers. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.event));
  }

  get isLast(): boolean {
    return this.event.type === "plan.ended";
  }
}
