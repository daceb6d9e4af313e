/** The renewal thread: it renews the ack wait of every message in progress, on its own connection. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { connectNats } from "../access/connect-nats.ts";
import { NatsAccess } from "../access/nats-access.ts";
import { openAckSlots } from "./ack-slots.ts";
import { monotonicMs } from "./monotonic-ms.ts";

const RENEW_EVERY_MS = 500;
const IN_PROGRESS = "+WPI";

const Data = z.object({ access: NatsAccess, memory: z.instanceof(SharedArrayBuffer) });

const { access, memory } = Data.parse(workerData);
const slots = openAckSlots(memory);
const seen = new Map<number, number>();
const connection = await connectNats(access, { name: "ack-renewal", reconnectTimeWait: 100 });

setInterval(() => {
  for (let slot = 0; slot < slots.count; slot++) {
    const held = slots.read(slot);
    if (held === undefined) continue;
    // Most messages are done before they are seen twice; only the others need renewing.
    const isOld = seen.get(slot) === held.generation;
    seen.set(slot, held.generation);
    if (isOld && monotonicMs() < held.renewUntilMs) connection.publish(held.ackSubject, IN_PROGRESS);
  }
}, RENEW_EVERY_MS / 2);

parentPort?.postMessage("connected");
