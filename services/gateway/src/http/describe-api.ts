import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";

/** Collects what routes say of themselves; register it before them. */
export async function describeApi(
  app: FastifyInstance,
  { version, withKeys }: { readonly version: string; readonly withKeys: boolean },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Planwright",
        version,
        description:
          "A goal in, a plan that runs in parallel, an answer out. Refusals are problem+json with a stable `code`.",
      },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: withKeys ? [{ key: [] }] : [],
    },
    transform: createJsonSchemaTransform({}),
  });
}
