/** Steps that wait for a slot of their pool: the dispatcher only knows their names. */
import assert from "node:assert/strict";
import type { Command } from "../src/decide/command.ts";
import { decideRun, isRunWanted, type SentRun, sentRun } from "../src/sharing/sent-run.ts";
import { isHalted, type KnownPlan } from "../src/machine/plan-state.ts";
import type { Choose } from "./budget-invariants.ts";

export class SimulatedGate {
  readonly #held = new Map<string, SentRun>();
  readonly #choose: Choose;
  readonly #wasSent: (id: string) => boolean;

  /** @param options.wasSent - Whether a command with this id was already carried out. */
  constructor({ choose, wasSent }: { choose: Choose; wasSent: (id: string) => boolean }) {
    this.#choose = choose;
    this.#wasSent = wasSent;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Whether the command waits here. */
  holds(command: Command): boolean {
    if (command.kind !== "run") return false;
    if (this.#held.has(command.id)) return true;
    if (this.#wasSent(command.id) || this.#choose(4) < 3) return false;
    this.#held.set(command.id, sentRun(command));
    return true;
  }

  /** Removes commands that must not be sent any more. */
  heed(owner: KnownPlan): void {
    for (const [id, run] of this.#held)
      if (isHalted(owner) || !isRunWanted(owner, run)) this.#held.delete(id);
  }

  /** The commands for one of the waiting steps. At least one must be waiting. */
  next(owner: KnownPlan): Command[] {
    const run = [...this.#held.values()][this.#choose(this.#held.size)];
    assert.ok(run !== undefined);
    this.#held.delete(run.id);
    const commands = decideRun(owner, run);
    assert.ok(commands.length > 0, `${run.id} waits, and nothing is decided about it`);
    return commands;
  }

  clear(): void {
    this.#held.clear();
  }
}
