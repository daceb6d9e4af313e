import { VERSION } from "@planwright/shared/version";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

const Alive = z.object({ alive: z.literal(true), version: z.string() });
const Ready = z.object({ ready: z.boolean(), missing: z.array(z.string()) });

/**
 * `GET /healthz`: the process answers. `GET /readyz`: it can do its work.
 *
 * @param deps.missing - What is missing, in words; empty when nothing is.
 */
export function healthRoutes(
  app: FastifyInstance,
  { missing }: { readonly missing: () => Promise<readonly string[]> },
): void {
  const alive = {
    summary: "Whether the gateway is alive, and its version",
    tags: ["system"],
    response: { 200: Alive },
  };
  app.get("/healthz", { schema: alive }, async () => ({ alive: true, version: VERSION }));

  const schema = {
    summary: "Whether the system can work",
    tags: ["system"],
    response: { 200: Ready, 503: Ready },
  };
  app.get("/readyz", { schema }, async (_request, reply) => {
    const faults = await missing();
    return reply.code(faults.length === 0 ? 200 : 503).send({ ready: faults.length === 0, missing: faults });
  });
}
