import { expect, it } from "vitest";
import { seededRandom } from "./seeded-random.ts";

const drawn = (seed: number) =>
  seededRandom("a test", { seed, say: () => undefined })
    .shuffle("abcdefgh")
    .join("");

it("draws the same values from the same seed, and others from another seed", () => {
  expect(drawn(7)).toBe(drawn(7));
  expect(drawn(7).split("").toSorted().join("")).toBe("abcdefgh");
  expect(drawn(8)).not.toBe(drawn(7));
});

it("prints how to repeat it", () => {
  const said: string[] = [];
  seededRandom("a test", { seed: 7, say: (line) => said.push(line) });
  expect(said).toEqual(["a test: FAULT_SEED=7"]);
});
