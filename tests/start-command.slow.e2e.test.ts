// `npm start` as a user has it. Its other ways, its restart and its end by force: start-command.full.test.ts.
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { blocksRunBy, placeOf } from "./support/documents/block-runners.ts";
import { commandsOf } from "./support/documents/shell-settings.ts";
import { BY_NPM, startOnce } from "./support/start-command.ts";

it("answers, shows its dashboard, and leaves nothing running and its data private at SIGINT", async () => {
  expect(await startOnce()).toBe(0);
});

it.each(
  blocksRunBy("tests/start-command.slow.e2e.test.ts").map((block) => ({
    place: placeOf(block),
    code: block.code,
  })),
)("is the command that $place shows", ({ code }) => {
  const [start, ...others] = commandsOf(code);
  expect(start).toBe(BY_NPM.slice(0, 2).join(" "));
  // `npm test` is the run that this test is part of.
  expect(others.filter((command) => !(command.replace("npm ", "") in manifest.scripts))).toEqual([]);
});
