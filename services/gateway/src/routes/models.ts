import { checkModels } from "@planwright/api";
import type { Bus } from "@planwright/shared/bus";
import { askForModelChecks } from "@planwright/shared/model";
import { type App, serve } from "../http/contract.ts";

/** `POST /v1/models/check`: the models of each role are sent one small request each, by the service that has their keys. */
export function modelRoutes(app: App, { bus }: { readonly bus: Pick<Bus, "connection"> }): void {
  serve(app, checkModels, async () => ({ checks: await askForModelChecks(bus) }));
}
