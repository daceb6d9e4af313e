/**
 * Agent types: a deployment's named kinds of worker, each with its tools, model and prompt.
 *
 * Executors announce the types in their configuration file; the planner offers them to models, the gateway checks submitted plans
 * against them, and a step's worker runs as its type specifies.
 */
import { z } from "zod";
import { PoolName, ToolName } from "./tool-spec.ts";

/** Maximum slots of one pool in an executor. */
export const POOL_CONCURRENCY_MAX = 1_000;

export const AgentType = z.object({
  description: z.string().trim().min(1).max(2_000).meta({
    description: "What it is for: what a planner's model goes by when it chooses.",
  }),
  tools: z.array(ToolName).min(1).max(200).meta({ description: "The only tools that its steps may use." }),
  model: z.string().trim().min(1).max(128).optional().meta({
    description:
      "The model of its `model.write` and `agent.react`, unless a step names one; otherwise the executor's.",
  }),
  system: z.string().trim().min(1).max(20_000).optional().meta({
    description:
      "Who it is and how it works: stands first in the system prompt of `model.write` and `agent.react`.",
  }),
  pool: PoolName.optional().meta({
    description: "The pool of workers whose queue its steps wait in; otherwise one of its own name.",
  }),
  concurrency: z.int().min(1).max(POOL_CONCURRENCY_MAX).optional().meta({
    description:
      "How many of its pool's steps one executor runs at a time, where EXECUTOR_POOLS says nothing else.",
  }),
});
export type AgentType = z.infer<typeof AgentType>;

/** The agent types of a deployment, and the pools that a step can name besides them. */
export type Agents = {
  readonly types: ReadonlyMap<string, AgentType>;
  /** Pools that an executor has served. */
  readonly pools: ReadonlySet<string>;
};

export const NO_AGENTS: Agents = { types: new Map(), pools: new Set() };

/** The pool whose queue holds the steps of an agent type. */
export function poolOfType(name: string, { pool }: Pick<AgentType, "pool">): string {
  return pool ?? name;
}
