import { expect, it } from "vitest";
import { salvageText } from "./salvage-text.ts";

it.each([
  ["plain words", "It is 42.", "It is 42."],
  ["words after thoughts", "<think>hm {</think>\nIt is 42.", "It is 42."],
  ["JSON of another shape", '{"text":"It is 42.","x":1}', "It is 42."],
  ["JSON in a fence", '```json\n{"text":"It is 42."}\n```', "It is 42."],
  ["JSON that ends inside the text", '{"status":"success","text":"It is \\"4', 'It is "4'],
  ["JSON that ends inside an escape", '{"text":"a\\u00', "a"],
])("finds the reader's words in %s", (_what, reply, text) => {
  expect(salvageText(reply)).toBe(text);
});

it.each([[""], ["  "], ['{"verdict":1}'], ['{"text":""}'], ["<think>only thoughts"], ["[1,"]])(
  "finds none in %j",
  (reply) => {
    expect(salvageText(reply)).toBeUndefined();
  },
);
