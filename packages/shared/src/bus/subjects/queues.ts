/** The work queues: each is a durable consumer of `WORK` that its workers share. */
import { AckPolicy, type ConsumerConfig } from "@nats-io/jetstream";
import { poolSubjects, WORK_SUBJECTS } from "./work-subjects.ts";

/** Renewed every half second: a dead worker's message is redelivered after this time. */
const ACK_WAIT_MS = 1_500;
const NANOS_PER_MS = 1_000_000;

export type QueueName = { readonly durable: string; readonly filter: string };

export const PLANNER_QUEUE = { durable: "planner", filter: WORK_SUBJECTS.draft } as const;
export const REFLECTOR_QUEUE = { durable: "reflector", filter: WORK_SUBJECTS.join } as const;
export const FACTS_QUEUE = { durable: "processor", filter: WORK_SUBJECTS.facts } as const;
export const SERVICE_QUEUES: readonly QueueName[] = [PLANNER_QUEUE, REFLECTOR_QUEUE, FACTS_QUEUE];

export function queueOfPool(pool: string): QueueName {
  return { durable: `pool-${pool}`, filter: poolSubjects(pool) };
}

export function queueConfig({
  durable,
  filter,
}: QueueName): Partial<ConsumerConfig> & { durable_name: string } {
  return {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    // Workers notice too many deliveries and report them; the server would only stop delivering.
    max_deliver: -1,
    max_ack_pending: 100_000,
  };
}
