// The command line as users see it: in a terminal, with a keyboard.
import path from "node:path";
import { echo, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem();
const PLANWRIGHT = path.resolve("node_modules/.bin/planwright");
const env = () => ({ PATH: process.env["PATH"] ?? "", PLANWRIGHT_URL: shared.system.url });

it("updates a plan in place, then prints the answer", async () => {
  const steps = [wait("first", 300), { ...wait("second", 100), dependsOn: ["first"] }];
  const { planId } = await shared.system.client.submit({
    goal: "二人を待つ",
    plan: { steps, answerFrom: "second" },
  });
  using terminal = openTerminal(PLANWRIGHT, ["watch", planId], { env: env() });
  expect(await terminal.ended).toBe(0);
  await expect
    .poll(() => terminal.screen())
    .toMatch(/^succeeded {2}100%, 2 of 2 steps\n✓ first .*\n✓ second .*\nsecond$/);
  for (const screen of terminal.seen) expect(screen.match(/ {2}\d+ %/g)?.length ?? 0).toBeLessThan(2);
});

it("detaches on Ctrl-C while the plan continues, even in a small window without colours", async () => {
  const steps = Array.from({ length: 9 }, (_, index) => wait(`step-${index}-with-a-long-name`, 60_000));
  const { planId } = await shared.system.client.submit({ goal: "wait", plan: { steps } });
  const size = { columns: 30, rows: 6 };
  using terminal = openTerminal(PLANWRIGHT, ["watch", planId], { env: { ...env(), NO_COLOR: "1" }, ...size });
  await expect.poll(() => terminal.screen()).toMatch(/running/);
  const frames = () =>
    new Set(terminal.seen.flatMap((screen) => /^([⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]) step-0/m.exec(screen)?.[1] ?? []));
  await expect.poll(() => frames().size).toBeGreaterThan(1);
  expect(terminal.screen().split("\n")).toHaveLength(size.rows - 1);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(130);
  await expect.poll(() => terminal.screen().replaceAll("\n", "")).toContain(`planwright watch ${planId}`);
  expect((await shared.system.client.view(planId)).status).toBe("running");
  await shared.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
});

it("completes commands, options, values, plans and files in bash without running typed text", async () => {
  const { planId } = await shared.system.client.submit({ goal: "echo", plan: { steps: [wait("a", 1)] } });
  using terminal = openTerminal("bash", ["--norc", "--noprofile", "-i"], {
    env: { ...env(), PS1: "$ " },
    columns: 120,
  });
  const typed = async (keys: string, line: string | RegExp) => {
    terminal.type(keys);
    await expect.poll(() => terminal.screen().split("\n").at(-1)).toMatch(line);
    terminal.type("\u0015");
    await expect.poll(() => terminal.screen().split("\n").at(-1)).toBe("$");
  };
  terminal.type(`source <(${PLANWRIGHT} completion bash); clear\n`);
  await expect.poll(() => terminal.screen()).toBe("$");
  await typed("planwright wat\t", /^\$ planwright watch$/);
  await typed("planwright list --status=awa\t", /--status=awaiting-approval$/);
  await typed("planwright check tests/terminal\t", /tests\/terminal\.slow\.e2e\.test\.ts$/);
  await typed(`planwright show ${planId.slice(0, -6)}\t`, new RegExp(`show ${planId}$`));
  await typed("planwright show $(touch${IFS}pwned)\t", /\)$/);
  terminal.type("ls pwned\n");
  await expect.poll(() => terminal.screen()).toContain("No such file");
});

it("lists plans by short ids with the whole goal, and shows the Markdown of an answer as a table", async () => {
  const text = "# Result\n\n| region | sold |\n|---|--:|\n| North | 10 |";
  const { planId } = await shared.system.client.submit({
    goal: "a goal that fits on the line",
    plan: { steps: [echo("a", { value: text })] },
  });
  await shared.system.client.ended(planId);
  const shownBy = async (...args: string[]): Promise<string> => {
    using terminal = openTerminal(PLANWRIGHT, args, { env: env() });
    expect(await terminal.ended).toBe(0);
    await expect.poll(() => terminal.screen()).not.toBe("");
    return terminal.screen();
  };
  const id = planId.slice(0, 8);
  expect(await shownBy("list", "--search", "fits")).toMatch(
    new RegExp(`^${id} {2}succeeded {2}1/1 {4}.+ (?:ago|now) +a goal that fits on the line$`, "m"),
  );
  expect(await shownBy("show", id)).toContain("\nResult\n\nregion  sold\n──────  ────\nNorth     10\n");
});
