import { expect, it } from "vitest";
import { composedText, originText } from "./origin-text.ts";

it.each([
  [{ author: "user" }, "written by the user"],
  [{ author: "user", tools: ["flow.echo"] }, "written by the user, with output of flow.echo"],
  [{ author: "model" }, "written by a model"],
  [
    { author: "model", tools: ["http.fetch", "web.search"], content: "web" },
    "written by a model that had read http.fetch, web.search (the public web)",
  ],
  [
    { author: "plan", tools: ["sql.query"], content: "private" },
    "taken from another plan, with output of sql.query (private content)",
  ],
] as const)("describes the origin of an argument: %j", (origin, text) => {
  expect(originText({ ...origin, tools: "tools" in origin ? [...origin.tools] : undefined })).toBe(text);
});

it("shows the destination of a URL, if it is known", () => {
  expect(composedText({ argument: "url", host: "a.example", path: "/b c", query: "q=d e" })).toBe(
    "a.example/b c?q=d e",
  );
  expect(composedText({ argument: "url", host: "a.example:81" })).toBe("a.example:81");
  expect(composedText({ argument: "url" })).toBeUndefined();
});
