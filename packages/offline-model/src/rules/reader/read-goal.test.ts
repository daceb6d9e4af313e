// The compositional reading over two small worlds: the result of each kind of question, and the refusals.
import { describe, expect, it } from "vitest";
import { loadTables } from "../../testing/load-table.ts";
import { type ReadGoal, readGoal } from "./read-questions.ts";

const library = loadTables("library", {
  readers: {
    columns: ["reader_id", "name", "branch", "birth_date", "joined", "active"],
    rows: [
      ["R1", "Ada Quill", "Harbour", "1990-02-01", "2021-03-04", "yes"],
      ["R2", "Bo Tarn", "Harbour", "1985-06-11", "2022-05-01", "no"],
      ["R3", "Cy Marsh", "Hill", "2001-09-23", "2022-08-19", "yes"],
      ["R4", "Di Moor", "Hill", "1979-12-30", "2023-01-15", "yes"],
    ],
  },
  loans: {
    columns: ["loan_no", "reader_id", "genre", "lent_on", "due", "returned_on", "fine_eur", "renewed"],
    rows: [
      [701, "R1", "novel", "2024-01-05", "2024-01-19", "2024-01-18", 0, "no"],
      [702, "R1", "travel", "2024-02-02", "2024-02-16", "2024-02-20", 4, "yes"],
      [703, "R2", "novel", "2024-02-11", "2024-02-25", "2024-03-02", 6, "no"],
      [704, "R3", "crime", "2024-03-01", "2024-03-15", null, 0, "yes"],
      [705, "R1", "novel", "2024-03-09", "2024-03-23", "2024-03-20", 0, "no"],
    ],
  },
});

const stall = loadTables("stall", {
  cheeses: {
    columns: ["cheese_id", "name", "milk"],
    rows: [
      ["C1", "Old Bert", "cow"],
      ["C2", "Nanny", "goat"],
    ],
  },
  sales: {
    columns: ["sale_id", "cheese_id", "sold_on", "quantity", "amount"],
    rows: [
      ["S1", "C1", "2024-05-01", 3, 12],
      ["S2", "C1", "2024-05-02", 1, 4],
      ["S3", "C2", "2024-05-02", 2, 9],
    ],
  },
});

it.each([
  ["how many were sold could be pieces", "How many goat cheeses did we sell?"],
  ["what is sold is not the sales", "How many goats did we sell in May 2024?"],
  ["takings are money, not sales", "What percentage of our takings came from goat cheese?"],
])("%s", (_, goal) => {
  expect(readGoal(goal, stall.description)).toMatchObject({ kind: "unread" });
});

it("counts unsold items", () => {
  const counted = (goal: string) => {
    const read = readGoal(goal, stall.description);
    return read.kind === "query" ? stall.query(read.sql.text, [...read.sql.params]) : read;
  };
  expect(counted("How many cheeses have no sales?")).toMatchObject([{ cheese_count: 0 }]);
});

function answer(goal: string): unknown[][] | string {
  const read = readGoal(goal, library.description);
  if (read.kind !== "query") return read.kind;
  return library.query(read.sql.text, [...read.sql.params]).map((row) => Object.values(row));
}

describe("a goal is read as a whole", () => {
  it.each<[string, unknown[][]]>([
    ["How many loans were there in February 2024?", [[2]]],
    ["How many novels were lent in the first quarter of 2024?", [[3]]],
    ["What was the total of the fines in the Harbour branch?", [[10]]],
    ["What is the average fine of the renewed loans?", [[2]]],
    ["How many loans have not been returned yet?", [[1]]],
    ["How many loans were returned late?", [[2]]],
    ["Show the total fines for each branch except Hill.", [["Harbour", 10]]],
    ["What share of the loans was renewed?", [[40, 2, 5]]],
    ["When did Ada join?", [["Ada Quill", "R1", "2021-03-04"]]],
    ["Who is our youngest reader?", [["Cy Marsh", "R3", "2001-09-23"]]],
    ["Which reader had the most loans?", [["Ada Quill", "R1", 3]]],
    ["Were there any loans after 15 March 2024?", [["no", 0]]],
    ["Which readers from the Harbour branch are not active?", [["Bo Tarn", "R2"]]],
    ["How many different genres did Ada Quill have?", [[2]]],
    [
      "How much higher were the fines in March 2024 than in February 2024?",
      [
        ["2024-03", 0, -10],
        ["2024-02", 10, 10],
      ],
    ],
    ["Which loans had fines over 5 euros?", [["703"]]],
    ["Which readers have no loans?", [["Di Moor", "R4"]]],
  ])("%s", (goal, rows) => {
    expect(answer(goal)).toEqual(rows);
  });
});

describe("a goal that is not read", () => {
  it.each([
    ["a word that nothing explains", "How many wet loans were there in February 2024?"],
    ["an opinion", "Who is our worst reader?"],
    ["advice", "Should we raise the fines?"],
    ["a forecast", "How many loans will there be in May?"],
    ["a column that no table has", "Which librarian has the most loans?"],
    ["a name that no row has", "How many loans did Eli Stone have?"],
    ["a figure of which sum and row are both possible", "Which genre has the highest fine?"],
    ["a goal longer than any question", `How many loans were there in ${"the ".repeat(60)}Harbour branch?`],
    ["whether all rows are so", "Are all readers active?"],
    ["whether no row is so", "Are there no renewed loans?"],
    ["rows of which some others are not so", "Which readers had no renewed loans?"],
    ["a denial of one of several rows", "Which genres were not renewed?"],
    ["a time in which the data has two such years", "How many readers joined in a year?"],
    ["a unit that the column is not counted in", "Which loans had fines over 5 kilograms?"],
    ["two aggregates of one figure", "What is the median average fine?"],
    ["what is ranked behind what is added up", "Average fines of the top 2 readers"],
  ])("%s", (_, goal) => {
    expect(typeof answer(goal)).toBe("string");
  });

  it("names the unexplained words", () => {
    expect(readGoal("How many wet loans were there in February 2024?", library.description)).toMatchObject({
      kind: "unread",
      unknown: ["wet"],
    });
  });
});

/** An unread goal has no statement, so no other goal has the same. */
function sqlOf(read: ReadGoal): unknown {
  return read.kind === "query" ? read.sql : read.kind;
}

describe("every word counts", () => {
  const goals = [
    "How many loans were there in February 2024?",
    "What was the total of the fines in the Harbour branch?",
    "Which reader had the most loans?",
    "What share of the loans was renewed?",
  ];
  const words = [
    "wet",
    "outstanding",
    "almost",
    "double",
    "median",
    "first",
    "recent",
    "twice",
    "other",
    "late",
  ];
  it.each(goals.flatMap((goal) => words.map((word) => [goal, word] as const)))(
    "%s with “%s” is not the same",
    (goal, word) => {
      const plain = answer(goal);
      expect(plain).not.toBe("unread");
      const [ask, ...rest] = goal.split(/(?<=\b(?:many|the|Which|What)) /);
      const changed = readGoal(`${ask} ${word} ${rest.join(" ")}`, library.description);
      const same = readGoal(goal, library.description);
      expect(sqlOf(changed)).not.toEqual(sqlOf(same));
    },
  );
});
