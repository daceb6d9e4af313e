/** What waits for workers and what they have in hand, as nats-server counts it: a queue for each pool and role. */
import { type Bus, isUnavailable, STREAMS } from "@planwright/shared/bus";
import type { Metric } from "./render-metrics.ts";

const QUEUES_MAX = 1_000;

type Queue = {
  readonly name: string;
  readonly waiting: number;
  readonly inHand: number;
  readonly redelivered: number;
};

/** None when NATS does not answer: the other figures are the more wanted then. */
export async function queueMetrics(bus: Bus): Promise<Metric[]> {
  const queues: Queue[] = [];
  try {
    for await (const consumer of bus.manager.consumers.list(STREAMS.work)) {
      if (queues.length >= QUEUES_MAX) break;
      queues.push({
        name: consumer.name,
        waiting: consumer.num_pending,
        inHand: consumer.num_ack_pending,
        redelivered: consumer.num_redelivered,
      });
    }
  } catch (error) {
    if (isUnavailable(error)) return [];
    throw error;
  }
  const gauge = (name: string, help: string, valueOf: (queue: Queue) => number): Metric => ({
    name,
    help,
    type: "gauge",
    values: queues.map((queue) => [`queue="${queue.name}"`, valueOf(queue)]),
  });
  return [
    gauge("planwright_queue_waiting", "Work that nobody has taken yet, by queue.", ({ waiting }) => waiting),
    gauge(
      "planwright_queue_in_hand",
      "Work that somebody has taken and not finished.",
      ({ inHand }) => inHand,
    ),
    gauge(
      "planwright_queue_redelivered",
      "Work in hand that had been taken before, by somebody who was lost or gave it back.",
      ({ redelivered }) => redelivered,
    ),
  ];
}
