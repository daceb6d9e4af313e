import { rolesWith } from "@planwright/plan";
import type { Redaction } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";

/** Logs which rules are in force, and which of them hide values from every role that may approve. */
export function warnOfRules({ isActive, rules }: Redaction, log: Logger): void {
  if (!isActive) return;
  log.info({ rules: rules.map(({ name }) => name) }, "redaction rules active");
  const approving = rolesWith("decide");
  const unseen = rules.filter(({ shownTo }) => !approving.some((role) => shownTo.includes(role)));
  if (unseen.length === 0) return;
  log.warn(
    { rules: unseen.map(({ name }) => name), shownTo: approving },
    "these rules hide values from every role that may approve: approvals that show such a value can only be rejected; add one of these roles to shownTo",
  );
}
