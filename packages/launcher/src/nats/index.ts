export { fetchFromApt, reasonOf } from "./fetch-from-apt.ts";
export { cacheDir, type FindOptions, type FoundNatsServer, findNatsServer } from "./find-nats-server.ts";
export { stopLeftoverServer } from "./leftover-server.ts";
export { type NatsConfig, renderNatsConfig } from "./nats-config.ts";
export { NATS_SERVER_VERSION_MIN } from "./nats-version.ts";
export { type NatsServer, type NatsServerOptions, startNatsServer } from "./start-nats-server.ts";
