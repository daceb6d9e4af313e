/** Workers and the queues of their pools. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const Worker = z.object({
  workerId: z.string(),
  pool: z.string(),
  version: z.string(),
  inFlight: z.int().nonnegative().meta({ description: "Steps that it runs now." }),
  concurrency: z.int().nonnegative().meta({ description: "Its slots: steps that it runs at a time." }),
  tools: z.array(z.string()),
  brokenTools: z.array(z.object({ file: z.string(), reason: z.string() })).meta({
    description: "Files of the worker's own tools, and MCP servers and their tools, that it cannot use.",
  }),
  agents: z.array(z.string()).meta({ description: "The agent types whose steps wait in this pool." }),
  agentsDigest: z
    .string()
    .optional()
    .meta({ description: "Of the worker's own file of agent types; absent when it has none." }),
  wall: z
    .object({
      stands: z.boolean(),
      about: z.string().meta({ description: "Such as `bubblewrap 0.8.0`, or why there is none." }),
    })
    .optional()
    .meta({
      description:
        "The operating system's wall around its child processes; absent from workers of earlier versions.",
    }),
  at: z.string().meta({ description: "Its last heartbeat." }),
});
export type Worker = z.output<typeof Worker>;

export const PoolQueue = z.object({
  pool: z.string(),
  queued: z.int().meta({
    description:
      "Queue depth: steps that no worker has received yet, those included that planners hold until a slot is free.",
  }),
  delivered: z.int().meta({ description: "Messages that workers hold, or that wait to be delivered again." }),
  oldestAt: z.iso.datetime().optional().meta({
    description:
      "Since when the oldest of them has been queued; absent when none is, or many pools have queues.",
  }),
});
export type PoolQueue = z.output<typeof PoolQueue>;

export const Workers = z.object({
  workers: z.array(Worker),
  pools: z.array(PoolQueue).meta({
    description: "The queues of all pools that ever had a worker, those without one included.",
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
