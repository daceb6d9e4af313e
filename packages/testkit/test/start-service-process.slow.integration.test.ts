import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startServiceProcess } from "../src/system/start-service-process.ts";

it("ends a service that is not ready in time, so that none is left behind", async () => {
  const entry = fileURLToPath(new URL("./fixtures/never-ready.ts", import.meta.url));
  const { message } = await startServiceProcess("reflector", {}, { entry, readyWithinMs: 3_000 }).then(
    () => new Error("it was ready"),
    (error: unknown) => error as Error,
  );
  expect(message).toMatch(/^reflector was not ready within 3000 ms; it printed:\n\{"pid":\d+\}\n$/);
  const pid = Number(/"pid":(\d+)/.exec(message)?.[1]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
