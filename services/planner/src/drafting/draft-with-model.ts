/** Has a model write a draft's steps, as JSON or as lines, and takes each as soon as it is complete. */
import {
  createDraftParser,
  createLinesParser,
  LINES_BEGIN,
  type DraftEnd,
  type DraftHandlers,
  type DraftParser,
  draftSchema,
  parseNumberedList,
  type Issue,
  codePlan,
  DATA_APPLY,
  DATA_DRYRUN,
  extractProgram,
  issuesOfProgram,
  NO_USAGE,
  type Program,
  programSource,
} from "@planwright/plan";
import { type ModelReply, planUsage, REASONING_ONLY } from "@planwright/shared/model";
import type { Prompt } from "@planwright/shared/prompt";
import type { StepsBuilder } from "./draft-builder.ts";
import { type DraftFormat, type DraftRequest, listedTools, type ModelAccess } from "./draft-request.ts";
import {
  failedDraft,
  finishDraft,
  finishWhole,
  type WrittenDraft,
  type FailedDraft,
} from "./finish-draft.ts";
import type { DataSource } from "@planwright/shared/tools";
import { programPrompt } from "./program-prompt.ts";

/** How steps are requested from a model. */
export type DraftForm = {
  readonly json: Prompt<DraftRequest>;
  /** Absent when drafts are always JSON. */
  readonly lines?: Prompt<DraftRequest>;
  /** Whether steps are alternatives, which cannot have fallbacks or verification, or run once per list item. */
  readonly isFlat?: boolean;
};

export function promptIn({ json, lines = json }: DraftForm, format: DraftFormat): Prompt<DraftRequest> {
  return format === "lines" ? lines : json;
}

export async function draftWithModel(
  request: DraftRequest,
  builder: StepsBuilder,
  { form, model, format: wanted = "json", trace, signal }: ModelAccess & { readonly form: DraftForm },
): Promise<WrittenDraft> {
  const format = form.lines === undefined ? "json" : wanted;
  const prompt = promptIn(form, format).render(request);
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
              ties: form.isFlat !== true,
              confidence: request.asksConfidence,
              lists: form.isFlat !== true,
              review: request.asksReview,
              ...(request.agents === undefined ? {} : { agents: request.agents.types }),
            }),
          },
        }
      : { begins: LINES_BEGIN };
  try {
    const reply = await model.complete({ ...prompt, ...output, onText, trace, signal });
    // A server that cannot stream returns its reply only here.
    if (received === "") parser.push(reply.text);
    const end = endOf(parser, { reply, format, handlers });
    const usage = planUsage(reply.usage);
    const { size } = request;
    const listed = listIn(reply, end, request);
    if (listed !== undefined) return finishWhole(builder, listed, { size, usage });
    const faults = issuesOfReply(reply, end, format);
    if (faults.length > 0) return { status: "invalid", issues: [...builder.issues, ...faults], usage };
    const { answerFrom, confidence } = end.status === "complete" ? end : {};
    return finishDraft(builder, { answerFrom, reasoning: end.reasoning, confidence, size, usage });
  } catch (error) {
    signal.throwIfAborted();
    return failedDraft(error, { sent: prompt.messages, received });
  }
}

/** A model that was prompted for lines may write JSON anyway. */
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

/** The reply of a model without structured output: a numbered list. */
function listIn(
  { text, finishReason }: ModelReply,
  end: DraftEnd,
  { tools, goal }: DraftRequest,
): ReturnType<typeof parseNumberedList> | undefined {
  if (end.status !== "absent" || finishReason !== "stop") return undefined;
  const listed = parseNumberedList(text, { tools, goal });
  return listed.steps.length === 0 ? undefined : listed;
}

type Reply = Pick<ModelReply, "finishReason" | "text" | "reasoningOnly">;

/**
 * The reasons why a reply is not a complete draft; none when it is. The messages are written for the model that tries again.
 *
 * Only JSON shows whether it is complete: of lines that were cut off, any number may be missing.
 */
export function issuesOfReply(reply: Reply, end: DraftEnd, format: DraftFormat): Issue[] {
  const refused = issuesOfRefusal(reply);
  const isCutLines = format === "lines" && reply.finishReason === "length";
  if (refused.length > 0 || (end.status === "complete" && !isCutLines)) return refused;
  if (reply.reasoningOnly === true) return [{ code: "truncated", field: "", message: REASONING_ONLY }];
  if (reply.finishReason === "length") {
    const message = `the reply was cut off after ${end.steps} steps; write a plan with fewer or shorter steps`;
    return [{ code: "truncated", field: "steps", message }];
  }
  const message = "message" in end ? end.message : "the reply is not a plan";
  return [{ code: "malformed", field: "", message }];
}

/** One issue when the model has declined, none otherwise. */
export function issuesOfRefusal({ finishReason, text }: Reply): Issue[] {
  if (finishReason !== "refusal" && finishReason !== "content_filter") return [];
  const said = finishReason === "refusal" ? `: ${text.slice(0, 300)}` : "";
  return [
    { code: "refused", field: "", message: `the model declined to plan this (${finishReason})${said}` },
  ];
}

/** Requests one program for one data source, and plans its dry run and the application of its changes. */
export async function draftProgram(
  request: DraftRequest,
  builder: StepsBuilder,
  { model, trace, signal }: ModelAccess,
): Promise<WrittenDraft> {
  const { goal, tools, language = "javascript" } = request;
  const source = programSource(request.sources);
  if (source === undefined) return without(whichSource(request.sources));
  if (!tools.has(DATA_DRYRUN)) return without(`no worker offers ${DATA_DRYRUN}, in which programs run`);
  const prompt = programPrompt.render({ ...request, language, source });
  let received = "";
  const onText = (piece: string): void => {
    received += piece;
  };
  const onRestart = (): void => {
    received = "";
  };
  try {
    const reply = await model.complete({ ...prompt, onText, onRestart, trace, signal });
    const usage = planUsage(reply.usage);
    const program = extractProgram(reply.text, language);
    const issues = issuesOf(reply, program);
    if (program === undefined || issues.length > 0) return { status: "invalid", issues, usage };
    const applies = source.writable === true && tools.has(DATA_APPLY);
    return finishWhole(builder, codePlan(program, { goal, source: source.name, applies }), { usage });
  } catch (error) {
    signal.throwIfAborted();
    return failedDraft(error, { sent: prompt.messages, received });
  }
}

function issuesOf(reply: ModelReply, program: Program | undefined): Issue[] {
  const refused = issuesOfRefusal(reply);
  if (refused.length > 0) return refused;
  if (reply.finishReason === "length") {
    const message = "the reply was cut off; write a shorter program, and nothing around it";
    return [{ code: "truncated", field: "", message }];
  }
  if (program !== undefined) return issuesOfProgram(program);
  return [{ code: "no_program", field: "", message: "wanted a program, got an empty reply" }];
}

function whichSource(sources: readonly DataSource[]): string {
  const names = sources.map(({ name }) => name).join(", ");
  const known = names === "" ? "there is none" : `there are: ${names}`;
  return `a program is written for one data source, which the submission names in "data"; ${known}`;
}

/** Not permanent: sources and workers may still appear. */
function without(message: string): FailedDraft {
  return { status: "model_failed", message, retryable: true, usage: NO_USAGE };
}
