export { connectNats } from "./connect-nats.ts";
export { natsAccess, NatsAccess, type NatsTls } from "./nats-access.ts";
export { nkeyPair } from "./nkey-pair.ts";
export { NATS_SETTINGS, natsConfig, replicasConfig } from "./nats-config.ts";
