/** Has a model write a draft, and hands over each step as soon as it is complete. */
import {
  createDraftParser,
  createLinesParser,
  LINES_BEGIN,
  directPlan,
  type DraftEnd,
  type DraftHandlers,
  type DraftParser,
  draftSchema,
  NO_USAGE,
  parseNumberedList,
} from "@planwright/plan";
import { type ModelClient, type ModelReply, planUsage } from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";
import { ActionBuilder } from "./action-builder.ts";
import { choosePrompt } from "./choose-prompt.ts";
import { DraftBuilder, type PlannedStep, type StepsBuilder } from "./draft-builder.ts";
import { draftProgram } from "./draft-program.ts";
import { type DraftFormat, type DraftRequest, listedTools } from "./draft-request.ts";
import { failedDraft, finishDraft, type WrittenDraft } from "./finish-draft.ts";
import { issuesOfReply } from "./issues-of-reply.ts";
import { createOrderedWork } from "./ordered-work.ts";

export type WriteDraftDeps = {
  readonly model: ModelClient;
  /** Default `json`. */
  readonly format?: DraftFormat;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
  /** Takes each step that is new to the plan, one at a time and in order, while the model continues to write. */
  readonly onStep: (planned: PlannedStep) => Promise<void>;
  /** Called once when slips of the model were corrected, with a text for each. */
  readonly onMended?: (mends: readonly string[]) => void;
};

/**
 * Writes one draft.
 *
 * @throws The signal's reason when it aborts, and what `onStep` throws; the model's failures are results.
 */
export async function writeDraft(request: DraftRequest, deps: WriteDraftDeps): Promise<WrittenDraft> {
  if (request.tools.size === 0) return NO_TOOLS;
  const handedOver = createOrderedWork(deps.onStep);
  const Builder = request.strategy === "tree-search" ? ActionBuilder : DraftBuilder;
  const builder = new Builder(request, (planned) => handedOver.add(planned));
  using _report = reporting(builder, deps);
  try {
    if (request.strategy === "direct") return draftDirectly(request, builder);
    const signal = AbortSignal.any([deps.signal, handedOver.failed]);
    if (request.strategy === "code") return await draftProgram(request, builder, { ...deps, signal });
    return await draftWithModel(request, builder, { ...deps, signal });
  } finally {
    // A step that could not be handed over is the cause of whatever came after it: its error goes first.
    await handedOver.done();
  }
}

/** Logs corrections once the draft has ended, whatever its outcome. */
function reporting({ mends }: StepsBuilder, { onMended }: WriteDraftDeps): Disposable {
  return {
    [Symbol.dispose]: () => {
      if (mends.length > 0) onMended?.(mends);
    },
  };
}

/** Workers may yet come. */
const NO_TOOLS: WrittenDraft = {
  status: "model_failed",
  message: "no worker offers a tool that this plan may use",
  retryable: true,
  usage: NO_USAGE,
};

function draftDirectly(request: DraftRequest, builder: StepsBuilder): WrittenDraft {
  const { steps, answerFrom } = directPlan(request);
  for (const [index, step] of steps.entries()) builder.take(step, index);
  return finishDraft(builder, { answerFrom, reasoning: undefined, usage: NO_USAGE });
}

async function draftWithModel(
  request: DraftRequest,
  builder: StepsBuilder,
  { model, format: wanted = "json", trace, signal }: Omit<WriteDraftDeps, "onStep">,
): Promise<WrittenDraft> {
  // A search's few actions would gain nothing from being lines.
  const format = request.strategy === "tree-search" ? "json" : wanted;
  const prompt = choosePrompt(request.strategy, format).render(request);
  const handlers: DraftHandlers = {
    onStep: (step, index) => builder.take(step, index),
    onMend: (mend) => builder.noteMend(mend),
  };
  const parser = format === "json" ? createDraftParser(handlers) : createLinesParser(handlers, request.tools);
  let received = "";
  const onText = (piece: string): void => {
    received += piece;
    parser.push(piece);
  };
  const output =
    format === "json"
      ? {
          outputSchema: {
            name: "plan",
            schema: draftSchema(listedTools(request), {
              ties: request.strategy !== "tree-search",
              confidence: request.asksConfidence,
              lists: request.strategy !== "tree-search",
              review: request.asksReview,
              ...(request.agents === undefined ? {} : { agents: request.agents.types }),
            }),
          },
        }
      : { begins: LINES_BEGIN };
  try {
    const reply = await model.complete({ ...prompt, ...output, onText, trace, signal });
    // A server that cannot stream gives its reply only here.
    if (received === "") parser.push(reply.text);
    const end = endOf(parser, { reply, format, handlers });
    const usage = planUsage(reply.usage);
    const { size } = request;
    const listed = takeList(builder, request, { reply, end });
    if (listed !== undefined) return finishDraft(builder, { ...listed, reasoning: undefined, size, usage });
    const faults = issuesOfReply(reply, end, format);
    if (faults.length > 0) return { status: "invalid", issues: [...builder.issues, ...faults], usage };
    const { answerFrom, confidence } = end.status === "complete" ? end : {};
    return finishDraft(builder, { answerFrom, reasoning: end.reasoning, confidence, size, usage });
  } catch (error) {
    signal.throwIfAborted();
    return failedDraft(error, { sent: prompt.messages, received });
  }
}

/** A model that was asked for lines may write JSON all the same. */
function endOf(
  parser: DraftParser,
  { reply, format, handlers }: { reply: ModelReply; format: DraftFormat; handlers: DraftHandlers },
): DraftEnd {
  const end = parser.end();
  if (format === "json" || end.status !== "absent") return end;
  const whole = createDraftParser(handlers);
  whole.push(reply.text);
  return whole.end();
}

/** What a model writes that knows no structured output: a numbered list. */
function takeList(
  builder: StepsBuilder,
  { tools, goal }: DraftRequest,
  { reply, end }: { reply: ModelReply; end: DraftEnd },
): { answerFrom: string | undefined } | undefined {
  if (end.status !== "absent" || reply.finishReason !== "stop") return undefined;
  const { steps, answerFrom } = parseNumberedList(reply.text, { tools, goal });
  if (steps.length === 0) return undefined;
  for (const [index, step] of steps.entries()) builder.take(step, index);
  return { answerFrom };
}
