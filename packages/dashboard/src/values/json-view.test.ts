import { expect, it } from "vitest";
import { colour } from "./json-view.tsx";

const kindsOf = (text: string) =>
  colour(text).flatMap((part) => (typeof part === "string" ? [] : [part.props["kind"]]));

it("tells keys, texts, numbers and words apart", () => {
  expect(kindsOf('{"a": ["b", -1.5e3, true, null]}')).toEqual(["key", "string", "number", "word", "word"]);
});

it("colours a text that is cut off in one go, whatever stands in it", () => {
  expect(kindsOf(JSON.stringify('"'.repeat(200_000)).slice(0, 300_001))).toEqual(["string"]);
});
