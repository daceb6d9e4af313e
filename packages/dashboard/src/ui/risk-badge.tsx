import type { ToolSpec } from "../api/api-types.ts";
import { RISK_BADGE } from "./ui-words.ts";

type Risk = ToolSpec["risk"];

const TONES: Readonly<Record<Risk, string>> = { low: "ok", medium: "warn", high: "bad" };

export function RiskBadge({ risk }: { risk: Risk }) {
  return <span className={`badge tone-${TONES[risk]}`}>{RISK_BADGE.risk(risk)}</span>;
}
