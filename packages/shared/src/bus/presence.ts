import { errors } from "@nats-io/transport-node";
import type { Bus } from "./connect-bus.ts";
import { newLeaderSubject } from "./subjects/core-subjects.ts";

/** A listener answers immediately; one that does not answer may still be present. */
const ANSWER_WITHIN_MS = 250;

/** Answers the `isPresent` requests of other processes while the connection lives. */
export async function bePresent(bus: Bus, subject: string): Promise<Disposable> {
  const subscription = bus.connection.subscribe(subject, {
    callback: (_error, message) => void message.respond(),
  });
  await bus.connection.flush();
  return { [Symbol.dispose]: () => subscription.unsubscribe() };
}

/**
 * Whether a process is present on that subject. A killed process counts as gone as soon as its connection
 * is; one that is disconnected from the network or stopped still counts as present.
 */
export async function isPresent(bus: Bus, subject: string): Promise<boolean> {
  try {
    await bus.connection.request(subject, undefined, { timeout: ANSWER_WITHIN_MS });
    return true;
  } catch (error) {
    return !(error instanceof errors.RequestError && error.isNoResponders());
  }
}

/** Calls `react` whenever a lost connection is back, until disposed. */
export function onReconnect(bus: Bus, react: () => void): Disposable {
  let isStopped = false;
  void (async () => {
    for await (const { type } of bus.connection.status()) {
      if (isStopped) return;
      if (type === "reconnect") react();
    }
  })();
  return { [Symbol.dispose]: () => void (isStopped = true) };
}

/**
 * Calls `react` whenever a stream of a cluster, or with `durable` one of its consumers, has a new leader, until disposed:
 * requests to the previous leader are lost. Never called for a single server, or if the login can't subscribe to the advisories.
 */
export function onNewLeader(
  bus: Bus,
  { stream, durable }: { readonly stream: string; readonly durable?: string },
  react: () => void,
): Disposable {
  const callback = (error: Error | null): void => void (error === null && react());
  const subscription = bus.connection.subscribe(newLeaderSubject(stream, durable), { callback });
  return { [Symbol.dispose]: () => subscription.unsubscribe() };
}
