import process from "node:process";

export type SeededRandom = {
  readonly seed: number;
  /** An integer in [0, below). */
  below(below: number): number;
  /** The items in random order. */
  shuffle<Item>(items: Iterable<Item>): Item[];
};

/**
 * The source of a test's random faults: repeatable with the printed seed, by `FAULT_SEED=<seed>`.
 *
 * @param say - Receives the message with the seed; default standard output.
 */
export function seededRandom(
  what: string,
  { seed = seedOfThisRun(), say = (line: string): void => void process.stdout.write(`${line}\n`) } = {},
): SeededRandom {
  say(`${what}: FAULT_SEED=${seed}`);
  let state = seed >>> 0;
  // Mulberry32: small, and good enough to choose faults.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    below,
    shuffle(items) {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last--) {
        const other = below(last + 1);
        const [left, right] = [result[last], result[other]];
        if (left === undefined || right === undefined) continue;
        result[last] = right;
        result[other] = left;
      }
      return result;
    },
  };
}

function seedOfThisRun(): number {
  const asked = process.env["FAULT_SEED"];
  if (asked === undefined || asked === "") return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(asked);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`FAULT_SEED: wanted a whole number, got "${asked}"`);
  return seed;
}
