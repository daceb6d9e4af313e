export { cacheDir, findNatsServer, type NatsServer, startNatsServer } from "./nats/index.ts";
export { buildDashboard } from "./supervisor/run-system.ts";
export { buildWhenChanged } from "./supervisor/build-when-changed.ts";
export { withOwnSecrets } from "./supervisor/own-secrets.ts";
export { freePort } from "./supervisor/ports.ts";
export { runInProcess } from "./supervisor/run-in-process.ts";
export { startCommand } from "./supervisor/start-command.ts";
export { serviceEnvironment } from "./supervisor/service-environment.ts";
export { superviseServices } from "./supervisor/supervise-services.ts";
