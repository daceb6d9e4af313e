// Verbs that only link a figure to what is named, and verbs that mean more.
import { describe, expect, it } from "vitest";
import { loadTables } from "../../testing/load-table.ts";
import { readGoal } from "./read-questions.ts";

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

describe("a verb that only links a figure to its subject", () => {
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

  it("leaves out cancelled rows, and states that", () => {
    expect(readGoal("How many kilometres did the Heron drive?", coaches.description)).toMatchObject({
      description: "Total distance km over trips, where coach is Heron and status is not cancelled",
    });
  });

  it("finds the items without related rows", () => {
    expect(answer(farm, "Which fields have never given a load?")).toEqual([["Marsh End", "F3"]]);
  });
});

const bees = loadTables("bees", {
  hives: {
    columns: ["hive_id", "hive_name", "site"],
    rows: [
      ["H1", "Bramble", "Orchard"],
      ["H2", "Sorrel", "Meadow"],
      ["H3", "Cinder", "Meadow"],
    ],
  },
  harvests: {
    columns: ["batch_id", "taken_on", "hive_id", "honey_type", "kg", "extracted_by"],
    rows: [
      ["B1", "2024-05-10", "H1", "blossom", 5.5, "Tilda"],
      ["B2", "2024-06-11", "H1", "heather", 8, "Rosa"],
      ["B3", "2024-06-12", "H2", "blossom", 9, "Tilda"],
    ],
  },
});

const shop = loadTables("shop", {
  sales: {
    columns: ["sale_id", "sold_on", "product", "quantity", "amount", "origin", "destination"],
    rows: [
      ["S1", "2024-05-01", "milk", 3, 12, "Oslo", "Graz"],
      ["S2", "2024-05-02", "butter", 1, 4, "Graz", "Oslo"],
      ["S3", "2024-05-02", "milk", 2, 9, "Graz", "Oslo"],
    ],
  },
});

const absences = loadTables("absences", {
  absences: {
    columns: ["absence_no", "date", "worker", "hours"],
    rows: [
      [1, "2024-05-01", "Ona Reed", 8],
      [2, "2024-05-02", "Pim Vale", 4],
    ],
  },
});

describe("the thing that the rows are amounts of", () => {
  it.each<[string, unknown[][]]>([
    ["How much honey did the hives in the Meadow produce?", [[9]]],
    ["How much heather honey did Rosa extract?", [[8]]],
    ["Which hive gave us the most honey?", [["Bramble", "H1", 13.5]]],
    ["Name the hives that gave no honey at all.", [["Cinder", "H3"]]],
    ["How much honey did we take from the hive called Sorrel?", [[9]]],
    ["Which hives do not have a single harvest?", [["Cinder", "H3"]]],
  ])("%s", (goal, rows) => {
    expect(answer(bees, goal)).toEqual(rows);
  });

  it("reads the origin or destination from the preposition", () => {
    expect(answer(shop, "What was the total amount from Graz to Oslo?")).toEqual([[13]]);
  });

  it.each([
    ["harvests are no sales", bees, "How much honey did we sell?"],
    ["harvests are no loss", bees, "How much honey did we lose?"],
    ["a name that no row has", bees, "How much honey did we take from the hive called Clover?"],
    ["what is no row", bees, "How much single honey did we take?"],
    ["sales are no making", shop, "How much milk did we produce?"],
    ["hours of absence", absences, "How many hours did Ona Reed work?"],
  ])("%s: %s", (_, world, goal) => {
    expect(typeof answer(world, goal)).toBe("string");
  });
});

describe("a verb that means more", () => {
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
