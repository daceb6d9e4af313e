import { executorWorkloads } from "./executors.ts";
import { firstStep } from "./first-step.ts";
import { lightTools } from "./light-tools.ts";
import { llmCompilerWorkloads } from "./llm-compiler.ts";
import { pageWorkload } from "./page.ts";
import { planSize } from "./plan-size.ts";
import { programs } from "./programs.ts";
import { quotas } from "./quotas.ts";
import { sharing } from "./sharing.ts";
import { storedPlans } from "./stored-plans.ts";
import { sync } from "./sync.ts";
import { takeoverWorkloads } from "./takeover.ts";
import { w1Chain } from "./w1-chain.ts";
import { w2FanIn } from "./w2-fan-in.ts";
import { w3Burst } from "./w3-burst.ts";
import { w4Waits } from "./w4-waits.ts";
import { w5Crash, w5Once } from "./w5-crash.ts";
import { watchers } from "./watchers.ts";
import { workflowWorkloads } from "./wfinstances.ts";
import type { Workload } from "./workload.ts";

export type { RunReading, Workload, WorkloadContext } from "./workload.ts";

/** Every workload, in the table's order. */
export const WORKLOADS: readonly Workload[] = [
  w1Chain(),
  w1Chain("unfused"),
  w1Chain("http"),
  w2FanIn(),
  w2FanIn("unfused"),
  w3Burst(),
  w3Burst("unfused"),
  w3Burst("http"),
  w4Waits(),
  w5Crash(),
  w5Once(),
  ...workflowWorkloads(),
  firstStep(),
  planSize(),
  programs(),
  lightTools(),
  sharing(),
  quotas(),
  ...executorWorkloads(),
  watchers(),
  storedPlans(),
  ...takeoverWorkloads(),
  sync(),
  pageWorkload(),
  ...llmCompilerWorkloads(),
];

/** Names that stand for several. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  all: WORKLOADS.map(({ name }) => name),
  executors: executorWorkloads().map(({ name }) => name),
  workflows: workflowWorkloads().map(({ name }) => name),
  takeover: takeoverWorkloads().map(({ name }) => name),
  "llm-compiler": llmCompilerWorkloads().map(({ name }) => name),
};
