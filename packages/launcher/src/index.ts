export {
  cacheDir,
  type FindOptions,
  type FoundNatsServer,
  findNatsServer,
  NATS_SERVER_VERSION_MIN,
  type NatsServer,
  type NatsServerOptions,
  startNatsServer,
} from "./nats/index.ts";
export { buildDashboard, type DashboardBuild } from "./supervisor/build-dashboard.ts";
export { buildWhenChanged } from "./supervisor/build-when-changed.ts";
export { withOwnSecrets } from "./supervisor/own-secrets.ts";
export { freePort } from "./supervisor/ports.ts";
export { runInProcess } from "./supervisor/run-in-process.ts";
export { type MakeDeps, startCommand } from "./supervisor/start-command.ts";
export { serviceEnvironment } from "./supervisor/service-environment.ts";
export type { StartOptions } from "./supervisor/start-options.ts";
export type { RunningServices } from "./supervisor/start-system.ts";
export type { ServiceSpec } from "./supervisor/supervise-service.ts";
export { superviseServices } from "./supervisor/supervise-services.ts";
