import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ITEMS } from "./checklist-card.tsx";

const DOCS = path.resolve(import.meta.dirname, "../../../../docs");

it.each(Object.entries(ITEMS))("links the item %s to a page of the docs that exists", (_item, { docs }) => {
  expect(existsSync(path.join(DOCS, `${docs}.md`))).toBe(true);
});
