import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ToolSpec } from "@planwright/plan";
import { connectBus, provision } from "@planwright/shared/bus";
import { startNats, startServiceProcess } from "@planwright/testkit";
import { z } from "zod";

/** Settings that make an executor offer all tools; no request is sent to these addresses. */
const EVERY_TOOL = {
  SEARXNG_URL: "http://127.0.0.1:9/",
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "planwright@example.org",
};

/** The output of a running system. */
export type SystemSays = {
  readonly openApi: unknown;
  /** The Prometheus text. */
  readonly metrics: string;
  /** Every built-in tool, including those that require a setting. */
  readonly tools: readonly ToolSpec[];
};

/** Starts a gateway and an executor, queries them, and stops them. */
export async function askSystem(): Promise<SystemSays> {
  const data = await mkdtemp(path.join(os.tmpdir(), "planwright-docs-"));
  try {
    await using nats = await startNats();
    await using bus = await connectBus({ url: nats.url, name: "docs" });
    await provision(bus);
    const env = { NATS_URL: nats.url, PLANWRIGHT_DATA: data, PORT: "0", LOG_LEVEL: "error" };
    await using _executor = await startServiceProcess("executor", { ...env, ...EVERY_TOOL });
    await using gateway = await startServiceProcess("gateway", env);
    const get = (route: string) => fetch(new URL(route, gateway.url));
    const { tools } = z.object({ tools: z.array(ToolSpec) }).parse(await (await get("/v1/tools")).json());
    const openApi: unknown = await (await get("/openapi.json")).json();
    return { openApi, metrics: await (await get("/metrics")).text(), tools };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
