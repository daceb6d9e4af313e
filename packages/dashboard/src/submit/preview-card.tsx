/** The plan that would run, before anything runs. */
import type { GoalRequest, Preview, ToolSpec } from "../api/api-types.ts";
import { strategyName } from "@planwright/plan/strategy-name";
import { useServices } from "../shell/services.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { gatesOf } from "./gates-of.ts";
import { runningWords } from "./running-words.ts";
import { PREVIEW_CARD } from "./submit-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./preview-card.module.css";

const STEPS_SHOWN = 50;

type Props = {
  readonly preview: Preview;
  readonly request: GoalRequest;
  readonly busy: boolean;
  readonly onRun: () => void;
};

export function PreviewCard({ preview, request, busy, onRun }: Props) {
  const { gateway } = useServices();
  const loaded = useLoaded("tools", 0, gateway.tools);
  const tools = new Map(loaded.phase === "ready" ? loaded.value.tools.map((tool) => [tool.name, tool]) : []);
  const { steps, criticalPath, modelCalls, usage, running, strategy, strategyReason, reasoning } = preview;
  const waiting = gatesOf(steps, { tools, approval: request.approval ?? {} });
  const critical = new Set(criticalPath.stepIds);
  return (
    <section className={`card ${styles.preview}`} aria-label={PREVIEW_CARD.planPreview}>
      <header>
        <h2>{PREVIEW_CARD.title(formatCount(steps.length, "step"))}</h2>
        <Button kind="primary" disabled={busy} onClick={onRun}>
          <Icon name={busy ? "running" : "send"} spin={busy} />
          {PREVIEW_CARD.runThisPlan}
        </Button>
      </header>
      <p className={styles.previewFacts}>
        {running !== undefined && <span>{runningWords(running)}</span>}
        {criticalPath.durationMs === null && (
          <span>{PREVIEW_CARD.longestChain(formatCount(criticalPath.stepIds.length, "step"))}</span>
        )}
        <span>{PREVIEW_CARD.atLeast(formatCount(modelCalls, "model call"))}</span>
        {usage !== undefined && <span>{draftedFor(usage)}</span>}
        <span>
          {strategyName(strategy)}
          {strategyReason !== undefined && `: ${strategyReason}`}
        </span>
      </p>
      {reasoning !== undefined && <p className={styles.previewReasoning}>{reasoning}</p>}
      <Risks steps={waiting} />
      <ol>
        {steps.slice(0, STEPS_SHOWN).map(({ id, tool, description, dependsOn }) => (
          <li key={id}>
            <span>
              <code>{id}</code> {description ?? ""}
            </span>
            <span className={styles.previewTool}>
              <code>{tool}</code>
              <StepRisk tool={tools.get(tool)} />
              {waiting.includes(id) && <span className="badge tone-warn">{PREVIEW_CARD.needsApproval}</span>}
              {critical.has(id) && <span>{PREVIEW_CARD.onTheCriticalPath}</span>}
              {dependsOn.length > 0 && <span>{PREVIEW_CARD.after(dependsOn.join(", "))}</span>}
            </span>
          </li>
        ))}
      </ol>
      {steps.length > STEPS_SHOWN && <p>{COMMON.andMore(formatCount(steps.length - STEPS_SHOWN, "step"))}</p>}
    </section>
  );
}

function StepRisk({ tool }: { tool: ToolSpec | undefined }) {
  return tool === undefined || tool.risk === "low" ? null : <RiskBadge risk={tool.risk} />;
}

function Risks({ steps }: { steps: readonly string[] }) {
  if (steps.length === 0) return <p className={styles.previewFacts}>{PREVIEW_CARD.noApprovalsNeeded}</p>;
  return (
    <p className={styles.previewRisk}>
      <Icon name="approval" size={15} />{" "}
      {PREVIEW_CARD.needApproval(formatCount(steps.length, "step"), steps.join(", "))}
    </p>
  );
}

function draftedFor({ inputTokens, outputTokens, costUsd }: NonNullable<Preview["usage"]>): string {
  const cost = costUsd === null ? "" : `, ${formatUsd(costUsd)}`;
  return PREVIEW_CARD.draftingTook(formatCount(inputTokens + outputTokens, "token"), cost);
}
