import { expect, it } from "vitest";
import type { JsonObject } from "../values/json.ts";
import { urlArguments } from "./url-arguments.ts";

const found = (args: JsonObject, tool = "shop.call") =>
  urlArguments(tool, args).map(({ field, url }) => [field, url?.href]);

it("finds URLs by the argument's name and by its value, however deep", () => {
  expect(
    found({
      url: "evil.example/x",
      pages: [{ href: "//b.example/" }, "text"],
      callbackUrls: ["https://c.example/"],
      note: " https://d.example/?q=1 ",
      target: "https://f.example/?q=a b",
      endpoint: "e.example:8080/x",
    }),
  ).toEqual([
    ["url", "https://evil.example/x"],
    ["pages[0].href", "https://b.example/"],
    ["callbackUrls[0]", "https://c.example/"],
    ["note", "https://d.example/?q=1"],
    ["target", "https://f.example/?q=a%20b"],
    ["endpoint", "https://e.example:8080/x"],
  ]);
});

it("treats neither sentences nor paths below a known address as URLs", () => {
  expect(found({ text: "see https://a.example/ for more", url: "/v1/items", uri: "" })).toEqual([]);
});

it("returns no URL if it is stored as a file, or ends with a part of one", () => {
  const file = { $artifact: "s1/output", path: [] };
  expect(found({ url: file })).toEqual([["url", undefined]]);
  expect(found({ q: { $template: ["https://a.example/?q=", file, ""] } })).toEqual([["q", undefined]]);
  expect(found({ text: file })).toEqual([]);
});

it("finds none in arguments that stay inside the system", () => {
  expect(found({ value: "https://a.example/" }, "flow.echo")).toEqual([]);
});
