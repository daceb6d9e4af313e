// Which goals have the model told that a step can run for each of a list.
import { expect, it } from "vitest";
import { speaksOfEach } from "./speaks-of-each.ts";

it.each([
  [["Compare the prices of every competitor."], true],
  [["Compare us to the top 3 competitors."], true],
  [["Write a report.", "Say it for Each of them."], true],
  [["Find a movie similar to Heat, Alien and Fargo."], false],
  [["Teach the beach crowd."], false],
  [[], false],
])("of %j says %s", (texts, wanted) => {
  expect(speaksOfEach(texts)).toBe(wanted);
});
