/** The tools kit plus the parts that only built-in tools get. */
import {
  defineTool as defineKitTool,
  type Tool as KitTool,
  type ToolDefinition as KitDefinition,
  type OpenSource as KitSource,
  type SourceCatalog as KitCatalog,
  type ToolContext as KitContext,
} from "@planwright/tools-kit";
import type {
  DataRules,
  JsonObject,
  Json,
  OpenTurn,
  StepOutput,
  Templates,
  ToolSpec,
  Turn,
} from "@planwright/plan";
import type { ModelClient } from "@planwright/shared/model";
import type { Logger } from "@planwright/shared/service";
import type { CallOwner } from "../child-pool/start-child.ts";

export { AnyJson, type CheckResult } from "@planwright/tools-kit";
export { parseFor } from "@planwright/tools-kit/parse";
export type { DataSource, Workspace, WorkspaceFile, WrittenFile } from "@planwright/tools-kit";

export type Tool = KitTool<ToolContext>;
export type ToolDefinition<I, O> = KitDefinition<I, O, ToolContext>;

/** The kit's `defineTool`, for tools that use the whole context. */
export function defineTool<I, O>(definition: ToolDefinition<I, O>): Tool {
  return defineKitTool(definition);
}

/** The context of a built-in tool, beyond that of every tool: everything it can access is passed here. */
export type ToolContext = Omit<KitContext, "log" | "model" | "sources" | "feedback"> & {
  readonly log: Logger;
  readonly model: ModelClient;
  readonly sources: SourceCatalog;
  /** The plan that the call is made for, so that it waits fairly with other plans' calls for a child process. */
  readonly owner?: CallOwner;
  /** Reports that the output is reused from an equal call; not for custom tools. */
  readonly noteReused?: () => void;
  /** Makes the tool's later steps be sent alone, because it takes longer than a light tool can; not for custom tools. */
  readonly noteNotLight?: (reason: string) => void;
  /** The tools that a tool which runs a loop can call; absent for other tools. */
  readonly desk?: ToolDesk;
  /** Templates of the arguments that contain other steps' outputs, before insertion: see `insertionsIn`. */
  readonly templates?: Templates;
  /** The arguments that contain a secret's value, such as `headers.authorization`, in lower case; none by default. */
  readonly secretPlaces?: readonly string[];
  /** The model set by the step, or else by its agent type, if any. */
  readonly stepModel?: string;
  /** The role and instructions of the step's agent type, as its operator wrote them. */
  readonly agentPrompt?: string;
  /** The tool's last output and what a review said about it, if a better one is wanted. */
  readonly feedback?: {
    readonly output: Json;
    readonly issues: readonly string[];
    readonly suggestion: string;
  };
};

/** Other tools that a loop inside a step can call, and what the log knows about the loop. */
export type ToolDesk = {
  /**
   * The specs of the tools of these names.
   *
   * @throws {PermanentError} `unknown_tool` when one of them does not exist here, or is not allowed for this plan.
   */
  specs(names: readonly string[]): Promise<readonly ToolSpec[]>;
  /** The log's record of the loop, including earlier attempts. */
  recorded(): Promise<LoopRecord>;
  /** Whether a call has an effect or needs approval: nothing can run beside it. */
  runsAlone(tool: string): Promise<boolean>;
  /**
   * Runs a tool and stores its output; a tool's error becomes its result. If another worker has started a call in this turn,
   * continues that call instead. Throws only when the loop has to stop, including when a user has to decide about the call: the
   * error then ends the attempt with a question.
   */
  call(asked: AskedTurn): Promise<NewTurn>;
  /**
   * Continues the call that was started or that a user has decided about; undefined when there is none.
   *
   * @param expected - The call that the loop makes now; any by default.
   * @throws {PermanentError} `replay_diverged` when that call is different; nothing is called then.
   */
  goOn(expected?: AskedTurn): Promise<NewTurn | undefined>;
  /** Stores that a turn of several calls begins. False when another worker has begun or taken the turn. */
  begin(turn: NewOpenTurn): Promise<boolean>;
  /** Stores the outcome of a call, or a turn without one. False when another worker has stored one of that name. */
  record(turn: NewTurn): Promise<boolean>;
  /** The output of a call as a value. */
  read(output: StepOutput): Promise<Json>;
  /** When the step's first attempt began, according to the log: the same for every attempt. */
  began(): Promise<Date>;
};

/** `turns` is in the order of the calls. */
export type LoopRecord = { readonly turns: readonly Turn[]; readonly openTurn?: OpenTurn };

export type AskedTurn = Pick<Turn, "turn" | "call" | "thought" | "proposed"> & {
  readonly tool: string;
  readonly args: JsonObject;
};
export type NewTurn = Omit<Turn, "attempt" | "at">;
export type NewOpenTurn = Omit<OpenTurn, "attempt" | "at">;

/** The data sources that a plan's steps can query. */
export type SourceCatalog = Omit<KitCatalog, "open"> & {
  /** The local path of a source, a file or a folder; `undefined` when there is no source of that name. */
  open(name: string, options: { readonly signal: AbortSignal }): Promise<OpenSource | undefined>;
};

export type OpenSource = KitSource & {
  /** Rules that every change must satisfy; none by default. */
  readonly rules?: DataRules;
  /** Set if others can change the source at any time; absent for copies. */
  readonly live?: true;
};
