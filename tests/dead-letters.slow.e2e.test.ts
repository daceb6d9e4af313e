// Work that no worker can read: its step fails instead of hanging, and runs again when a user retries it.
import { jetstream } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { echo, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem({ alone: ["planner", "executor"] });

const Letters = z.object({
  deadLetters: z.array(
    z.looseObject({ id: z.string(), planId: z.string(), stepId: z.string(), cause: z.string() }),
  ),
});

it("resumes a step and its dependents when its dead letter is retried", async () => {
  const { system } = shared;
  const steps = [
    wait("a", 500),
    wait("b", 800),
    wait("long", 600_000),
    wait("c", 1, { dependsOn: ["a", "b"] }),
    echo("d", { dependsOn: ["c"] }),
  ];
  const { planId } = await system.client.submit({ goal: "poison", plan: { steps } });
  const statusOf = async (id: string) =>
    (await system.client.view(planId)).steps.find((step) => step.id === id)?.status;
  // With a worker: what is only decided may not have been sent when the planner dies.
  await expect
    .poll(async () => (await system.client.view(planId)).steps.map(({ workerId }) => workerId !== undefined))
    .toEqual([true, true, true, false, false]);
  await system.kill("planner");
  await expect.poll(() => statusOf("b")).toBe("succeeded");
  await system.kill("executor");
  // It stands where the work of step c is to stand, and looks like it to the planner.
  const connection = await connectNats({ url: system.nats.url }, { name: "test" });
  await jetstream(connection).publish(`work.step.default.${planId}.c.0.1.0`, "{ no work at all");
  await connection.close();
  await system.start("planner");
  await expect.poll(() => statusOf("c")).toBe("queued");
  await system.start("executor");

  await expect.poll(() => statusOf("d")).toBe("skipped");
  const lettersOfPlan = async () => {
    const { deadLetters } = Letters.parse(await (await system.client.fetch("/v1/dead-letters")).json());
    return deadLetters.filter((letter) => letter.planId === planId);
  };
  const letters = await lettersOfPlan();
  expect(letters).toMatchObject([{ planId, stepId: "c", cause: expect.stringContaining("wanted JSON") }]);
  const path = `/v1/dead-letters/${letters[0]?.id ?? ""}/retry`;
  expect((await system.client.fetch(path, { method: "POST" })).status).toBe(202);
  expect(await lettersOfPlan()).toEqual([]);

  await expect.poll(() => statusOf("d")).toBe("succeeded");
  const view = await system.client.view(planId);
  expect(view.status).toBe("running");
  expect(view.steps.find(({ id }) => id === "c")).toMatchObject({
    status: "succeeded",
    attempt: 2,
    failedAttempts: [{ attempt: 1, error: { code: "deliveries_exhausted" } }],
  });
});
