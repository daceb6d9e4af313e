import type { Bus } from "@planwright/shared/bus";
import { askForModelChecks, ModelCheck } from "@planwright/shared/model";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

const Checks = z.object({ checks: z.array(ModelCheck) });

/** `POST /v1/models/check`: each role's model is sent one tiny request, by the service that has its key. */
export function modelRoutes(app: FastifyInstance, { bus }: { readonly bus: Pick<Bus, "connection"> }): void {
  const schema = {
    tags: ["system"],
    summary: "Check the models",
    description:
      "Sends one tiny request to the model of each role, and says what came back: which model, which form of structured output works, how long it took, or the cause and the fix.",
    response: { 200: Checks },
  };
  app.post("/v1/models/check", { schema }, async () => ({ checks: await askForModelChecks(bus) }));
}
