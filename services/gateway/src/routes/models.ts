import { checkModels } from "@planwright/api";
import type { Bus } from "@planwright/shared/bus";
import { askForModelChecks } from "@planwright/shared/model";
import { type App, serve } from "../http/contract.ts";

/** `POST /v1/models/check`: each role's model is sent one small request, by the service that has its key. */
export function modelRoutes(app: App, { bus }: { readonly bus: Pick<Bus, "connection"> }): void {
  serve(app, checkModels, async () => ({ checks: await askForModelChecks(bus) }));
}
