// Goals of several questions over two small worlds: follow-ups on an answer, questions beside another one, and refusals.
import { describe, expect, it } from "vitest";
import { loadTables } from "../../testing/load-table.ts";
import { readQuestions } from "./read-questions.ts";

const quarry = loadTables("quarry", {
  trucks: {
    columns: ["truck_id", "truck_name", "maker", "driver", "bought_on", "payload_t", "insured"],
    rows: [
      ["T1", "Badger", "Volvo", "Ida Holt", "2019-03-04", 20, "yes"],
      ["T2", "Mole", "MAN", "Ken Ruff", "2021-07-19", 26, "no"],
      ["T3", "Stoat", "Volvo", "Ida Holt", "2023-01-30", 26, "yes"],
      ["T4", "Otter", "MAN", "Liv Sand", "2020-11-02", 12, "no"],
    ],
  },
  trips: {
    columns: ["trip_no", "truck_id", "trip_date", "customer", "stone", "tons", "charge_eur", "paid_on"],
    rows: [
      [501, "T1", "2024-02-01", "Amber Yard", "granite", 18, 540, "2024-02-20"],
      [502, "T2", "2024-02-11", "Birch Roads", "gravel", 25, 400, null],
      [503, "T1", "2024-03-05", "Birch Roads", "gravel", 19, 300, "2024-03-06"],
      [504, "T3", "2024-03-09", "Amber Yard", "granite", 26, 780, "2024-04-01"],
      [505, "T1", "2024-04-17", "Cole & Sons", "lime", 15, 210, null],
      [506, "T2", "2024-04-21", "Birch Roads", "gravel", 24, 390, "2024-05-02"],
    ],
  },
});

function answers(goal: string): unknown {
  const read = readQuestions(goal, quarry.description);
  if (read.kind !== "queries") return read.kind;
  return read.queries.map(({ sql }) =>
    quarry.query(sql.text, [...sql.params]).map((row) => Object.values(row)),
  );
}

describe("a question that follows up on an answer", () => {
  it.each<[string, unknown]>([
    ["Which truck had the most trips, and how many is that?", [[["Badger", "T1", 3]]]],
    ["Which customer paid the most, and how much was it?", [[["Amber Yard", 1320]]]],
    ["Which truck had the most trips, and who is its driver?", [[["Badger", "T1", "Ida Holt", 3]]]],
    ["Which is the oldest truck and who drives it?", "unread"],
    ["Which trip had the highest charge, and which truck was it?", [[["504", "Stoat", "T3", 780]]]],
    ["What was the highest charge, and which customer was it for?", [[["504", "Amber Yard", 780]]]],
    ["How many trips were there in March 2024, and how many tons were that?", [[[2, 45]]]],
    [
      "How many trucks are insured, and which ones?",
      [
        [[2]],
        [
          ["Badger", "T1"],
          ["Stoat", "T3"],
        ],
      ],
    ],
    [
      "What is the highest payload, and for which truck?",
      [
        [
          ["Mole", "T2", 26],
          ["Stoat", "T3", 26],
        ],
      ],
    ],
    ["How many trucks are insured, and how many are not?", [[[2]], [[2]]]],
    [
      "Which trucks are insured? Please give the maker and the driver.",
      [
        [
          ["Badger", "T1", "Volvo", "Ida Holt"],
          ["Stoat", "T3", "Volvo", "Ida Holt"],
        ],
      ],
    ],
    [
      "How many trips did each customer have? Start with the largest.",
      [
        [
          ["Birch Roads", 3],
          ["Amber Yard", 2],
          ["Cole & Sons", 1],
        ],
      ],
    ],
    [
      "Which trucks have the highest payload? If several are equal, list them all with the maker.",
      [
        [
          ["Mole", "T2", "MAN", 26],
          ["Stoat", "T3", "Volvo", 26],
        ],
      ],
    ],
  ])("%s", (goal, expected) => {
    expect(answers(goal)).toEqual(expected);
  });
});

describe("a question beside another one", () => {
  it.each<[string, unknown]>([
    ["How many trips were there in February 2024 and how many in April 2024?", [[[2]], [[2]]]],
    ["How many trips did Amber Yard have, and how many trips did Birch Roads have?", [[[2]], [[3]]]],
    [
      "Which customer had the most trips, and which had the fewest?",
      [[["Birch Roads", 3]], [["Cole & Sons", 1]]],
    ],
    ["What were the lowest and the highest charge?", [[[210]], [[780]]]],
    ["How many trips were there in March 2024, and what was the total charge?", [[[2, 1080]]]],
  ])("%s", (goal, expected) => {
    expect(answers(goal)).toEqual(expected);
  });
});

describe("a second half that is ambiguous or not understood leaves the whole goal unread", () => {
  it.each([
    // Of all trips, or of those in March?
    "How many trips were there in March 2024, and which truck had the most trips?",
    "How many trips were there, and how many trips in April 2024 were unpaid?",
    // Trips have two dates.
    "Which trip had the highest charge, and when was it?",
    "Which customer was charged the most for gravel, and how much was it per trip?",
    // The most expensive trip, or all of them?
    "Which trip had the highest charge, and how many tons were moved?",
    "Which trip had the highest charge, and how many trips were unpaid?",
    "Which customer had the most trips? Please include the amount.",
    "Which truck has the highest payload, and is it insured?",
    "What is the total of the trips by customer?",
    // The truck with the most trips has many of them.
    "Which truck had the most trips, and who was the customer?",
    "Which truck had the most trips, and how much is that?",
    "Which customer paid the most, and how many is that?",
    "Which truck had the most trips, and how much did it earn?",
    "Which customer paid the most, and how much did they owe?",
    // There is no figure per trip: the tons of a customer's several trips are not one.
    "Which customers bought gravel, and how many tons?",
    "How many trucks are insured, and who are they?",
    "Which truck had the most trips, and what is its colour?",
    "Which truck had the most trips, and how heavy is it?",
    "Which truck had the most trips, and when was its last trip?",
    "How many trucks and how many customers paid late?",
    "Which trucks are insured? Only the new ones.",
    "How many trips did Amber Yard have in March 2024, and how many did Birch Roads have?",
  ])("%s", (goal) => {
    expect(answers(goal)).not.toBeInstanceOf(Array);
  });
});
