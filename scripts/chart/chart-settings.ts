/** The settings that the chart's values can contain, from the configuration schemas of the services. */
import { executorService } from "@planwright/executor";
import { gatewayService } from "@planwright/gateway";
import { plannerService } from "@planwright/planner";
import { reflectorService } from "@planwright/reflector";
import { describeConfig } from "@planwright/shared/service";
import { z } from "zod";

export const DEFINITIONS = {
  planner: plannerService,
  executor: executorService,
  reflector: reflectorService,
  gateway: gatewayService,
};
export type ServiceName = keyof typeof DEFINITIONS;
export const SERVICES: readonly ServiceName[] = ["planner", "executor", "reflector", "gateway"];

/** Set by the templates, derived from other values. */
const OF_THE_CHART = new Set([
  "HOST",
  "PORT",
  "EXECUTOR_POOLS",
  "EXECUTOR_CONCURRENCY",
  "EXECUTOR_DRAIN_MS",
  "PLANWRIGHT_DATA",
  "PLANWRIGHT_FAULTS",
]);
/** They belong in Secrets: more users can read a Deployment. The login to NATS is a file, which the chart mounts. */
const SECRET: ReadonlySet<string> = new Set(
  SERVICES.flatMap((name) => describeConfig(DEFINITIONS[name].Config))
    .filter(({ name, secret }) => secret && !name.startsWith("NATS_"))
    .map(({ name }) => name),
);
const List = z.looseObject({ propertyNames: z.looseObject({ enum: z.array(z.string()) }) });
const Schema = z.looseObject({
  $defs: z.looseObject({ executorSettings: List }),
  properties: z.looseObject({
    settings: z.looseObject({
      properties: z.looseObject({ common: List, planner: List, reflector: List, gateway: List }),
    }),
  }),
});

/** Whether a setting may only be in a Secret. */
export function isSecret(setting: string): boolean {
  return SECRET.has(setting);
}

/** The settings of each service that a values file can contain, and those of all services. */
export function chartSettings(): Record<ServiceName | "common", string[]> {
  const of = (name: ServiceName): string[] =>
    Object.keys(DEFINITIONS[name].Config.shape)
      .filter((setting) => !OF_THE_CHART.has(setting) && !setting.startsWith("NATS_") && !isSecret(setting))
      .toSorted();
  const [first = [], ...others] = SERVICES.map(of);
  return {
    common: first.filter((setting) => others.every((list) => list.includes(setting))),
    planner: of("planner"),
    executor: of("executor"),
    reflector: of("reflector"),
    gateway: of("gateway"),
  };
}

/** The schema of the chart's values with the services' current settings, as text. */
export function withChartSettings(text: string): string {
  const schema = Schema.parse(JSON.parse(text));
  const settings = chartSettings();
  const { common, planner, reflector, gateway } = schema.properties.settings.properties;
  common.propertyNames.enum = settings.common;
  planner.propertyNames.enum = settings.planner;
  reflector.propertyNames.enum = settings.reflector;
  gateway.propertyNames.enum = settings.gateway;
  schema.$defs.executorSettings.propertyNames.enum = settings.executor;
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
