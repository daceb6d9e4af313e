/** Workers and the queues of their pools. */
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

export const Worker = z.object({
  workerId: z.string(),
  pool: z.string(),
  version: z.string(),
  inFlight: z.int().nonnegative().meta({ description: "Number of steps that the worker is running." }),
  concurrency: z
    .int()
    .nonnegative()
    .meta({ description: "Number of slots: steps that the worker can run at the same time." }),
  tools: z.array(z.string()),
  brokenTools: z.array(z.object({ file: z.string(), reason: z.string() })).meta({
    description: "Custom tool files, MCP servers and MCP tools that the worker cannot use.",
  }),
  agents: z.array(z.string()).meta({ description: "Agent types whose steps are queued in this pool." }),
  agentsDigest: z
    .string()
    .optional()
    .meta({ description: "Digest of the worker's file of agent types; absent if it has none." }),
  wall: z
    .object({
      stands: z.boolean(),
      about: z.string().meta({ description: "For example `bubblewrap 0.8.0`, or why there is no sandbox." }),
    })
    .optional()
    .meta({
      description:
        "Sandbox of the worker's child processes, provided by the operating system; absent for workers of earlier versions.",
    }),
  at: z.string().meta({ description: "Time of the last heartbeat." }),
});
export type Worker = z.output<typeof Worker>;

export const PoolQueue = z.object({
  pool: z.string(),
  queued: z.int().meta({
    description:
      "Queue depth: steps that no worker has received yet, including steps that planners hold until a slot is free.",
  }),
  delivered: z.int().meta({
    description: "Number of messages that workers are processing, or that are waiting for redelivery.",
  }),
  oldestAt: z.iso.datetime().optional().meta({
    description:
      "When the oldest of these steps was queued; absent if there is none, or if many pools have queues.",
  }),
});
export type PoolQueue = z.output<typeof PoolQueue>;

export const Workers = z.object({
  workers: z.array(Worker),
  pools: z.array(PoolQueue).meta({
    description: "The queues of all pools that have ever had a worker, including pools that have none now.",
  }),
});
export type Workers = z.output<typeof Workers>;

export const listWorkers = defineEndpoint({
  id: "listWorkers",
  method: "GET",
  path: "/v1/workers",
  tag: "system",
  summary: "List the running workers and the queues of their pools",
  responses: { 200: Workers },
  example: {
    response: {
      workers: [
        {
          workerId: "worker-1",
          pool: "default",
          version: "0.1.0",
          inFlight: 1,
          concurrency: 8,
          tools: ["flow.echo"],
          brokenTools: [],
          agents: [],
          wall: { stands: true, about: "bubblewrap 0.8.0" },
          at: "2026-01-31T10:00:00.000Z",
        },
      ],
      pools: [{ pool: "default", queued: 0, delivered: 1 }],
    },
  },
});
