// The course of a loop over an in-memory log: which calls are made and when, and what remains when a worker dies.
import { callToken, type OpenTurn, type Turn, withOutcome } from "@planwright/plan";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AskedTurn, NewTurn, ToolDesk } from "./define-tool.ts";
import { CALLS_AT_ONCE_MAX, openCourse } from "./loop-course.ts";
import type { ReadCall } from "./agent-react.ts";

const TOOLS = ["read", "write"];
const read = (n: number): ReadCall => ({ tool: "read", args: { n } });
const write = (n: number): ReadCall => ({ tool: "write", args: { n } });
const ended = () => new Error("the worker has died");

/** The state that outlives a worker: the log, and effects outside. */
class World {
  turns: readonly Turn[] = [];
  openTurn: OpenTurn | undefined;
  /** The calls that were made, by name; `+` marks a start and `-` an end. */
  readonly course: string[] = [];
  /** How often the worker can still touch the world. */
  steps = Infinity;
  /** Lets calls end one by one, last one first. */
  readonly held: (() => void)[] = [];
  holds = false;

  desk(call: (asked: AskedTurn) => Promise<Partial<NewTurn>>): ToolDesk {
    return {
      specs: () => Promise.reject(new Error("not asked")),
      began: () => Promise.reject(new Error("not asked")),
      read: () => Promise.reject(new Error("not asked")),
      goOn: async () => undefined,
      runsAlone: async (tool) => tool === "write",
      recorded: async () => ({
        turns: this.turns,
        ...(this.openTurn === undefined ? {} : { openTurn: this.openTurn }),
      }),
      begin: async (turn) => {
        this.#step();
        if (this.openTurn !== undefined) return false;
        this.openTurn = { ...turn, attempt: 1, at: "" };
        return true;
      },
      record: async (turn) => {
        this.#step();
        if (this.turns.some((other) => callToken(other) === callToken(turn))) return false;
        this.turns = withOutcome(this.turns, { ...turn, attempt: 1, at: "" });
        const isOver =
          this.turns.filter((one) => one.turn === turn.turn).length === this.openTurn?.calls.length;
        if (isOver) this.openTurn = undefined;
        return true;
      },
      call: async (asked) => {
        this.#step();
        this.course.push(`+${callToken(asked)}`);
        const { promise, resolve } = Promise.withResolvers<void>();
        if (this.holds) this.held.push(resolve);
        else resolve();
        await promise;
        const came = await call(asked);
        this.course.push(`-${callToken(asked)}`);
        return { ...asked, ...came };
      },
    };
  }

  #step(): void {
    this.steps -= 1;
    if (this.steps < 0) throw ended();
  }
}

const returning = async ({ args }: AskedTurn) => ({ output: { value: args } });
const open = (world: World, call = returning) => openCourse(world.desk(call), { tools: TOOLS, attempt: 1 });
const outcomes = (turns: readonly Turn[]) =>
  turns.map((turn) => [callToken(turn), turn.error?.code ?? "output" in turn]);

it("runs consecutive reads simultaneously, and a write after everything before it (TURN-3, TURN-4)", async () => {
  const world = new World();
  world.holds = true;
  const course = await open(world);
  const taken = course.take({ kind: "calls", thought: "", calls: [read(1), read(2), write(3), read(4)] }, 50);
  await expect.poll(() => world.course).toEqual(["+1_1", "+1_2"]);
  world.held[1]?.();
  await expect.poll(() => world.turns.map(callToken)).toEqual(["1_2"]);
  world.held[0]?.();
  await expect.poll(() => world.course.slice(2)).toEqual(["-1_2", "-1_1", "+1_3"]);
  world.held[2]?.();
  await expect.poll(() => world.course.at(-1)).toBe("+1_4");
  world.held[3]?.();
  await taken;
  expect(course.turns().map(callToken)).toEqual(["1_1", "1_2", "1_3", "1_4"]);
  expect(world.openTurn).toBeUndefined();
});

it("limits the number of simultaneous calls", async () => {
  const world = new World();
  world.holds = true;
  const course = await open(world);
  const calls = Array.from({ length: 8 }, (_, index) => read(index));
  const taken = course.take({ kind: "calls", thought: "", calls }, 50);
  await expect.poll(() => world.course).toHaveLength(CALLS_AT_ONCE_MAX);
  for (let over = 0; over < 8; over++) {
    await expect.poll(() => world.held.length).toBeGreaterThan(over);
    expect(world.course.filter((one) => one.startsWith("+")).length - over).toBeLessThanOrEqual(
      CALLS_AT_ONCE_MAX,
    );
    world.held[over]?.();
    await expect.poll(() => world.turns).toHaveLength(over + 1);
  }
  await taken;
});

it("stores no separate start for a turn of one call", async () => {
  const world = new World();
  const course = await open(world);
  await course.take({ kind: "calls", thought: "hm", calls: [read(1)] }, 50);
  await course.take({ kind: "fault", thought: "", error: { code: "malformed_turn", message: "no" } }, 50);
  expect(world.turns).toMatchObject([
    { turn: 1, thought: "hm", tool: "read", output: { value: { n: 1 } } },
    { turn: 2, error: { code: "malformed_turn" } },
  ]);
  expect(world.turns.map(({ call }) => call)).toEqual([undefined, undefined]);
});

it("keeps the outputs of other calls when one fails or ends the attempt", async () => {
  const world = new World();
  const failing = async (asked: AskedTurn) =>
    asked.args["n"] === 2 ? { error: { code: "failed", message: "no" } } : returning(asked);
  const course = await open(world, failing as typeof returning);
  await course.take({ kind: "calls", thought: "", calls: [read(1), read(2), write(3)] }, 50);
  expect(outcomes(course.turns())).toEqual([
    ["1_1", true],
    ["1_2", "failed"],
    ["1_3", true],
  ]);
  const asking = async (asked: AskedTurn) => {
    if (asked.tool === "write") throw new Error("waits for a person");
    return returning(asked);
  };
  const other = await open(world, asking);
  const calls = [read(4), write(5), read(6)];
  await expect(other.take({ kind: "calls", thought: "", calls }, 50)).rejects.toThrow("waits for a person");
  expect(outcomes(world.turns).slice(3)).toEqual([["2_1", true]]);
  await open(world);
  expect(outcomes(world.turns).slice(3)).toEqual([
    ["2_1", true],
    ["2_2", true],
    ["2_3", true],
  ]);
});

it("refuses a repeated call, but allows a repeated read after a write", async () => {
  const world = new World();
  const course = await open(world);
  const calls = [read(1), read(1), write(2), read(1), write(2)];
  await course.take({ kind: "calls", thought: "", calls }, 50);
  await course.take({ kind: "calls", thought: "", calls: [read(1)] }, 50);
  expect(outcomes(course.turns()).map(([, what]) => what)).toEqual([
    true,
    "repeated_call",
    true,
    true,
    "repeated_call",
    "repeated_call",
  ]);
  expect(course.turns().map(({ error }) => error?.message)).toMatchObject([
    undefined,
    "another call of this turn is the same",
    undefined,
    undefined,
    "another call of this turn is the same",
    "turn 1 made this call: use its output",
  ]);
});

it("makes no more calls than the loop has left, and reports that for the others", async () => {
  const world = new World();
  const course = await open(world);
  await course.take({ kind: "calls", thought: "", calls: [read(1), read(2), read(3)] }, 2);
  await course.take({ kind: "calls", thought: "", calls: [read(4)] }, 0);
  expect(outcomes(course.turns())).toEqual([
    ["1_1", true],
    ["1_2", true],
    ["1_3", "react_calls_exceeded"],
    ["2", "react_calls_exceeded"],
  ]);
  expect(course.turns()[2]?.error?.message).toContain("only 2 of this turn's 3 calls were made");
});

it("continues the turn that another worker has started", async () => {
  const world = new World();
  const course = await open(world);
  world.openTurn = { turn: 1, thought: "theirs", attempt: 1, at: "", calls: [read(7), read(8)] };
  await course.take({ kind: "calls", thought: "ours", calls: [read(1), read(2)] }, 50);
  expect(course.turns().map(({ thought, args }) => [thought, args])).toEqual([
    ["theirs", { n: 7 }],
    ["theirs", { n: 8 }],
  ]);
});

it("loses and repeats nothing wherever a worker dies (TURN-1, TURN-2, TURN-4)", async () => {
  const wanted = fc.array(fc.constantFrom("read", "write"), { minLength: 2, maxLength: 8 });
  const deaths = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(wanted, deaths, async (tools, lives) => {
      const world = new World();
      const calls = tools.map((tool, n): ReadCall => ({ tool, args: { n } }));
      for (const steps of [...lives, Infinity]) {
        world.steps = steps;
        const known = new Set(world.turns.map(callToken));
        const before = world.course.length;
        const life = async (): Promise<unknown> => {
          const course = await open(world);
          if (course.turns().length > 0) return undefined;
          return course.take({ kind: "calls", thought: "", calls }, 50);
        };
        const end = await life().catch((error: unknown) => error);
        expect([undefined, ended()]).toContainEqual(end);
        const made = world.course.slice(before).filter((one) => one.startsWith("+"));
        expect(made.filter((one) => known.has(one.slice(1)))).toEqual([]);
        expect([...known].filter((one) => !world.turns.some((turn) => callToken(turn) === one))).toEqual([]);
      }
      expect(world.turns.map(callToken)).toEqual(calls.map((_call, index) => `1_${index + 1}`));
      expect(world.turns.map(({ args }) => args?.["n"])).toEqual(calls.map((_call, index) => index));
    }),
    { numRuns: 300 },
  );
});
