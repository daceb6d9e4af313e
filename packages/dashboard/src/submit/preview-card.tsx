/** A preview of the plan, before anything runs. */
import type { GoalRequest, Preview, ToolSpec, RunEstimate } from "../api/api-types.ts";
import { strategyName } from "@planwright/plan/strategy-name";
import { useServices } from "../shell/services.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { PREVIEW_CARD } from "./submit-words.ts";
import { COMMON } from "../ui/ui-words.ts";

const STEPS_SHOWN = 50;
const FACTS = "flex flex-wrap items-center gap-x-3.5 gap-y-0.5 text-sm text-soft";

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
    <section className="card grid grid-cols-1 gap-2.5 px-4.5 py-4" aria-label={PREVIEW_CARD.planPreview}>
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base">{PREVIEW_CARD.title(formatCount(steps.length, "step"))}</h2>
        <Button kind="primary" disabled={busy} onClick={onRun}>
          <Icon name={busy ? "running" : "send"} spin={busy} />
          {PREVIEW_CARD.runThisPlan}
        </Button>
      </header>
      <p className={FACTS}>
        {running !== undefined && <span>{runningWords(running)}</span>}
        {criticalPath.durationMs === null && (
          <span>{PREVIEW_CARD.longestChain(formatCount(criticalPath.stepIds.length, "step"))}</span>
        )}
        {modelCalls > 0 && <span>{PREVIEW_CARD.atLeast(formatCount(modelCalls, "model call"))}</span>}
        {usage !== undefined && <span>{draftedFor(usage)}</span>}
        <span>
          {strategyName(strategy)}
          {strategyReason !== undefined && `: ${strategyReason}`}
        </span>
      </p>
      {reasoning !== undefined && <p className="text-sm text-soft">{reasoning}</p>}
      <Risks steps={waiting} />
      <ol className="grid gap-0.5">
        {steps.slice(0, STEPS_SHOWN).map(({ id, tool, description, dependsOn }) => (
          <li key={id} className="grid gap-0.5 border-t border-line py-2">
            <span>
              <code>{id}</code> {description ?? ""}
            </span>
            <span className={FACTS}>
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
  if (steps.length === 0) return <p className={FACTS}>{PREVIEW_CARD.noApprovalsNeeded}</p>;
  return (
    <p className="flex items-center gap-2 text-sm text-warn">
      <Icon name="approval" size={15} />{" "}
      {PREVIEW_CARD.needApproval(formatCount(steps.length, "step"), steps.join(", "))}
    </p>
  );
}

function draftedFor({ inputTokens, outputTokens, costUsd }: NonNullable<Preview["usage"]>): string {
  const cost = costUsd === null ? "" : `, ${formatUsd(costUsd)}`;
  return PREVIEW_CARD.draftingTook(formatCount(inputTokens + outputTokens, "token"), cost);
}

/** Describes the estimated time and cost of a run, their source, and how many steps have no estimate. */
export function runningWords(running: RunEstimate): string {
  const { steps, stepsTimed, stepsPriced, runs, answered } = running;
  const source = runs === 0 ? "" : `, from ${formatCount(runs, "earlier run")}`;
  const unknown = unknownWords({ steps, untimed: steps - stepsTimed, unpriced: steps - stepsPriced });
  const known = knownWords(running);
  const parts = [
    known === undefined ? undefined : `${known}${source}`,
    unknown,
    answered ? undefined : "plus the answer",
  ];
  return `Estimated run: ${parts.filter((part) => part !== undefined).join("; ")}`;
}

function knownWords({ durationMs, costUsd, steps, stepsPriced }: RunEstimate): string | undefined {
  const isFree = costUsd === 0 && stepsPriced === steps;
  const cost = costUsd === null || costUsd === 0 ? undefined : `about ${formatUsd(costUsd)}`;
  const time = durationMs === null ? undefined : `about ${formatDuration(durationMs)}`;
  const known = [time, isFree ? "no model cost" : cost].filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

type Unknown = { readonly steps: number; readonly untimed: number; readonly unpriced: number };

function unknownWords({ steps, untimed, unpriced }: Unknown): string | undefined {
  const of = `of ${formatCount(steps, "step")} unknown`;
  if (untimed === 0 && unpriced === 0) return undefined;
  if (untimed === unpriced) return `time and cost of ${untimed} ${of}`;
  if (untimed === 0) return `cost of ${unpriced} ${of}`;
  if (unpriced === 0) return `time of ${untimed} ${of}`;
  return `time of ${untimed} and cost of ${unpriced} ${of}`;
}

const RISKS: readonly string[] = ["low", "medium", "high"];

export type ApprovalPolicy = NonNullable<GoalRequest["approval"]>;
type Policy = { readonly tools: ReadonlyMap<string, ToolSpec>; readonly approval: ApprovalPolicy };

/** The steps that will need approval, by the risk of their tools; an unknown tool counts as risky. */
export function gatesOf(steps: Preview["steps"], { tools, approval }: Policy): string[] {
  const { risk: from = "high" } = approval;
  if (from === "never") return [];
  const waits = (tool: string) => RISKS.indexOf(tools.get(tool)?.risk ?? "high") >= RISKS.indexOf(from);
  return steps.filter(({ tool }) => waits(tool)).map(({ id }) => id);
}
