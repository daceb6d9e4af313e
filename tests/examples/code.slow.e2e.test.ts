// Examples whose steps are programs.
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exampleStage, stepOf } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem({ alone: ["executor"] });
const { play, runToEnd } = exampleStage(shared);

/** The processes that hold a program for this worker, whose id names its process. */
async function sandboxesOf(workerId = ""): Promise<string[]> {
  const [, worker] = workerId.split("-");
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    processes.map(async (id) => {
      const about = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
      const parent = about.slice(about.lastIndexOf(")")).split(" ")[2];
      const command = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
      return parent === worker && command.includes("sandbox-child") ? id : undefined;
    }),
  );
  return found.filter((id) => id !== undefined);
}

it("code-planning: the plan's programs share a state, a thrown error is a revision, and no sandbox is left", async () => {
  const view = await runToEnd(await play("code-planning"));
  expect(view).toMatchObject({ status: "succeeded", revision: 1 });
  expect(stepOf(view, "count").error).toMatchObject({
    code: "code_error",
    message: expect.stringMatching(/^line 2: TypeError/),
  });
  expect(view.revisions).toMatchObject([
    { cause: "failure", causedBy: "count", kept: ["fruits", "remember"] },
  ]);
  expect(JSON.stringify(shared.model.calls("plan").at(1))).toContain("line 2: TypeError");
  expect(stepOf(view, "count-again").output).toMatchObject({
    value: {
      result: { a: 2, p: 4, l: 2, e: 2, r: 1, u: 1, m: 1 },
      logs: ["7 letters"],
      state: { names: ["apple", "pear", "plum"], letters: { p: 4 } },
    },
  });
  // One process is kept warm for the next program; it holds nothing of this one.
  const { workerId } = stepOf(view, "count-again");
  expect(await sandboxesOf(workerId)).toHaveLength(1);
  await shared.system.kill("executor");
  await expect.poll(() => sandboxesOf(workerId)).toEqual([]);
  await shared.system.start("executor");
});

it("continues with a plan's state on another worker when the first one dies", async () => {
  const { system } = shared;
  const program = (id: string, code: string, state: object) => ({
    id,
    tool: "code.run",
    args: { language: "javascript", code, state },
  });
  const { planId } = await system.client.submit({
    goal: "count",
    plan: {
      steps: [
        program("one", "state.seen = ['one']", {}),
        { id: "pause", tool: "flow.wait", args: { ms: 1_500 }, dependsOn: ["one"] },
        {
          ...program("two", "state.seen.push('two'); return state.seen", { $ref: "one.output.state" }),
          dependsOn: ["pause"],
        },
      ],
      answerFrom: "two",
    },
  });
  await expect
    .poll(async () => stepOf(await system.client.view(planId), "one").status, { timeout: 60_000 })
    .toBe("succeeded");
  await system.kill("executor");
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view.answer?.data).toMatchObject({ result: ["one", "two"] });
  expect(stepOf(view, "two").workerId).not.toBe(stepOf(view, "one").workerId);
});
