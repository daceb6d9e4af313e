import { expect, it } from "vitest";
import { z } from "zod";
import { createSealing, openAs } from "./sealed.ts";

const NOW = new Date("2026-01-31T10:00:00Z");
const LATER = new Date("2026-01-31T11:00:00Z");
const sealing = (...secrets: [string, ...string[]]) =>
  createSealing(secrets, { purpose: "session", now: () => NOW });

it("opens values that were sealed with one of its secrets, and nothing else", async () => {
  const sealed = await sealing("old").seal({ user: "ann" }, LATER);
  expect(sealed).not.toContain("ann");
  expect(await sealing("new", "old").open(sealed)).toEqual({ value: { user: "ann" }, expiresAt: LATER });
  expect(await sealing("new").open(sealed)).toBeUndefined();
  const other = createSealing(["old"], { purpose: "sign-in", now: () => NOW });
  expect(await other.open(sealed)).toBeUndefined();
});

it("opens no value that has expired, was changed, or does not fit its schema", async () => {
  const sealed = await sealing("old").seal({ user: "ann" }, LATER);
  const late = createSealing(["old"], { purpose: "session", now: () => new Date(LATER.getTime() + 1) });
  expect(await late.open(sealed)).toBeUndefined();
  for (const changed of [`${sealed}A`, sealed.slice(0, -2), sealed.replace("..", ".AA."), "", "a.b.c.d.e"])
    expect(await sealing("old").open(changed)).toBeUndefined();
  expect(await openAs(sealing("old"), z.object({ user: z.number() }), sealed)).toBeUndefined();
  expect(await openAs(sealing("old"), z.object({ user: z.string() }), sealed)).toMatchObject({
    value: { user: "ann" },
  });
  expect(await openAs(sealing("old"), z.object({}), undefined)).toBeUndefined();
});
