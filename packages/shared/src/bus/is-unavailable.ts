import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";

const CAUSES_MAX = 5;

/** Whether an error of the NATS client says that the server does not answer now, rather than what it answered. */
export function isUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < CAUSES_MAX; depth++) {
    if (saysSo(current)) return true;
    current = current.cause;
  }
  return false;
}

function saysSo(error: Error): boolean {
  if (error instanceof JetStreamApiError) return error.status === 503;
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.ConnectionError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError ||
    // Without a leader there is no JetStream; the library keeps this class to itself.
    error.name === "JetStreamNotEnabled"
  );
}
