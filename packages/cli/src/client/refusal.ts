/** What the gateway, or the way to it, says instead of a reply. */
import { describeError } from "@planwright/shared/errors";
import { z } from "zod";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { jsonOf } from "./json-of.ts";

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
const ISSUES_MAX = 10;

const ProblemBody = z.object({
  title: z.string().default(""),
  detail: z.string().optional(),
  code: z.string().optional(),
  issues: z.array(z.object({ field: z.string().optional(), message: z.string() })).default([]),
});

export function unreachable(base: string, cause: unknown): CliError {
  if (cause instanceof CliError) return cause;
  const why = describeError(cause).replace(/^fetch failed: /, "");
  return new CliError(
    EXIT.unreachable,
    `no gateway answers at ${base} (${why})\nStart one with \`npm start\`, or name another with --url.`,
    { cause },
  );
}

export function refusalOf(status: number, text: string): CliError {
  const problem = ProblemBody.safeParse(jsonOf(text));
  const { title, detail, code, issues } = problem.data ?? { title: "", issues: [] };
  const said = detail ?? (title === "" ? "no reason is given" : title);
  const lines = [`${said} (${code ?? `HTTP ${status}`})`];
  const listed = issues.map(({ field, message }) => `${field ?? ""}: ${message}`);
  // A single one has been said.
  if (listed.join() !== said) lines.push(...listed.slice(0, ISSUES_MAX).map((issue) => `  ${issue}`));
  if (status === 401) lines.push("Give the key with --api-key or PLANWRIGHT_API_KEY.");
  return new CliError(exitCodeOf(status), lines.join("\n"));
}

function exitCodeOf(status: number): ExitCode {
  if (UNAUTHORIZED.has(status)) return EXIT.unauthorized;
  return status >= 500 ? EXIT.failed : EXIT.refused;
}
