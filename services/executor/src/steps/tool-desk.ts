/**
 * Gives a loop inside a step access to other tools, with the same limits as for a step of the plan. A call with an effect begins
 * and ends in the plan's log; one that needs approval ends the attempt, and the next attempt continues with it.
 */
import {
  AGENT_REACT,
  type CalledTool,
  callToken,
  effectKey,
  type EventHead,
  isWorkWanted,
  type KnownPlan,
  runOf,
  StepStarted,
  type StepWork,
  type ToolSpec,
  TurnStarted,
  TurnTaken,
  waitsForApproval,
} from "@planwright/plan";
import { appendEvent, readPlan, startSubjects } from "@planwright/shared/bus";
import { PermanentError } from "@planwright/shared/errors";
import { type TraceParent, withSpan } from "@planwright/shared/telemetry";
import type { AskedTurn, LoopRecord, NewTurn, Tool, ToolContext, ToolDesk } from "../tools/define-tool.ts";
import {
  CallAskedError,
  fillCall,
  errorOf,
  faultOf,
  type GatedTurn,
  gatedTurn,
  heldBack,
  newTurn,
  refusedThough,
  refusedTurn,
} from "./gate-call.ts";
import { beginCall, type Call, mayHaveBeenMade, firstMessage } from "./begin-call.ts";
import { keepOutput } from "./keep-output.ts";
import { loadOutput } from "./load-json.ts";
import { makeCall } from "./make-call.ts";
import { callOf, pendingCall, refuseOther } from "./pending-call.ts";
import type { StepDeps } from "./step-deps.ts";

type DeskOptions = {
  /** The only tools that the step's agent type can use; any by default. */
  readonly granted?: readonly string[] | undefined;
  /** Parent of the calls in the trace. */
  readonly trace?: TraceParent | undefined;
};

export function createToolDesk(
  deps: StepDeps,
  work: StepWork,
  context: ToolContext,
  { granted, trace }: DeskOptions = {},
): ToolDesk {
  /** As last read. */
  let latest: KnownPlan | undefined;
  const planNow = async () => (latest = await planOf(deps, work.planId));
  /** For the plan's goal, which never changes. */
  const planRead = async () => latest ?? (await planNow());
  const find = (name: string, { goal }: Pick<KnownPlan, "goal">): Tool =>
    findTool(
      deps,
      // A loop cannot call its own kind: it would wait for resources that it holds itself.
      name === work.tool ? AGENT_REACT : name,
      [goal.tools, granted].flatMap((names) => (names === undefined ? [] : [names])),
    );
  const make = (call: Call, made: Pick<Made, "tool" | "isFirst">): Promise<NewTurn> =>
    turnOf(deps, work, { ...made, call, context, trace });
  const perform = async (asked: AskedTurn, tool: Tool, leave?: string): Promise<NewTurn> => {
    const { effect } = tool.spec;
    if (effect === "read") return make({ ...asked, effect }, { tool, isFirst: true });
    const fault = faultOf(tool, asked.args);
    if (fault !== undefined) return { ...asked, error: fault };
    const begun = await beginCall(deps, work, { ...asked, effect, leave });
    const isFirst = begun.isFirst && !(await mayHaveBeenMade(deps, work, { effect, leave }));
    return make(begun.call, { tool: find(begun.call.tool, await planRead()), isFirst });
  };
  /** The calls of this attempt. */
  const called: CalledTool[] = [];
  const gated = (plan: KnownPlan, asked: AskedTurn): GatedTurn => gatedTurn(plan, work, { asked, called });
  return {
    async specs(names) {
      const plan = await planRead();
      return names.map((name) => find(name, plan).spec);
    },
    recorded: async () => recordOf(await planNow(), work),
    async runsAlone(name) {
      const plan = await planRead();
      const { effect, risk } = find(name, plan).spec;
      return effect !== "read" || waitsForApproval(plan.goal, { tool: name, risk });
    },
    async call(asked) {
      const plan = await planRead();
      const tool = find(asked.tool, plan);
      const filled = await fillCall(deps, work, asked);
      // Before an approval is requested, and before the start is recorded.
      if ("error" in filled) return { ...asked, ...filled };
      const turn = await newTurn(plan, work, { asked, called: [...called], reread: planNow });
      called.push(asked);
      return refusedTurn(plan, turn) ?? heldBack(plan, tool, turn) ?? perform(asked, tool);
    },
    async goOn(expected) {
      const plan = await planNow();
      const run = runOf(plan, work);
      const pending = run && pendingCall(run);
      if (pending === undefined) return undefined;
      if (expected !== undefined) refuseOther(callOf(pending), expected);
      if (!isWorkWanted(plan, work)) throw new DOMException("the step is no longer wanted", "AbortError");
      if (pending.kind === "told") return pending.turn;
      if (pending.kind === "allowed") {
        const { asked, leave } = pending;
        // A user may have changed its arguments.
        return refusedThough(plan, gated(plan, asked)) ?? perform(asked, find(asked.tool, plan), leave);
      }
      return make(pending.call, { tool: find(pending.call.tool, plan), isFirst: false });
    },
    begin: (turn) => recordTurn(deps, TurnStarted.create(headOf(deps, work), { ...nameOf(work), ...turn })),
    record: (turn) => recordTurn(deps, TurnTaken.create(headOf(deps, work), { ...nameOf(work), ...turn })),
    read: (output) => loadOutput(deps, work, output),
    async began() {
      return new Date(StepStarted.parse(await firstMessage(deps.bus, startSubjects(work))).at);
    },
  };
}

async function planOf({ bus }: StepDeps, planId: StepWork["planId"]): Promise<KnownPlan> {
  const plan = await readPlan(bus, planId);
  if (plan === undefined) throw new PermanentError("the plan is gone", { code: "plan_gone" });
  return plan;
}

function recordOf(plan: KnownPlan, work: StepWork): LoopRecord {
  const { turns = [], openTurn } = runOf(plan, work) ?? {};
  return { turns, ...(openTurn === undefined ? {} : { openTurn }) };
}

/** @param allowed - Lists of names; the tool must be in all of them. */
function findTool({ toolbox }: StepDeps, name: string, allowed: readonly (readonly string[])[]): Tool {
  const tool = name === AGENT_REACT ? undefined : toolbox.get(name);
  if (tool !== undefined && allowed.every((names) => names.includes(name))) return tool;
  throw new PermanentError(`this plan has no tool ${name}`, { code: "unknown_tool" });
}

type Made = {
  readonly call: Call;
  readonly tool: Tool;
  readonly isFirst: boolean;
  /** The loop's own context. */
  readonly context: ToolContext;
  readonly trace: TraceParent | undefined;
};

/**
 * Makes a call, and stores its output.
 *
 * @throws {CallAskedError} When it is unknown whether it took effect.
 */
async function turnOf(
  deps: StepDeps,
  work: StepWork,
  { call: wanted, tool, isFirst, context, trace }: Made,
): Promise<NewTurn> {
  const { turn, call, thought, tool: name, args, proposed } = wanted;
  const taken = {
    turn,
    ...(call === undefined ? {} : { call }),
    thought,
    tool: name,
    args,
    ...(proposed === undefined ? {} : { proposed }),
  };
  const token = callToken(wanted);
  const filled = await fillCall(deps, work, { tool: name, args });
  if ("error" in filled) {
    // Another worker, which had the secret, started it before: it may have acted.
    const uncertain = isFirst || tool.spec.effect === "read" ? {} : { uncertain: true as const };
    return { ...taken, ...filled, ...uncertain };
  }
  const { places: secretPlaces } = filled;
  const contextNow = () => ({ ...callContext(work, context, { token, spec: tool.spec }), secretPlaces });
  const span = callSpan(deps, work, { name, token, trace });
  const end = await withSpan(span, async () => {
    const ended = await makeCall({ tool, args: filled.args, contextNow, signal: context.signal }, isFirst);
    if (ended.kind === "failed") span.fail(new Error(ended.error.message));
    return ended;
  });
  if (end.kind === "in-doubt") {
    throw new CallAskedError({ ...taken, risk: tool.spec.risk, doubt: end.why });
  }
  if (end.kind === "failed") {
    const { kind: _kind, ...failure } = end;
    return { ...taken, ...failure };
  }
  try {
    return { ...taken, output: await keepOutput(deps, work, end.output, token) };
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    const uncertain = tool.spec.effect === "read" ? {} : { uncertain: true as const };
    return { ...taken, error: errorOf(error), ...uncertain };
  }
}

/** Calls of one turn are siblings below their step. */
function callSpan(
  { telemetry }: StepDeps,
  { planId, stepId, item, attempt }: StepWork,
  {
    name,
    token,
    trace,
  }: { readonly name: string; readonly token: string; readonly trace: TraceParent | undefined },
) {
  return telemetry.spanFrom(trace, `execute_tool ${name}`, {
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": effectKey({ planId, stepId, item }, `turn/${token}`),
      "plan.id": planId,
      "step.id": stepId,
      "step.attempt": attempt,
    },
  });
}

function headOf({ now }: StepDeps, { planId, after }: StepWork): EventHead {
  return { planId, after, at: now() };
}

function nameOf({ stepId, item, attempt, pool }: StepWork) {
  return { stepId, item, attempt, pool };
}

/** The first event on its subject counts. */
async function recordTurn({ publish }: StepDeps, event: TurnStarted | TurnTaken): Promise<boolean> {
  const { status } = await appendEvent(publish, event);
  return status !== "lost";
}

/**
 * Each call has its own effect key, which is the same in all attempts because it is derived from the call's number. Its arguments
 * come from the loop, so the templates of the step's arguments do not apply.
 */
function callContext(
  work: StepWork,
  context: ToolContext,
  { token, spec }: { readonly token: string; readonly spec: ToolSpec },
): ToolContext {
  const {
    desk: _desk,
    templates: _templates,
    noteReused: _noteReused,
    noteNotLight: _noteNotLight,
    secretPlaces: _secretPlaces,
    ...rest
  } = context;
  return {
    ...rest,
    effectKey: (call = 0) => (call === 0 ? effectKey(work, token) : `${effectKey(work, token)}.${call}`),
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(spec.timeoutMs)]),
    noteFacts: () => undefined,
    requireReplan: () => undefined,
    noteTruncated: () => undefined,
  };
}
