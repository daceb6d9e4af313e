import { expect, it } from "vitest";
import { salvageText } from "./extract-json.ts";

it.each([
  ["plain text", "It is 42.", "It is 42."],
  ["JSON of another shape", '{"text":"It is 42.","x":1}', "It is 42."],
  ["JSON in a fence", '```json\n{"text":"It is 42."}\n```', "It is 42."],
  ["JSON that ends after the text", '{"status":"success","text":"It is 42."', "It is 42."],
])("finds the reader's text in %s", (_what, text, found) => {
  expect(salvageText({ text })).toEqual({ text: found, isCut: false });
});

it.each([
  ["JSON that ends inside the text", { text: '{"status":"success","text":"It is \\"4' }, "It is"],
  ["JSON that ends inside an escape", { text: '{"text":"a b\\u00' }, "a"],
  ["plain text that reached the length limit", { text: "It is 4", finishReason: "length" }, "It is"],
])("drops the last word of %s, which may be incomplete", (_what, reply, found) => {
  expect(salvageText(reply)).toEqual({ text: found, isCut: true });
});

it.each([[""], ["  "], ['{"verdict":1}'], ['{"text":""}'], ['{"text":"4'], ["[1,"]])(
  "finds no text in %j",
  (text) => {
    expect(salvageText({ text })).toBeUndefined();
  },
);
