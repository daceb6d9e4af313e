import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { commonConfig } from "./common-config.ts";
import { defineService, startService } from "./define-service.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-service-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

it("writes its log to the destination, without the values hidden by the service and the redaction rules", async () => {
  const PLANWRIGHT_REDACTION = path.join(folder, "redaction.json");
  await writeFile(PLANWRIGHT_REDACTION, JSON.stringify({ rules: [{ builtIn: "email" }] }));
  const service = defineService({
    name: "sample",
    Config: commonConfig,
    logLine: (line) => line.replaceAll("s3cret", "{{secret.A}}"),
    async start({ log, redaction }) {
      log.info({ planId: "p", to: "ann@example.com" }, "sent s3cret to bob@example.com");
      return {
        finished: Promise.resolve(),
        url: redaction.all.text("x@example.com"),
        [Symbol.asyncDispose]: async () => {},
      };
    },
  });
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const env = { NATS_URL: "nats://127.0.0.1:4222", PLANWRIGHT_REDACTION };
  const running = await startService(service, { env, signal: new AbortController().signal, destination });
  expect(running.url).toBe("[redacted: email]");
  expect(lines).toMatchObject([
    {
      level: 30,
      name: "sample",
      planId: "p",
      to: "[redacted: email]",
      msg: "sent {{secret.A}} to [redacted: email]",
    },
    { msg: "started", url: "[redacted: email]" },
  ]);
});
