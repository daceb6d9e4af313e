/** A tool's inputs besides its arguments: everything it may touch arrives here. */

export type ToolContext = {
  readonly planId: string;
  readonly stepId: string;
  /** Position within a step's `forEach`; 0 for a step without one. */
  readonly item: number;
  /** Counts from 1. */
  readonly attempt: number;
  /**
   * The same over all attempts: a target that knows it can drop the second call. A tool that acts several times
   * counts its calls from 0, which is the default.
   */
  readonly effectKey: (call?: number) => string;
  /** Aborts on cancel and at the step's deadline. */
  readonly signal: AbortSignal;
  readonly log: ToolLog;
  /** The executor's model. A tool that calls it declares `modelTokens`. */
  readonly model: ToolModel;
  readonly workspace: Workspace;
  readonly sources: SourceCatalog;
  /** Adds facts to the plan's ledger; more than 50 facts are cut to 50. */
  readonly noteFacts: (facts: readonly FactClaim[]) => void;
  /** Has the plan revised once the step has succeeded. */
  readonly requireReplan: (reason: string) => void;
  /** Records that the output ends early, because a model reached its length limit. */
  readonly noteTruncated: () => void;
  /** Shows a piece of text to current watchers of the plan; losing it loses nothing. */
  readonly progress: (text: string) => void;
  /** The date of the attempt, such as `2026-03-01`: the same however often the attempt is delivered. */
  readonly today?: string;
  /** The output of the last attempt and what its review said, when a better one is wanted. */
  readonly feedback?: {
    readonly output: unknown;
    readonly issues: readonly string[];
    readonly suggestion: string;
  };
};

/** The executor's log; its lines name the plan and the step. */
export type ToolLog = {
  debug(values: object, message: string): void;
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
};

export type ToolModelRequest = {
  /** Is in the span of the call: the name of what is asked, such as `company.summary`, and its version. */
  readonly prompt: { readonly name: string; readonly version: number };
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  /** Overrides the executor's own model for this call. */
  readonly model?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
};

export type ToolModelReply = {
  /** Without the model's reasoning. */
  readonly text: string;
  readonly finishReason: "stop" | "length" | "content_filter" | "refusal";
};

export type ToolModel = {
  /**
   * One model call, retried on what may pass (429, 5xx, lost connections).
   *
   * @throws {TransientError} When these retries are used up, or a reply broke off.
   * @throws {PermanentError} When the server refuses the request itself (400, 401, 403, 404).
   * @throws The signal's reason when the caller aborts.
   */
  complete(request: ToolModelRequest): Promise<ToolModelReply>;
};

/** A piece of knowledge that a tool has found out on the way. */
export type FactClaim = {
  /** Names the subject: claims with the same key are about the same thing. */
  key: string;
  value: string | number | boolean | null;
  /** From 0 to 1. */
  confidence: number;
  /** Where it stands: a page, a file, a row. */
  source?: string | undefined;
};

/** The files of one plan. Paths are relative and use `/`. */
export type Workspace = {
  /** Replaces the file when it exists: writing the same bytes again leaves the same state. */
  write(path: string, bytes: Uint8Array, contentType: string): Promise<WrittenFile>;
  /** `undefined` when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The paths of all files, sorted. */
  list(): Promise<readonly string[]>;
  /** The same, with what is known of each. */
  files(): Promise<readonly WorkspaceFile[]>;
};

export type WorkspaceFile = { readonly path: string; readonly bytes: number; readonly contentType: string };

/** How an artifact is named in outputs. */
export type ArtifactRef = { name: string; contentType: string; bytes: number };

export type WrittenFile = { readonly artifact: ArtifactRef; readonly bytes: number };

/** The data sources that a plan's steps may query. */
export type SourceCatalog = {
  list(): Promise<readonly DataSource[]>;
  /** The local path of a source, a file or a folder; `undefined` when there is none of that name. */
  open(name: string, options: { readonly signal: AbortSignal }): Promise<OpenSource | undefined>;
};

export type DataSource = {
  /** How `sql.query` names it, such as `sales`. */
  readonly name: string;
  /** `csv` is one CSV file or a folder of them, each file a table. */
  readonly kind: "csv" | "sqlite";
  /** Whether plans may change it; then it lies on this machine and is no copy. */
  readonly writable: boolean;
};

export type OpenSource = DataSource & { readonly path: string };
