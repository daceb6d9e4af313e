/** A refusal of the gateway (problem+json), or a gateway that did not answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Stable, for programs; `unreachable` when there was no answer. */
  readonly code: string;
  /** What exactly is wrong, one line each, when the gateway says so. */
  readonly issues: readonly string[];

  constructor(
    message: string,
    details: { status: number; code: string; issues?: readonly string[] },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = details.status;
    this.code = details.code;
    this.issues = details.issues ?? [];
  }
}

/** Reads a refusal; a body that is no problem+json still yields a sentence. */
export async function readProblem(response: Response): Promise<ApiError> {
  const fallback = `The gateway answered ${response.status} ${response.statusText}`.trim();
  const body: unknown = await response.json().catch(() => undefined);
  const problem = asRecord(body);
  const title = text(problem["title"]);
  const message = text(problem["detail"]) ?? text(problem["message"]) ?? title ?? fallback;
  const code = text(problem["code"]) ?? `http-${response.status}`;
  return new ApiError(message, { status: response.status, code, issues: readIssues(body) });
}

const ISSUES_MAX = 20;

/** The first faults that an answer lists, a line each: the step, the field and what is wrong. */
export function readIssues(body: unknown): string[] {
  const problem = asRecord(body);
  const issues = problem["issues"] ?? problem["errors"];
  if (!Array.isArray(issues)) return [];
  const lines = issues.slice(0, ISSUES_MAX).map((entry: unknown) => {
    const issue = asRecord(entry);
    const place = [text(issue["stepId"]), text(issue["field"])].filter(Boolean).join(" · ");
    const message = text(issue["message"]) ?? String(entry);
    return place === "" ? message : `${place}: ${message}`;
  });
  // Said twice, a fault is one line.
  return [...new Set(lines)];
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // An object of unknown fields; each is checked where it is read.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
