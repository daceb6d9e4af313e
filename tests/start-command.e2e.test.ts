// `npm start` as a user has it. Its other ways, and its end by force: start-command.full.test.ts.
import { expect, it } from "vitest";
import { startAndRestart } from "./support/start-command.ts";

it("answers, shows its dashboard, goes on with what was unfinished, and leaves nothing running at SIGINT, with two executors and then one", async () => {
  const exitCodes = await startAndRestart({ args: ["--executors", "2"], argsAgain: [], signal: "SIGINT" });
  expect(exitCodes).toEqual([0, 0]);
});
