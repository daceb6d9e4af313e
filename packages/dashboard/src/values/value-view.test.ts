import { expect, it } from "vitest";
import type { JsonObject } from "../api/api-types.ts";
import { artifactOf, artifactsOf } from "./value-view.tsx";

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

it("finds the files of a report, and keeps its other fields", () => {
  const html = { name: "r.html", contentType: "text/html; charset=utf-8", bytes: 9 };
  const pdf = { name: "r.pdf", contentType: "application/pdf", bytes: 8 };
  const output = {
    html: { path: "r.html", artifact: html },
    pdf: { artifact: pdf, pages: 1 },
    warnings: ["w"],
  };
  expect(artifactsOf(output)).toEqual({ artifacts: [html, pdf], rest: { warnings: ["w"] } });
  expect(artifactsOf({ a: 1, b: null, c: [html] })).toEqual({
    artifacts: [],
    rest: { a: 1, b: null, c: [html] },
  });
});
