/**
 * Takes messages from a durable pull consumer, never more than there is room for.
 *
 * The client library's own loop asks for the next messages before the last ones are done, so that one
 * worker buffers steps that another could run. This one asks only for as many as are free: requests
 * waiting at the server plus messages in hand never exceed the concurrency. The protocol is NATS ADR-13.
 */
import type { Msg } from "@nats-io/transport-node";
import type { Bus } from "../bus/connect-bus.ts";
import { onReconnect } from "../bus/presence.ts";
import { type Delivery, toDelivery } from "./delivery.ts";

/** How long a request waits at the server; short, so that a change of leader is noticed soon. */
const EXPIRES_MS = 5_000;
const SWEEP_MS = 1_000;
const NANOS_PER_MS = 1_000_000;
const UNFILLED = "Nats-Pending-Messages";
const IDLE_HEARTBEAT = 100;
const REQUEST_TIMED_OUT = 408;

export type Pull = {
  /** Says that a message has been dealt with, so that another one may come. */
  done(): void;
  /** Asks for no more; messages that were on their way still come. */
  stop(): Promise<void>;
};

export function pullDeliveries(
  bus: Bus,
  consumer: { readonly stream: string; readonly durable: string },
  { concurrency, onDelivery }: { concurrency: number; onDelivery: (delivery: Delivery) => void },
): Pull {
  const { connection, outbox } = bus;
  const api = `$JS.API.CONSUMER.MSG.NEXT.${consumer.stream}.${consumer.durable}`;
  const inbox = bus.newInbox();
  const enough = Math.ceil(concurrency / 4);
  const batches = new Map<string, number>();
  let requests = 0;
  let askedAt = 0;
  /** Messages asked for that have neither come nor been refused. */
  let waiting = 0;
  let inHand = 0;
  let stopped = false;

  const ask = (): void => {
    const free = concurrency - inHand - waiting;
    // One request for several messages: with many slots, asking for each alone would cost as much as the work.
    if (stopped || connection.isClosed() || free <= 0 || (free < enough && waiting > 0)) return;
    requests += 1;
    waiting += free;
    askedAt = performance.now();
    const reply = `${inbox}.${requests}`;
    batches.set(reply, free);
    outbox.send(api, JSON.stringify({ batch: free, expires: EXPIRES_MS * NANOS_PER_MS }), { reply });
  };

  const refused = (message: Msg): void => {
    const code = message.headers?.code ?? 0;
    const batch = batches.get(message.subject);
    if (code === IDLE_HEARTBEAT || batch === undefined) return;
    batches.delete(message.subject);
    const unfilled = message.headers?.get(UNFILLED) ?? "";
    waiting = Math.max(0, waiting - (unfilled === "" ? batch : Number(unfilled)));
    // Anything but a time-out is asked again by the sweep: at once would be a busy loop.
    if (code === REQUEST_TIMED_OUT) ask();
  };

  const subscription = connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      if (error !== null) return;
      const delivery = toDelivery(message, outbox);
      if (delivery === undefined) return refused(message);
      waiting = Math.max(0, waiting - 1);
      inHand += 1;
      onDelivery(delivery);
    },
  });

  const forgetRequests = (): void => {
    waiting = 0;
    batches.clear();
  };
  const sweep = setInterval(() => {
    // Requests that outlived their time were lost with a connection or a leader.
    if (performance.now() > askedAt + EXPIRES_MS + SWEEP_MS) forgetRequests();
    ask();
  }, SWEEP_MS);
  const watching = onReconnect(bus, () => {
    forgetRequests();
    ask();
  });
  ask();

  return {
    done() {
      inHand -= 1;
      ask();
    },
    async stop() {
      stopped = true;
      clearInterval(sweep);
      watching[Symbol.dispose]();
      if (!connection.isClosed()) await subscription.drain();
    },
  };
}
