import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { routeOf } from "../router/use-route.ts";
import { EMPTY, type EmptyWords } from "./empty-words.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../../docs");

describe.each<[string, EmptyWords]>(Object.entries(EMPTY))("the empty state %s", (_place, words) => {
  it("has a title without a period, and complete sentences below it", () => {
    expect(words.title).not.toMatch(/\.$/);
    expect(words.about).toMatch(/\.$/);
  });

  it("links to a page that exists", () => {
    const { docs, page = "" } = words.link;
    const isThere =
      docs === undefined ? routeOf(page).page !== "unknown" : existsSync(path.join(DOCS, `${docs}.md`));
    expect(isThere).toBe(true);
  });
});
