// Verbs that say no more than that a figure is of what is named, and those that say more.
import { describe, expect, it } from "vitest";
import { loadTables } from "../../testing/load-table.ts";
import { readGoal } from "./read-goal.ts";

const coaches = loadTables("coaches", {
  lines: {
    columns: ["line", "kind", "distance_km"],
    rows: [
      ["Coast", "scenic", 40],
      ["Hills", "scenic", 25],
      ["Airport", "shuttle", 12],
    ],
  },
  trips: {
    columns: ["trip_no", "date", "line", "coach", "driver", "guests", "takings_eur", "status"],
    rows: [
      [1, "2025-03-01", "Coast", "Heron", "Ada Voss", 30, 300, "on time"],
      [2, "2025-03-02", "Coast", "Heron", "Bert Lund", 20, 200, "late"],
      [3, "2025-03-03", "Hills", "Heron", "Ada Voss", 0, 0, "cancelled"],
      [4, "2025-03-04", "Airport", "Stork", "Cleo Hart", 44, 220, "on time"],
      [5, "2025-04-01", "Coast", "Stork", "Ada Voss", 10, 100, "on time"],
    ],
  },
});

const farm = loadTables("farm", {
  fields: {
    columns: ["field_id", "field_name", "side", "area_ha", "pot_litres"],
    rows: [
      ["F1", "Long Acre", "north", 4, 2],
      ["F2", "Mill Piece", "north", 3, 2],
      ["F3", "Marsh End", "south", 2, 3],
    ],
  },
  loads: {
    columns: [
      "load_no",
      "brought_on",
      "field_id",
      "hay_type",
      "weight_kg",
      "workers_hours",
      "brought_by",
      "quality",
    ],
    rows: [
      ["L1", "2025-06-01", "F1", "meadow", 400, 3, "Ona", "A"],
      ["L2", "2025-06-02", "F1", "clover", 300, 2, "Pim", "B"],
      ["L3", "2025-06-05", "F2", "clover", 500, 4, "Ona", "rejected"],
    ],
  },
});

function answer(world: typeof farm, goal: string): unknown[][] | string {
  const read = readGoal(goal, world.description);
  if (read.kind !== "query") return read.kind;
  return world.query(read.sql.text, [...read.sql.params]).map((row) => Object.values(row));
}

describe("a verb that only says what a figure is of", () => {
  it.each<[string, unknown[][]]>([
    ["How many guests did Ada Voss carry?", [[40]]],
    ["How many guests did we carry in March 2025?", [[94]]],
    ["Which driver carried the most guests?", [["Cleo Hart", 44]]],
    ["Which coach carried the fewest guests?", [["Heron", 50]]],
    ["How many kilometres did the Heron drive in total?", [[80]]],
    ["What is the average distance of the late trips?", [[40]]],
  ])("%s", (goal, rows) => {
    expect(answer(coaches, goal)).toEqual(rows);
  });

  it("leaves out what was called off, and says so", () => {
    expect(readGoal("How many kilometres did the Heron drive?", coaches.description)).toMatchObject({
      description: "Total distance km over trips, where coach is Heron and status is not cancelled",
    });
  });

  it("finds what has none", () => {
    expect(answer(farm, "Which fields have never given a load?")).toEqual([["Marsh End", "F3"]]);
  });
});

describe("a verb that says more", () => {
  it.each([
    ["another deed", coaches, "How many guests did Ada Voss insult?"],
    ["a choice among rows", coaches, "How many guests did we refuse?"],
    ["what is not made", coaches, "How many guests did Ada Voss produce?"],
    ["whether what was called off counts", coaches, "How many trips did Ada Voss make?"],
    [
      "whether what was called off counts",
      coaches,
      "What is the average distance of the trips of the Heron?",
    ],
    [
      "lines once each or once a trip",
      coaches,
      "What is the total distance of the lines that the Heron drove?",
    ],
    ["a figure that is not of events", farm, "How many hectares did Ona bring?"],
    ["what a thing holds", farm, "How many litres did Long Acre give?"],
    ["whether what was rejected counts", farm, "How many kilograms did Ona carry?"],
    ["rows that something else refers to", farm, "How many fields did Ona make?"],
    ["a deed that has no rows", farm, "Which fields have never been mown?"],
    ["a denial that is not of rows", farm, "Which fields never gave clover?"],
  ])("%s: %s", (_, world, goal) => {
    expect(typeof answer(world, goal)).toBe("string");
  });
});
