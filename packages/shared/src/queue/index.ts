export { type AckRenewal, startAckRenewal } from "./ack-renewal.ts";
export { consumeWork, type WorkConsumer, type WorkContext, type WorkHandler } from "./consume-work.ts";
export { TakenOverError, createTurns } from "./turns.ts";
