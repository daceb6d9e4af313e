/**
 * The calls of a program, played from the log as far as it goes. A program that is run again, with the same input,
 * clock and random numbers, comes to the same calls: those that have returned are answered from the log, so that none
 * is made twice, and the program continues where the last attempt of its step ended.
 */
import type { JsonObject, Turn } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { isSameCall, refuseOther } from "../steps/same-call.ts";
import type { ToolOutcome } from "../sandbox/sandbox.ts";
import type { AskedTurn, NewTurn, ToolDesk } from "./define-tool.ts";

export type ReplayedCalls = {
  /**
   * Answers the program's next call.
   *
   * @throws {PermanentError} `replay_diverged` when the log has another call in its place.
   * @throws What breaks the attempt off: a call that waits for a person, a plan that is cancelled.
   */
  readonly call: (tool: string, args: JsonObject) => Promise<ToolOutcome>;
  /** @throws {PermanentError} `replay_diverged` when the program has ended before a call that the log has. */
  readonly end: () => void;
};

export async function replayCalls(desk: ToolDesk): Promise<ReplayedCalls> {
  let turns: readonly NewTurn[] = (await desk.recorded()).turns;
  let made = 0;
  // Only where the last attempt broke off can there be a call that was begun, or asked for.
  let isFirst = true;

  async function take(asked: AskedTurn): Promise<NewTurn> {
    const begun = isFirst ? await desk.goOn(asked) : undefined;
    isFirst = false;
    const turn = begun ?? (mayBeMade(asked, turns) ? await desk.call(asked) : unknown(asked));
    if (await desk.record(turn)) {
      turns = [...turns, turn];
      return turn;
    }
    // Another worker was faster: what it got is what the program gets.
    ({ turns } = await desk.recorded());
    const stored = turns[asked.turn - 1];
    if (stored === undefined) throw new TransientError(`the log does not show call ${asked.turn} yet`);
    refuseOther(stored, asked);
    return stored;
  }

  return {
    async call(tool, args) {
      made += 1;
      const asked = { turn: made, thought: "", tool, args };
      const recorded = turns[made - 1];
      if (recorded !== undefined) refuseOther(recorded, asked);
      return outcomeOf(desk, recorded ?? (await take(asked)));
    },
    end() {
      if (made >= turns.length) return;
      throw new PermanentError(
        `the program ended after ${made} calls, but made ${turns.length} before: it is not deterministic`,
        { code: "replay_diverged" },
      );
    },
  };
}

async function outcomeOf(desk: ToolDesk, { output, error }: NewTurn): Promise<ToolOutcome> {
  if (output !== undefined) return { output: await desk.read(output) };
  return { error: error ?? { code: "failed", message: "the call failed" } };
}

/** A call with an unknown outcome is not repeated. */
function mayBeMade(
  asked: AskedTurn,
  turns: readonly Pick<Turn, "tool" | "args" | "proposed" | "uncertain">[],
): boolean {
  return !turns.some((turn) => turn.uncertain === true && isSameCall(turn, asked));
}

function unknown(asked: AskedTurn): NewTurn {
  const message = "this call was made before, and it is unknown whether it took effect";
  return { ...asked, error: { code: "repeated_call", message } };
}
