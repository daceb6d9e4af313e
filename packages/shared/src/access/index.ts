export { connectNats } from "./connect-nats.ts";
export { natsAccess, NatsAccess, type NatsTls, nkeyPair } from "./nats-access.ts";
export { NATS_SETTINGS, natsConfig, replicasConfig } from "./nats-config.ts";
