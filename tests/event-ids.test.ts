// Ids of events and of work messages are built beside their schemas, so that two writers never name one thing differently.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Builds ids: `define-event.ts` those of events, `record-batch.ts` those of batches, `work.ts` those of work messages. */
const BUILDERS = new Set([
  "packages/plan/src/events/define-event.ts",
  "packages/plan/src/events/record-batch.ts",
  "packages/plan/src/events/work.ts",
]);
/** Names in a plan that are no ids: effect keys, names of stored objects, seeds of random delays. */
const OTHER_NAMES = new Set([
  "packages/plan/src/machine/drafting/draft-transitions.ts",
  "packages/plan/src/machine/step/attempt-transitions.ts",
  "packages/plan/src/machine/step/compensations.ts",
  "packages/plan/src/values/ids.ts",
  "packages/shared/src/artifacts/artifact-store.ts",
]);
const NAME = /`\$\{[^}]*[pP]lanId\}\//;

const sources = new Map<string, string>();
for await (const file of glob("{packages,services}/*/src/**/*.ts", { cwd: ROOT })) {
  if (/\.test\.ts$|\/testing\/|^packages\/(?:api|dashboard|testkit)\//.test(file)) continue;
  sources.set(file, await readFile(path.join(ROOT, file), "utf8"));
}

it("no source builds the id of an event or of a work message but the modules that define them", () => {
  const named = [...sources].filter(([, text]) => NAME.test(text)).map(([file]) => file);
  expect(named.toSorted()).toEqual([...BUILDERS, ...OTHER_NAMES].toSorted());
});

it("no source writes the envelope of an event but the factory", () => {
  const envelope = /\btype: "[a-z]+\.[a-z]+",\s+planId\b/;
  expect([...sources].filter(([, text]) => envelope.test(text)).map(([file]) => file)).toEqual([]);
});
