/** Usage examples, shown below the help of each command. */
import { COMMAND } from "./command-context.ts";

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ["start", "start --port 9000 --data /var/lib/planwright --executors 4"],
  credentials: ["credentials worker --pool shop"],
  provision: ["provision", "provision --pool default,shop"],
  backup: ["backup /var/backups/planwright/2026-01-01"],
  restore: ["restore /var/backups/planwright/2026-01-01 --data /var/lib/planwright"],
  submit: [
    'submit --watch "Which region grew fastest in Q4?"',
    'submit --data sales --usd 0.50 --approve-plan "Which region grew fastest in Q4?"',
    'submit --plan plan.json "Order the best seller again"',
    "submit --template quarter --set quarter=Q1 --watch",
  ],
  watch: ["watch ID", "watch ID --json | jq .event.type"],
  list: [
    "list --status awaiting-approval",
    "list --search pricing --limit 5",
    "list --status failed --json planId,goal,endedAt",
  ],
  show: ["show ID", "show Ka-eDYid", "show ID --json answer | jq -r .answer.text"],
  step: ["step ID fetch", "step ID fetch --json output,attempts"],
  logs: ["logs ID", "logs --follow ID", "logs ID --step fetch --json | jq .event.type"],
  open: ["open", "open ID", "open ID fetch --print"],
  diff: ["diff ID ID", "diff ID ID --json counts,figures"],
  template: [
    "template list",
    "template save ID quarter --parameter quarter=Q4",
    "template show quarter",
    "submit --template quarter --set quarter=Q1",
    "template delete quarter",
  ],
  "template save": ["template save ID quarter --parameter quarter=Q4 --parameter region=North"],
  approve: ["approve ID", 'approve ID risk-order-0 --edits \'{"pieces": 120}\' --reason "enough"'],
  reject: ['reject ID --reason "too expensive"'],
  answer: ["answer ID APPROVAL yes, the blue one"],
  pause: ['pause ID --reason "wait for the new prices"'],
  resume: ["resume ID"],
  cancel: ["cancel ID"],
  delete: ["delete ID", "delete --yes ID ID"],
  rerun: [
    "rerun --watch ID",
    'rerun ID --goal "Which region grew fastest in Q3?"',
    "rerun ID --edits @edits.json",
  ],
  fork: ["fork --watch ID STEP --edits @arguments.json"],
  check: ["check plan.json", "check - < plan.json"],
  metrics: ["metrics --from 2026-01-01"],
  keys: ["keys", "keys create ci --role submitter --expires 90d", "keys revoke 1f2e3d4c5b6a"],
  audit: ["audit > audit.ndjson", "audit --verify", "audit --verify --file audit.ndjson"],
  "dead-letters": ["dead-letters", "dead-letters --retry all", "dead-letters --discard GROUP"],
  seed: ["seed", "seed --force"],
};

/** Returns the text below the help of a command; empty when it has no examples. @param name - `list`, or `keys create`. */
export function examplesOf(name: string): string {
  const lines = (EXAMPLES[name] ?? []).map((line) => `\n  ${COMMAND} ${line}`);
  return lines.length === 0 ? "" : `\nExamples:${lines.join("")}`;
}
