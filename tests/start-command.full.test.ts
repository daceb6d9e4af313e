// `npm start` with two executors and then one, in one process, and when npm is killed.
import { expect, it } from "vitest";
import { BY_NPM, expectNothingRuns, startAndRestart, start, temporaryData } from "./support/start-command.ts";

it("answers, shows its dashboard, resumes unfinished plans, and leaves nothing running at SIGTERM, with one process", async () => {
  const args = ["--one-process"];
  expect(await startAndRestart({ args, argsAgain: args, signal: "SIGTERM" })).toEqual([0, 0]);
});

it("answers, shows its dashboard, resumes unfinished plans, and leaves nothing running at SIGINT, with two executors and then one", async () => {
  const exitCodes = await startAndRestart({ args: ["--executors", "2"], argsAgain: [], signal: "SIGINT" });
  expect(exitCodes).toEqual([0, 0]);
});

it("leaves nothing running when npm is killed", async () => {
  await using data = await temporaryData();
  await using system = await start(data.dataDir, [], BY_NPM);
  expect(await system.stop("SIGKILL")).toBeNull();
  await expectNothingRuns(data.dataDir, system.printed());
});
