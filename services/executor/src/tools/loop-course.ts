/**
 * The course of a loop that a model leads: takes its turns, calls their tools and stores the outcomes. Never repeats a call that
 * is already in the log; see TURN-1 to TURN-5 in the core.
 */
import {
  callsToMake,
  canonicalJson,
  isCallNamed,
  type MissingCall,
  missingCalls,
  type Turn,
  turnNumber,
  withOutcome,
} from "@planwright/plan";
import { TransientError } from "@planwright/shared/errors";
import type { LoopRecord, NewTurn, ToolDesk } from "./define-tool.ts";
import type { ReadCall, ReadTurn } from "./agent-react.ts";

/** Maximum number of simultaneous calls of one turn. */
export const CALLS_AT_ONCE_MAX = 4;

export type LoopCourse = {
  /** Turns with an outcome, in the order of the calls. */
  readonly turns: () => readonly Turn[];
  /**
   * Makes the calls of a turn, and stores each outcome as soon as it is known.
   *
   * @param callsLeft - How many calls the loop can still make; the others are refused.
   * @throws Whatever interrupts the attempt: a call that needs approval, a cancelled plan. Calls that have returned by then are
   * stored.
   */
  readonly take: (said: Exclude<ReadTurn, { kind: "finish" }>, callsLeft: number) => Promise<void>;
};

/**
 * Continues a loop where its log ends: first with the call that was started or that a user has decided about, then with the other
 * calls of the current turn.
 *
 * @param options.tools - The names of the tools that the loop can call.
 */
export async function openCourse(
  desk: ToolDesk,
  { tools, attempt }: { readonly tools: readonly string[]; readonly attempt: number },
): Promise<LoopCourse> {
  const flags = await Promise.all(tools.map(async (tool) => [tool, await desk.runsAlone(tool)] as const));
  const beside = new Set(flags.flatMap(([tool, isAlone]) => (isAlone ? [] : [tool])));
  const isAlone = ({ tool, error }: Pick<Turn, "tool" | "error">): boolean =>
    error === undefined && (tool === undefined || !beside.has(tool));
  let loop: LoopRecord = await desk.recorded();

  /** Another worker stored an outcome first: it counts. Keeps our outcomes that the log does not show yet. */
  async function reload(): Promise<void> {
    const { turns, openTurn } = await desk.recorded();
    const ours = loop.turns.filter((turn) => !turns.some((other) => isCallNamed(other, turn)));
    loop = { turns: ours.reduce(withOutcome<Turn>, turns), ...(openTurn === undefined ? {} : { openTurn }) };
  }

  async function store(outcome: NewTurn): Promise<void> {
    if (await desk.record(outcome)) {
      loop = { ...loop, turns: withOutcome<Turn>(loop.turns, { ...outcome, attempt, at: "" }) };
      return;
    }
    await reload();
    if (turnNumber(loop) > outcome.turn || loop.turns.some((turn) => isCallNamed(turn, outcome))) return;
    if (outcome.call === undefined && loop.openTurn !== undefined) return;
    throw new TransientError(`the log does not show the outcome of turn ${outcome.turn} yet`);
  }

  async function make(call: MissingCall | (Omit<MissingCall, "call"> & { readonly call?: number })) {
    const { tool, args, error, ...name } = call;
    if (error === undefined && tool !== undefined && args !== undefined) {
      return store(await desk.call({ ...name, tool, args }));
    }
    return store(call);
  }

  /** Makes the calls of the current turn that have no outcome. */
  async function finishTurn(): Promise<void> {
    for (let missing = missingCalls(loop); missing.length > 0; missing = missingCalls(loop)) {
      await forEachAtOnce(callsToMake(missing, isAlone), make);
    }
    loop = { turns: loop.turns };
  }

  async function take(said: Exclude<ReadTurn, { kind: "finish" }>, callsLeft: number): Promise<void> {
    const turn = turnNumber(loop);
    const { thought } = said;
    if (said.kind === "fault") return store({ turn, thought, error: said.error });
    const calls = withRefusals(said.calls, { turns: loop.turns, callsLeft, isAlone });
    const [only] = calls;
    if (calls.length === 1) return make({ turn, thought, ...only });
    const open = { turn, thought, calls: [...calls] };
    if (await desk.begin(open)) {
      loop = { ...loop, openTurn: { ...open, attempt, at: "" } };
    } else {
      await reload();
      if (loop.openTurn === undefined && turnNumber(loop) === turn) {
        throw new TransientError(`the log does not show the start of turn ${turn} yet`);
      }
    }
    await finishTurn();
  }

  const begun = await desk.goOn();
  if (begun !== undefined) await store(begun);
  await finishTurn();
  return {
    turns: () => loop.turns,
    async take(said, callsLeft) {
      await take(said, callsLeft);
      // Another worker may have begun the turn that this one wanted to take.
      await finishTurn();
    },
  };
}

type PlannedCall = Pick<Turn, "tool" | "args" | "error">;
type Known = {
  readonly turns: readonly Turn[];
  readonly callsLeft: number;
  readonly isAlone: (call: Pick<Turn, "tool" | "error">) => boolean;
};

/** The calls, with a reason for each one that is not made: the loop has no calls left, or has already made it. */
function withRefusals(
  calls: readonly ReadCall[],
  { turns, callsLeft, isAlone }: Known,
): readonly PlannedCall[] {
  return calls.reduce<readonly PlannedCall[]>((planned, call, index) => {
    if ("error" in call) return [...planned, call];
    if (index >= callsLeft) {
      const message = `the loop has no calls left: only ${Math.max(0, callsLeft)} of this turn's ${calls.length} calls were made`;
      return [...planned, { ...call, error: { code: "react_calls_exceeded", message } }];
    }
    const refusal = repetitionOf(call, { turns, planned, isAlone });
    return [...planned, refusal === undefined ? call : { ...call, error: refusal }];
  }, []);
}

/**
 * Why a call would only repeat an earlier one; undefined when it can be made. A read-only tool can be called again after a write.
 */
function repetitionOf(
  call: PlannedCall,
  {
    turns,
    planned,
    isAlone,
  }: { readonly planned: readonly PlannedCall[] } & Pick<Known, "turns" | "isAlone">,
): Turn["error"] {
  const earlier = [
    ...turns.filter(({ output, uncertain }) => output !== undefined || uncertain === true),
    ...planned.filter(({ error }) => error === undefined),
  ];
  const change = isAlone(call) ? -1 : earlier.findLastIndex(({ tool }) => isAlone({ tool }));
  const wanted = keyOf(call);
  const same = earlier.slice(change + 1).find((one) => keyOf(one) === wanted);
  if (same === undefined) return undefined;
  return { code: "repeated_call", message: repetitionText(same) };
}

function repetitionText(same: PlannedCall | Turn): string {
  if (!("turn" in same)) return "another call of this turn is the same";
  return same.output === undefined
    ? `turn ${same.turn} made this call, and it is unknown whether it took effect`
    : `turn ${same.turn} made this call: use its output`;
}

function keyOf({ tool, args }: PlannedCall): string {
  return canonicalJson([tool ?? null, args ?? null]);
}

/** Calls `work` with all items, a few at a time, and starts none after one has thrown; throws the first error. */
async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const take = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE_MAX, items.length) }, take));
  if (failures.length > 0) throw failures[0];
}
