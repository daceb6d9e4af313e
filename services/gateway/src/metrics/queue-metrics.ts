/** Queue depths and messages in hand, as nats-server counts them: a queue for each pool and role. */
import type { PlannerDemand } from "@planwright/shared/bus";
import { demandOf } from "../workers/pool-demand.ts";
import { poolOf } from "../workers/pool-queues.ts";
import type { Queue } from "../workers/read-queues.ts";
import type { Metric } from "./render-metrics.ts";

const MS_PER_SECOND = 1_000;
const NO_STEPS = { inFlight: 0, held: 0 };

export function queueMetrics(queues: readonly Queue[], now: Date): Metric[] {
  const gauge = (name: string, help: string, valueOf: (queue: Queue) => number): Metric => ({
    name,
    help,
    type: "gauge",
    values: queues.map((queue) => [`queue="${queue.name}"`, valueOf(queue)]),
  });
  return [
    gauge(
      "planwright_queue_waiting",
      "Queue depth: messages that no worker has received yet.",
      ({ waiting }) => waiting,
    ),
    gauge(
      "planwright_queue_oldest_seconds",
      "Age of the oldest message in the queue.",
      ({ oldestAt = now }) =>
        // The server has its own clock.
        Math.max(0, (now.getTime() - oldestAt.getTime()) / MS_PER_SECOND),
    ),
    gauge(
      "planwright_queue_in_hand",
      "Messages that have been delivered but not finished.",
      ({ inHand }) => inHand,
    ),
    gauge(
      "planwright_queue_redelivered",
      "Unfinished messages that were delivered before, to a worker that was lost or returned them.",
      ({ redelivered }) => redelivered,
    ),
  ];
}

/**
 * What planners report of the steps of each pool: they hold back what its workers have no slot for.
 *
 * A pool with a queue and without steps has 0, because an autoscaler takes a missing value for a failure and removes no worker.
 */
export function demandMetrics(demands: readonly PlannerDemand[], queues: readonly Queue[]): Metric[] {
  const idle = queues.flatMap((queue) => poolOf(queue) ?? []).map((pool) => [pool, NO_STEPS] as const);
  const pools = [...new Map([...idle, ...demandOf(demands)])].toSorted(([left], [right]) =>
    left.localeCompare(right),
  );
  return [
    {
      name: "planwright_pool_demand",
      help: "Steps in the pool's queue, with its workers, or held by planners until a slot is free. Scale workers by this metric.",
      type: "gauge",
      values: pools.map(([pool, { inFlight, held }]) => [`pool="${pool}"`, inFlight + held]),
    },
    {
      name: "planwright_pool_held",
      help: "Steps of planwright_pool_demand that planners hold until a slot is free.",
      type: "gauge",
      values: pools.map(([pool, { held }]) => [`pool="${pool}"`, held]),
    },
  ];
}
