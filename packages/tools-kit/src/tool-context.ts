/** A tool's inputs besides its arguments: everything that it may access. */

export type ToolContext = {
  readonly planId: string;
  readonly stepId: string;
  /** Position within a step's `forEach`; 0 for a step without one. */
  readonly item: number;
  /** Counted from 1. */
  readonly attempt: number;
  /**
   * The same for all attempts, so that the target can drop a repeated call. A tool that acts several times numbers its calls from
   * 0, which is the default.
   */
  readonly effectKey: (call?: number) => string;
  /** Aborts when the plan is cancelled and at the step's deadline. */
  readonly signal: AbortSignal;
  readonly log: ToolLog;
  /** The executor's model. A tool that calls it declares `modelTokens`. */
  readonly model: ToolModel;
  readonly workspace: Workspace;
  readonly sources: SourceCatalog;
  /** Adds facts to the plan's ledger; more than 50 facts are cut to 50. */
  readonly noteFacts: (facts: readonly FactClaim[]) => void;
  /** Requests a revision of the plan once the step has succeeded. */
  readonly requireReplan: (reason: string) => void;
  /** Records that the output ends early, because a model reached its length limit. */
  readonly noteTruncated: () => void;
  /** Shows a piece of text to current watchers of the plan; losing it loses nothing. */
  readonly progress: (text: string) => void;
  /** The date of the attempt, such as `2026-03-01`: the same however often the attempt is delivered. */
  readonly today?: string;
  /** The output of the last attempt and its review, when a better output is requested. */
  readonly feedback?: {
    readonly output: unknown;
    readonly issues: readonly string[];
    readonly suggestion: string;
  };
};

/** The executor's log; its lines contain the plan and the step. */
export type ToolLog = {
  debug(values: object, message: string): void;
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
};

export type ToolModelRequest = {
  /** The name and version of the prompt, such as `company.summary`; recorded in the span of the call. */
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
   * One model call, retried on transient errors (429, 5xx, lost connections).
   *
   * @throws {TransientError} If these retries are exhausted, or a reply broke off.
   * @throws {PermanentError} If the server refuses the request itself (400, 401, 403, 404).
   * @throws The signal's reason if the caller aborts.
   */
  complete(request: ToolModelRequest): Promise<ToolModelReply>;
};

/** A piece of knowledge that a tool has found. */
export type FactClaim = {
  /** Names the subject: claims with the same key are about the same thing. */
  key: string;
  value: string | number | boolean | null;
  /** From 0 to 1. */
  confidence: number;
  /** Where it was found: a page, a file, a row. */
  source?: string | undefined;
};

/** The files of one plan. Paths are relative and use `/`. */
export type Workspace = {
  /** Replaces an existing file: writing the same bytes again leaves the same state. */
  write(path: string, bytes: Uint8Array, contentType: string): Promise<WrittenFile>;
  /** `undefined` if the file does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The paths of all files, sorted. */
  list(): Promise<readonly string[]>;
  /** The same, with the properties of each file. */
  files(): Promise<readonly WorkspaceFile[]>;
};

export type WorkspaceFile = { readonly path: string; readonly bytes: number; readonly contentType: string };

/** How outputs refer to an artifact. */
export type ArtifactRef = { name: string; contentType: string; bytes: number };

export type WrittenFile = { readonly artifact: ArtifactRef; readonly bytes: number };

/** The data sources that a plan's steps may query. */
export type SourceCatalog = {
  list(): Promise<readonly DataSource[]>;
  /** The local path of a source, a file or a folder; `undefined` if the source does not exist. */
  open(name: string, options: { readonly signal: AbortSignal }): Promise<OpenSource | undefined>;
};

export type DataSource = {
  /** The name of the source in `sql.query`, such as `sales`. */
  readonly name: string;
  /** `csv` is one CSV file or a folder of them, each file a table. */
  readonly kind: "csv" | "sqlite";
  /** Whether plans can change it; then it is on this machine and is not a copy. */
  readonly writable: boolean;
};

export type OpenSource = DataSource & { readonly path: string };
