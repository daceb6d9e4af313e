import { expect, it } from "vitest";
import { readMath } from "./read-math.ts";

it.each([
  ["What is 12.5 * (3 + 4)?", ["12.5 * (3 + 4)"]],
  ["15% of 1,240", ["15 / 100 * 1240"]],
  ["the square root of 16 plus 2", ["sqrt(16) + 2"]],
  ["3 times 4 and 10 divided by 4", ["3 * 4", "10 / 4"]],
  ["average of 3, 5 and 10", ["(3 + 5 + 10) / 3"]],
  ["2 to the power of 10", ["2 ^ 10"]],
  ["6 x 7", ["6 * 7"]],
  ["Multiply 6 by 7", ["6 * 7"]],
  ["Divide 1,250.5 by 4", ["1250.5 / 4"]],
  ["Please subtract 5 from 12", ["12 - 5"]],
  ["Add 3 to 4", ["3 + 4"]],
  ["Add 3 and 4", ["3 + 4"]],
  ["Add up 1, 2 and 3", ["1 + 2 + 3"]],
  ["double 21", ["2 * 21"]],
  ["What is half of 90?", ["90 / 2"]],
  ["sqrt of 144", ["sqrt(144)"]],
  ["What is the difference between 5 and 12?", ["abs(5 - 12)"]],
])("reads the arithmetic in %j", (clause, expressions) => {
  expect(readMath(clause)).toEqual(expressions);
});

it.each([
  "revenue on 2025-10-01",
  "call 555-1234",
  "pages 3-5",
  "the top 3 of 10",
  "between 2024 and 2025",
  "((((",
  "1)+(2",
  "version 1.2.3",
  "What is the moisture percent of batch B24-053?",
  "What is the status of order 2024-117?",
  "How many of the 12 * 3 boxes are red?",
  "Multiply 6 by 7 and then add it to 3 * 4",
  "double the number",
])("reads no arithmetic in %j", (clause) => {
  expect(readMath(clause)).toEqual([]);
});
