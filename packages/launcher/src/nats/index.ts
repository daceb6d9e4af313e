export { fetchFromApt, reasonOf } from "./fetch-from-apt.ts";
export { cacheDir, findNatsServer } from "./find-nats-server.ts";
export { stopLeftoverServer } from "./leftover-server.ts";
export { type NatsConfig, renderNatsConfig } from "./nats-config.ts";
export { type NatsServer, startNatsServer } from "./start-nats-server.ts";
