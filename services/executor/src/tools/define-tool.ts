/** The tools kit with what only our own tools are given. */
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

/** `defineTool` of the kit, for tools that use the whole context. */
export function defineTool<I, O>(definition: ToolDefinition<I, O>): Tool {
  return defineKitTool(definition);
}

/** The context of a built-in tool beyond that of every tool: everything it may touch arrives here. */
export type ToolContext = Omit<KitContext, "log" | "model" | "sources" | "feedback"> & {
  readonly log: Logger;
  readonly model: ModelClient;
  readonly sources: SourceCatalog;
  /** For which plan the call is made: it waits for a child process beside other plans' calls. */
  readonly owner?: CallOwner;
  /** Tells that the output is that of an equal call; not for custom tools. */
  readonly noteReused?: () => void;
  /** Has later steps of the tool sent alone: it takes longer than a light tool may; not for custom tools. */
  readonly noteNotLight?: (reason: string) => void;
  /** The tools that a tool which works in a loop may call; for no other. */
  readonly desk?: ToolDesk;
  /** The texts among the arguments in which other steps' outputs stand, as they were before: see `insertionsIn`. */
  readonly templates?: Templates;
  /** The arguments that contain the value of a secret, such as `headers.authorization`, in small letters; none when absent. */
  readonly secretPlaces?: readonly string[];
  /** The model that the step names, or else its agent type, when one of them does. */
  readonly stepModel?: string;
  /** Who the step's agent type is and how it works, as its operator wrote it. */
  readonly agentPrompt?: string;
  /** What the tool gave last time, and what was said of it, when a better one is wanted. */
  readonly feedback?: {
    readonly output: Json;
    readonly issues: readonly string[];
    readonly suggestion: string;
  };
};

/** Other tools, as a loop inside a step may call them, and what the log knows of the loop. */
export type ToolDesk = {
  /**
   * What the tools of these names take.
   *
   * @throws {PermanentError} `unknown_tool` when one of them is not here, or not for this plan.
   */
  specs(names: readonly string[]): Promise<readonly ToolSpec[]>;
  /** What the log knows of the loop, also of earlier attempts. */
  recorded(): Promise<LoopRecord>;
  /** Whether a call changes something, or needs approval: nothing may run beside it. */
  runsAlone(tool: string): Promise<boolean>;
  /**
   * Runs a tool, and keeps its output; what the tool throws is its result. When another worker has begun a call in
   * that turn, that call is gone on with instead. Throws only when the loop has to stop, also because a person has to
   * decide about the call: what it throws then ends the attempt as a question.
   */
  call(asked: AskedTurn): Promise<NewTurn>;
  /**
   * Continues the call that was started, or that a user has decided; undefined when there is none.
   *
   * @param expected - The call that the loop comes to now; whatever it is when absent.
   * @throws {PermanentError} `replay_diverged` when that is another one; nothing is called then.
   */
  goOn(expected?: AskedTurn): Promise<NewTurn | undefined>;
  /** Stores that a turn of several calls begins. False when another worker has begun or taken the turn. */
  begin(turn: NewOpenTurn): Promise<boolean>;
  /** Stores the outcome of a call, or a turn without one. False when another worker has stored one of that name. */
  record(turn: NewTurn): Promise<boolean>;
  /** What a call returned, as a value. */
  read(output: StepOutput): Promise<Json>;
  /** When the step's first attempt began, by the log: the same for every attempt. */
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

/** The data sources that a plan's steps may query. */
export type SourceCatalog = Omit<KitCatalog, "open"> & {
  /** The local path of a source, a file or a folder; `undefined` when there is none of that name. */
  open(name: string, options: { readonly signal: AbortSignal }): Promise<OpenSource | undefined>;
};

export type OpenSource = KitSource & {
  /** What must hold for whatever changes it; nothing when absent. */
  readonly rules?: DataRules;
  /** Set of what lies where others may change it at any time; absent of copies. */
  readonly live?: true;
};
