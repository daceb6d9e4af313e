/** One call of a step's tool: the tool, its arguments, and everything that it can access. */
import {
  AGENT_REACT,
  type AgentType,
  argumentsHash,
  CLAIMS_MAX,
  CODE_RUN,
  effectKey,
  type FactClaim,
  type StepWork,
  type ArtifactRef,
  type PlanId,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { ModelClient } from "@planwright/shared/model";
import { dateOf } from "@planwright/shared/prompt";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { Tool, ToolContext, Workspace, WorkspaceFile } from "../tools/define-tool.ts";
import { loadJson, loadOutput } from "./load-json.ts";
import { createToolDesk } from "./tool-desk.ts";
import type { StepDeps } from "./step-deps.ts";
import type { ArtifactStore } from "@planwright/shared/artifacts";

const REASON_CHARS_MAX = 4_000;

export type ToolCall = {
  readonly tool: Tool;
  /** Including the artifacts and secrets that they refer to: only for the tool. */
  readonly args: unknown;
  readonly context: ToolContext;
  readonly workspace: ReturnType<typeof planWorkspace>;
  /** Why the plan has to change, if the tool said so. */
  readonly replan: () => string | undefined;
  /** Whether its output is reused from an equal call. */
  readonly reused: () => boolean;
  /** Whether its output is truncated. */
  readonly truncated: () => boolean;
  /** The facts that the tool has noted so far. */
  readonly facts: () => readonly FactClaim[];
};

type Prepared = {
  readonly signal: AbortSignal;
  readonly model: ModelClient;
  /** Parent of the loop's calls in the trace. */
  readonly trace?: TraceParent;
  /** When the attempt's work message was stored; prompts state this date. */
  readonly storedAt?: Date | undefined;
};

/**
 * Prepares a call without running anything.
 *
 * @throws {PermanentError} `unknown_tool`, `artifact_lost`, `unknown_secret`, `secret_not_allowed`, or `approval_mismatch` when
 * the arguments are not those that a user approved.
 */
export async function prepareCall(
  deps: StepDeps,
  work: StepWork,
  { signal, model, trace, storedAt }: Prepared,
): Promise<ToolCall> {
  const tool = deps.toolbox.get(work.tool);
  if (tool === undefined) {
    throw new PermanentError(`no executor of pool ${work.pool} has a tool ${work.tool}`, {
      code: "unknown_tool",
    });
  }
  const agent = agentTypeOf(deps, work);
  const { approval } = work;
  if (approval !== undefined && argumentsHash(work.args) !== approval.argsHash) {
    throw new PermanentError(`the arguments differ from those approved in ${approval.approvalId}`, {
      code: "approval_mismatch",
    });
  }
  const { args, places } = await deps.secrets.fillStep(work, (name) => loadJson(deps, work, name));
  const workspace = planWorkspace(deps.artifacts, work.planId);
  const noted: FactClaim[] = [];
  let replan: string | undefined;
  let reused = false;
  let truncated = false;
  const context: ToolContext = {
    planId: work.planId,
    owner: { tenant: work.tenant, plan: work.planId },
    stepId: work.stepId,
    item: work.item,
    attempt: work.attempt,
    effectKey: (call) => effectKey(work, call),
    signal,
    get log() {
      return deps.log.child({ planId: work.planId, stepId: work.stepId });
    },
    model,
    workspace,
    sources: deps.sources.catalog(work),
    noteFacts: (facts) => void noted.push(...facts.slice(0, CLAIMS_MAX - noted.length)),
    requireReplan: (reason) => void (replan = reason.slice(0, REASON_CHARS_MAX)),
    noteReused: () => void (reused = true),
    noteTruncated: () => void (truncated = true),
    noteNotLight: (reason) => deps.lightTools.withdraw(work.tool, reason),
    progress: (text) =>
      deps.bus.connection.publish(`live.${work.planId}.${work.stepId}`, text.slice(0, 4_000)),
    ...(storedAt === undefined ? {} : { today: dateOf(storedAt) }),
    ...(places.length === 0 ? {} : { secretPlaces: places }),
    ...(work.templates === undefined ? {} : { templates: work.templates }),
    ...modelOf(work, agent),
    ...(agent?.system === undefined ? {} : { agentPrompt: agent.system }),
    ...(work.feedback === undefined ? {} : { feedback: await readable(deps, work, work.feedback) }),
  };
  const call = {
    tool,
    args,
    workspace,
    facts: () => noted,
    replan: () => replan,
    reused: () => reused,
    truncated: () => truncated,
  };
  if (!isLoop(work)) return { ...call, context };
  return {
    ...call,
    context: { ...context, desk: createToolDesk(deps, work, context, { granted: agent?.tools, trace }) },
  };
}

/** A compensation has no turns. */
function isLoop({ tool, undo, effect }: StepWork): boolean {
  return undo !== true && (tool === AGENT_REACT || (tool === CODE_RUN && effect !== "read"));
}

/**
 * The agent type of the step's worker; undefined if the step names none.
 *
 * @throws {PermanentError} `unknown_agent`, `tool_not_granted`: the types may have changed since the step was planned.
 */
function agentTypeOf({ agentTypes }: StepDeps, { agent, tool }: StepWork): AgentType | undefined {
  if (agent === undefined) return undefined;
  const type = agentTypes().get(agent);
  if (type === undefined)
    throw new PermanentError(`there is no agent type ${agent}`, { code: "unknown_agent" });
  if (!type.tools.includes(tool)) {
    throw new PermanentError(`the agent type ${agent} may not use ${tool}`, { code: "tool_not_granted" });
  }
  return type;
}

function modelOf({ model }: StepWork, agent: AgentType | undefined): Pick<ToolContext, "stepModel"> {
  const stepModel = model ?? agent?.model;
  return stepModel === undefined ? {} : { stepModel };
}

async function readable(
  deps: StepDeps,
  work: StepWork,
  { output, ...said }: NonNullable<StepWork["feedback"]>,
): Promise<NonNullable<ToolContext["feedback"]>> {
  return { ...said, output: await loadOutput(deps, work, output) };
}

/** Files of the workspace are artifacts of the plan; the prefix separates them from outputs, which are also artifacts. */
const PREFIX = "files/";

/** The plan's own files, the same on every worker; `written` returns the files that this step wrote. */
function planWorkspace(
  artifacts: ArtifactStore,
  planId: PlanId,
): Workspace & { written(): readonly ArtifactRef[] } {
  const written = new Map<string, ArtifactRef>();
  return {
    async write(path, content, contentType) {
      const artifact = await artifacts.put(planId, `${PREFIX}${path}`, content, contentType);
      written.set(path, artifact);
      return { artifact, bytes: artifact.bytes };
    },
    async read(path) {
      return (await artifacts.get(planId, `${PREFIX}${path}`))?.content;
    },
    list: async () => (await filesOf(artifacts, planId)).map(({ path }) => path),
    files: () => filesOf(artifacts, planId),
    written: () => [...written.values()],
  };
}

async function filesOf(artifacts: ArtifactStore, planId: PlanId): Promise<WorkspaceFile[]> {
  const all = await artifacts.list(planId);
  return all.flatMap(({ name, bytes, contentType }) =>
    name.startsWith(PREFIX) ? [{ path: name.slice(PREFIX.length), bytes, contentType }] : [],
  );
}
