/**
 * Receives messages from a durable pull consumer, never more than there are free slots.
 *
 * The client library's own loop requests the next messages before the last ones are done, so one
 * worker buffers steps that another could run. This loop requests only as many as there are free slots:
 * requests waiting at the server plus messages in progress never exceed the concurrency. The protocol is NATS ADR-13.
 */
import type { Msg } from "@nats-io/transport-node";
import type { Bus } from "../bus/connect-bus.ts";
import { onNewLeader, onReconnect } from "../bus/presence.ts";
import { type Delivery, toDelivery } from "./delivery.ts";

/** The requests of a puller to its queue, and how many messages may still arrive. */

type Request = { readonly batch: number; readonly overAtMs: number };

/**
 * A delivery does not show which request it answers. The server reports only requests that expired, with the number of messages
 * that were missing. A lost request therefore occupies slots until it has expired.
 */
export class PullRequests {
  readonly #livesMs: number;
  /** Requests that have not expired, in the order in which they were sent, including those that were filled. */
  readonly #requests = new Map<string, Request>();
  #waiting = 0;

  /** @param livesMs - After this time, a request receives no more messages. */
  constructor(livesMs: number) {
    this.#livesMs = livesMs;
  }

  /** Requested messages that have been neither received nor refused. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of remembered requests. */
  get size(): number {
    return this.#requests.size;
  }

  send(id: string, batch: number, nowMs: number): void {
    this.#requests.set(id, { batch, overAtMs: nowMs + this.#livesMs });
    this.#waiting += batch;
  }

  /** Counts a received message. */
  come(): void {
    this.#waiting = Math.max(0, this.#waiting - 1);
  }

  /** Ends a request of the server. @param unfilled - The number of missing messages; all of them if the server does not say. */
  end(id: string, unfilled: number | undefined): void {
    const request = this.#requests.get(id);
    if (request === undefined) return;
    this.#requests.delete(id);
    this.#waiting = Math.max(0, this.#waiting - (unfilled ?? request.batch));
  }

  /** Forgets expired requests: only the others can still receive messages. */
  forgetOver(nowMs: number): void {
    let asking = 0;
    for (const [id, { batch, overAtMs }] of this.#requests) {
      if (overAtMs <= nowMs) this.#requests.delete(id);
      else asking += batch;
    }
    this.#waiting = Math.min(this.#waiting, asking);
  }

  /** Forgets all requests, because they were lost. */
  forgetAll(): void {
    this.#requests.clear();
    this.#waiting = 0;
  }
}

/** How long a request waits at the server; short, so that a loss is noticed soon. */
const EXPIRES_MS = 5_000;
const SWEEP_MS = 1_000;
const NANOS_PER_MS = 1_000_000;
const UNFILLED = "Nats-Pending-Messages";
const IDLE_HEARTBEAT = 100;
const REQUEST_TIMED_OUT = 408;

export type Pull = {
  /** Frees the slot of a handled message. */
  done(): void;
  /** Stops requesting messages; those already on their way still arrive. */
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
  const requests = new PullRequests(EXPIRES_MS + SWEEP_MS);
  let asked = 0;
  let inHand = 0;
  let stopped = false;

  const ask = (): void => {
    const { waiting } = requests;
    const free = concurrency - inHand - waiting;
    // One request for several messages: with many slots, a request for each would cost as much as the work.
    if (stopped || connection.isClosed() || free <= 0 || (free < enough && waiting > 0)) return;
    asked += 1;
    const reply = `${inbox}.${asked}`;
    requests.send(reply, free, performance.now());
    outbox.send(api, JSON.stringify({ batch: free, expires: EXPIRES_MS * NANOS_PER_MS }), { reply });
  };

  const refused = (message: Msg): void => {
    const code = message.headers?.code ?? 0;
    if (code === IDLE_HEARTBEAT) return;
    const unfilled = message.headers?.get(UNFILLED) ?? "";
    requests.end(message.subject, unfilled === "" ? undefined : Number(unfilled));
    // After anything but a timeout, the sweep retries: an immediate retry would be a busy loop.
    if (code === REQUEST_TIMED_OUT) ask();
  };

  const subscription = connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      if (error !== null) return;
      const delivery = toDelivery(message, outbox);
      if (delivery === undefined) return refused(message);
      requests.come();
      inHand += 1;
      onDelivery(delivery);
    },
  });

  const sweep = setInterval(() => {
    requests.forgetOver(performance.now());
    ask();
  }, SWEEP_MS);
  /** Requests on a connection that has been replaced, or to a previous leader, are lost. */
  const askAnew = (): void => {
    requests.forgetAll();
    ask();
  };
  using cleanup = new DisposableStack();
  cleanup.use(onReconnect(bus, askAnew));
  cleanup.use(onNewLeader(bus, consumer, askAnew));
  const watching = cleanup.move();
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
