// Every service dies before and after each of its publishes, acknowledgements and effects, at their first, second
// and third passage, while plans of every kind run.
import { SERVICE_NAMES, seededRandom, startFaultySystem } from "@planwright/testkit";
import { expect, it } from "vitest";
import { commonPoints } from "../support/fault-point-groups.ts";
import { letAllDie } from "../support/let-die.ts";

const WITHIN_MS = 900_000;
const random = seededRandom("all kill points");

it.each([1, 2, 3])(
  "keeps every promise when each service dies at each point, passage %i",
  async (passage) => {
    const deaths = SERVICE_NAMES.flatMap((name) => {
      return random.shuffle(commonPoints(name)).map((point) => ({ name, point, passage }));
    });
    await using faulty = await startFaultySystem();
    const broken = await faulty.during((signal) => letAllDie(faulty.system, deaths, signal), WITHIN_MS);
    expect(broken).toEqual([]);
  },
);
