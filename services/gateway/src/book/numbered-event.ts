import type { PlanEvent } from "@planwright/plan";

/** An event that a plan counts, with its number there. */
export class NumberedEvent {
  readonly seq: number;
  readonly event: PlanEvent;
  #json: string | undefined;

  constructor(seq: number, event: PlanEvent) {
    this.seq = seq;
    this.event = event;
  }

  /** The event as JSON, made once for all who watch. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.event));
  }

  get isLast(): boolean {
    return this.event.type === "plan.ended";
  }
}
