import { expect, it } from "vitest";
import type { JsonObject } from "../api/api-types.ts";
import { artifactOf } from "./artifact-of.ts";

it("finds the file that a tool wrote", () => {
  const artifact = { name: "files/a.svg", contentType: "image/svg+xml", bytes: 9 };
  expect(artifactOf({ path: "a.svg", artifact, bytes: 9 })).toEqual(artifact);
});

it.each<JsonObject>([
  {},
  { artifact: null },
  { artifact: "a.svg" },
  { artifact: [] },
  { artifact: { name: 3 } },
])("finds none in %j", (output) => {
  expect(artifactOf(output)).toBeUndefined();
});
