// `npm start` as a user has it. Its other ways, its restart and its end by force: start-command.full.test.ts.
import { expect, it } from "vitest";
import { startOnce } from "./support/start-command.ts";

it("answers, shows its dashboard, and leaves nothing running and its data private at SIGINT", async () => {
  expect(await startOnce()).toBe(0);
});
