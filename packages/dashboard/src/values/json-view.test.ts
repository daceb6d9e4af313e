import { expect, it } from "vitest";
import { colour } from "./json-view.tsx";

const kindsOf = (text: string) =>
  colour(text).flatMap((part) => (typeof part === "string" ? [] : [part.props["kind"]]));

it("distinguishes keys, strings, numbers and literals", () => {
  expect(kindsOf('{"a": ["b", -1.5e3, true, null]}')).toEqual(["key", "string", "number", "word", "word"]);
});

it("colours a truncated string as one token, whatever it contains", () => {
  expect(kindsOf(JSON.stringify('"'.repeat(200_000)).slice(0, 300_001))).toEqual(["string"]);
});
