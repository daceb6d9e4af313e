import type { Measured } from "./measure-plan.ts";

const HEADER = ["example", "valid draft", "steps", "replans", "calls", "tokens", "seconds", "verdict"];

/** A line for each example, and a total. */
export function showTable(measured: readonly Measured[]): string {
  const rows = measured.map((one) => [
    one.example,
    one.validFirstDraft === null ? "-" : one.validFirstDraft ? "yes" : "no",
    ...[one.steps, one.replans, one.calls, one.tokens].map(String),
    one.seconds.toFixed(2),
    verdictOf(one),
  ]);
  const lines = [HEADER, ...rows, totals(measured)];
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function totals(measured: readonly Measured[]): string[] {
  const sum = (valueOf: (one: Measured) => number): number =>
    measured.reduce((total, one) => total + valueOf(one), 0);
  const drafted = measured.filter(({ validFirstDraft }) => validFirstDraft !== null);
  return [
    "all",
    `${drafted.filter(({ validFirstDraft }) => validFirstDraft).length}/${drafted.length}`,
    ...[sum(({ steps }) => steps), sum(({ replans }) => replans), sum(({ calls }) => calls)].map(String),
    String(sum(({ tokens }) => tokens)),
    sum(({ seconds }) => seconds).toFixed(2),
    `${measured.filter(({ asExpected }) => asExpected).length}/${measured.length} as expected`,
  ];
}

/** For a plan that was expected to fail or did not end as expected: the expected status too. */
function verdictOf({ verdict, expected, asExpected }: Measured): string {
  if (asExpected) return expected === "succeeded" ? verdict : `${verdict}, as expected`;
  return `${verdict}, expected: ${expected}`;
}
