import { AuditLine, type AuditReport, verifyAudit } from "@planwright/plan/audit";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { amount } from "../option-values.ts";
import { readText } from "../plans/read-document.ts";

const Options = z.object({
  after: z.number().optional(),
  verify: z.boolean().default(false),
  file: z.string().optional(),
});
const FAULTS_SHOWN = 10;

/** `planwright audit`: exports the audit log of the tenant, or verifies it. */
export function auditCommand(context: CommandContext): Command {
  return new Command("audit")
    .description("Export your tenant's audit log as NDJSON, or verify it (requires an admin key)")
    .option("--after <number>", "Only entries after this number", amount)
    .option("--verify", "Check that no entry was changed or removed, and print the last one")
    .option("--file <file>", "Read an exported log instead of the gateway's (- reads stdin)")
    .action(async (given: unknown, command: Command) => {
      const { after, verify, file } = Options.parse(given);
      const output = outputOf(command, context);
      const text =
        file === undefined
          ? await clientOf(command, context).audit.text({ after })
          : await readText(file, context);
      if (!verify) {
        output.raw(text);
        return;
      }
      const report = verifyAudit(linesOf(text));
      output.result(report, () => output.line(summaryOf(report)));
      if (report.faults.length > 0) throw new CliError(EXIT.failed, faultsText(report));
    });
}

/** @throws {CliError} `usage` for a line that an export cannot contain. */
function linesOf(text: string): AuditLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const parsed = AuditLine.safeParse(jsonOf(line));
      if (parsed.success) return parsed.data;
      throw new CliError(EXIT.usage, `line ${index + 1} is not an audit log entry`);
    });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function summaryOf({ entries, first, last, faults }: AuditReport): string {
  if (last === undefined) return "no entries";
  const state = faults.length === 0 ? "verified" : `${faults.length} faults`;
  return `${entries} entries, ${first} to ${last.number}: ${state}\nlast: ${last.number} ${last.hash}`;
}

function faultsText({ faults }: AuditReport): string {
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ number, fault }) => `entry ${number} ${fault}`);
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  return [...lines, ...more].join("\n");
}
