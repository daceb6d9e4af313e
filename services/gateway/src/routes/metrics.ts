import type { StreamState } from "@nats-io/jetstream";
import { getPrometheusMetrics } from "@planwright/api";
import {
  type Bus,
  type DemandRoll,
  isUnavailable,
  type PlannerDemand,
  STREAMS,
} from "@planwright/shared/bus";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import type { FactTally } from "../metrics/fact-tally.ts";
import type { HttpTally } from "../metrics/http-tally.ts";
import type { ModelTally } from "../metrics/model-tally.ts";
import { planMetrics } from "../metrics/plan-metrics.ts";
import { gauge, type Metric, renderMetrics } from "../metrics/render-metrics.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import type { Traces } from "../traces/keep-traces.ts";
import type { KeptFigures } from "../traces/trace-store.ts";
import { demandOf, poolOf } from "../workers/pool-queues.ts";
import type { Queue } from "../workers/read-queues.ts";

const MS_PER_SECOND = 1_000;
const NO_STEPS = { inFlight: 0, held: 0 };

const LOG_LAG = "Log messages that this gateway has not processed yet.";

export type MetricsDeps = {
  readonly bus: Bus;
  readonly book: PlanBook;
  readonly http: HttpTally;
  readonly traces: Traces;
  readonly tally: Pick<FactTally, "metrics">;
  readonly modelTally: Pick<ModelTally, "metrics">;
  readonly quotas: Pick<TenantAndKeyQuotas, "metrics">;
  readonly queues: () => Promise<readonly Queue[]>;
  readonly demand: Pick<DemandRoll, "present">;
  readonly now: () => Date;
};

/** `GET /metrics`: metrics for Prometheus. */
export function metricsRoute(app: App, deps: MetricsDeps): void {
  serve(app, getPrometheusMetrics, async (_request, reply) => {
    const [log, dead, queues] = await Promise.all([
      ifAnswered(stateOf(deps.bus, STREAMS.plans)),
      ifAnswered(stateOf(deps.bus, STREAMS.dead)),
      ifAnswered(deps.queues()),
    ]);
    return reply
      .type("text/plain; version=0.0.4; charset=utf-8")
      .send(
        renderMetrics([
          ...metricsOf(deps, log?.last_seq),
          ...planMetrics(deps.book.totals()),
          ...deps.tally.metrics(),
          ...deps.modelTally.metrics(),
          ...deps.quotas.metrics(),
          ...queueMetrics(queues ?? [], deps.now()),
          ...demandMetrics(deps.demand.present(), queues ?? []),
          ...deadLetterMetrics(dead),
        ]),
      );
  });
}

async function stateOf(bus: Bus, stream: string): Promise<StreamState> {
  return (await bus.manager.streams.info(stream)).state;
}

/** Undefined when NATS does not respond: then the other metrics matter all the more. */
async function ifAnswered<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}

function metricsOf({ book, http, traces }: MetricsDeps, logEnd: number | undefined): Metric[] {
  const { plans, openPlans, watchers, position } = book.figures();
  return [
    {
      name: "planwright_plans",
      help: "Plans by status, without sub-plans.",
      type: "gauge",
      values: labelled("status", plans),
    },
    gauge(
      "planwright_open_plans",
      "Plans that have not finished, including sub-plans. OPEN_PLANS_MAX limits this number.",
      openPlans,
    ),
    gauge("planwright_watchers", "Clients that are watching a plan.", watchers),
    ...(logEnd === undefined ? [] : [gauge("planwright_log_lag", LOG_LAG, Math.max(0, logEnd - position))]),
    ...traceMetrics(traces.figures),
    {
      name: "planwright_http_requests_total",
      help: "HTTP requests by method, route and status.",
      type: "counter",
      values: http.requests,
    },
    {
      name: "planwright_http_seconds_total",
      help: "Total time spent on HTTP requests.",
      type: "counter",
      values: [["", http.seconds]],
    },
  ];
}

function deadLetterMetrics(dead: StreamState | undefined): Metric[] {
  if (dead === undefined) return [];
  return [
    {
      name: "planwright_dead_letters",
      help: "Dead letters that can be retried or discarded.",
      type: "gauge",
      values: [["", dead.messages]],
    },
    {
      name: "planwright_dead_letters_total",
      help: "All dead letters so far, including those that were retried or discarded.",
      type: "counter",
      values: [["", dead.last_seq]],
    },
  ];
}

function labelled(label: string, counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].map(([value, count]) => [`${label}="${value}"`, count]);
}

/** The Prometheus metrics of the spans kept for the trace view, and of the dropped ones. */
function traceMetrics({ traces, spans, bytes, evicted, dropped }: KeptFigures): Metric[] {
  return [
    gauge("planwright_traces", "Traces kept for the trace view.", traces),
    gauge("planwright_trace_spans", "Spans kept for the trace view.", spans),
    gauge("planwright_trace_bytes", "Approximate memory used by the kept spans, in bytes.", bytes),
    {
      name: "planwright_trace_spans_dropped_total",
      help: "Spans that were dropped, because they were evicted with their trace or exceeded the maximum for one trace.",
      type: "counter",
      values: [
        ['reason="evicted"', evicted],
        ['reason="trace_too_large"', dropped],
      ],
    },
  ];
}

/** Queue depths and messages in progress as counted by nats-server, one queue per pool and role. */
function queueMetrics(queues: readonly Queue[], now: Date): Metric[] {
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
        // The server has its own clock, so the difference may be negative.
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
 * The steps of each pool that planners report: they hold back steps for which the workers have no slot.
 *
 * A pool with a queue but no steps reports 0, because an autoscaler treats a missing value as a failure and removes no worker.
 */
function demandMetrics(demands: readonly PlannerDemand[], queues: readonly Queue[]): Metric[] {
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
