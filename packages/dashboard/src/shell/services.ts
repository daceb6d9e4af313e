import { createContext, useContext } from "react";
import type { ApiKey } from "../api/api-key.ts";
import type { SystemInfo } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import type { KeyMap } from "../keys/key-map.ts";
import type { PageTitle } from "../notify/page-title.ts";
import type { Live } from "@planwright/client";
import type { PlanCounts } from "../plans/plan-counts.ts";
import type { SignIn } from "../sign-in/create-sign-in.ts";
import type { Store } from "../ui/create-store.ts";
import type { Theme } from "./theme.ts";

/** The services that every part of the page can use. */
export type Services = {
  readonly gateway: Gateway;
  readonly live: Live;
  readonly apiKey: ApiKey;
  readonly signIn: SignIn;
  readonly theme: Store<Theme>;
  readonly keys: KeyMap;
  readonly title: PageTitle;
  readonly planCounts: Store<PlanCounts | undefined>;
};

export const ServicesContext = createContext<Services | undefined>(undefined);

/** @throws {Error} Outside the page's shell. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error("no services: wanted to be inside <App>");
  return services;
}

/** What the gateway has reported about the system; undefined until it has answered. */
export const SystemContext = createContext<SystemInfo | undefined>(undefined);

export function useSystemInfo(): SystemInfo | undefined {
  return useContext(SystemContext);
}

/** Whether the demo model (rule-based) is in use. */
export function useOfflineModel(): boolean {
  return useContext(SystemContext)?.demoModel === true;
}
