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
