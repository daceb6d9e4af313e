import { dependenciesOf } from "@planwright/plan/dependencies";
import type { Approval, PlanView, StepView } from "../api/api-types.ts";
import { formatDateTime, formatPercent } from "../ui/format.ts";
import type { IconName } from "../ui/icons.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { Entries, Entry, Small } from "./step-parts.tsx";
import { DECISION_NAMES, STEP_DECISIONS, STEP_REVIEWS, STEP_TIES } from "./step-words.ts";

const SHOWN_MAX = 40;

type Review = NonNullable<StepView["reviews"]>[number];

const LOOKS: Readonly<Record<Review["verdict"], { words: string; icon: IconName; tone: string }>> = {
  accepted: { words: "accepted", icon: "succeeded", tone: "ok" },
  rejected: { words: "rejected", icon: "failed", tone: "bad" },
  unjudged: { words: STEP_REVIEWS.notReviewed, icon: "alert", tone: "warn" },
};

/** Reviews of the step's outputs, and the steps that verify it. */
export function StepReviews({ reviews }: { reviews: readonly Review[] }) {
  return (
    <Entries label={STEP_REVIEWS.reviews}>
      {reviews.map((review, index) => {
        const { words, ...look } = LOOKS[review.verdict];
        const { score, confidence, issues, suggestion, message } = review;
        return (
          <Entry
            // Reviews are only ever added.
            key={index}
            {...look}
            title={STEP_REVIEWS.attempt(review.attempt)}
            notes={
              <>
                <span>{words}</span>
                {score !== undefined && <span>{STEP_REVIEWS.scored(formatPercent(score))}</span>}
                {confidence !== undefined && (
                  <span>{STEP_REVIEWS.confidence(formatPercent(confidence))}</span>
                )}
              </>
            }
          >
            {issues.length > 0 && (
              <ul className="list-disc pl-4.5">
                {issues.map((issue) => (
                  <li key={issue}>{issue}</li>
                ))}
              </ul>
            )}
            {suggestion !== "" && <p>{STEP_REVIEWS.suggested(suggestion)}</p>}
            {message !== undefined && <p>{message}</p>}
          </Entry>
        );
      })}
    </Entries>
  );
}

type Props = {
  readonly view: Pick<PlanView, "steps">;
  readonly step: StepView;
  readonly onSelectStep: (id: string) => void;
};

/** The steps related to a step, by kind of relation. */
export function StepTies({ view: { steps }, step, onSelectStep }: Props) {
  const known = new Set<string>(steps.map((other) => other.id));
  const idsOf = (which: (other: StepView) => boolean) => steps.filter(which).map((other) => other.id);
  const ties: [string, readonly string[]][] = [
    [STEP_TIES.needs, dependenciesOf(step).filter((id) => known.has(id))],
    [STEP_TIES.neededBy, idsOf((other) => dependenciesOf(other).includes(step.id))],
    [STEP_TIES.verifies, step.verifies === undefined ? [] : [step.verifies]],
    [STEP_TIES.verifiedBy, step.verifiedBy ?? []],
    [STEP_TIES.fallback, step.fallback === undefined ? [] : [step.fallback]],
    [STEP_TIES.fallbackFor, idsOf((other) => other.fallback === step.id)],
    [STEP_TIES.outputFrom, step.replacedBy === undefined ? [] : [step.replacedBy]],
  ];
  return ties.map(([label, ids]) =>
    ids.length === 0 ? null : (
      <p key={label} className="neighbours">
        <span>{label}</span>
        {ids.slice(0, SHOWN_MAX).map((id) => (
          <button key={id} type="button" className="chip" onClick={() => onSelectStep(id)}>
            {id}
          </button>
        ))}
        {ids.length > SHOWN_MAX && <span>{COMMON.andMore(ids.length - SHOWN_MAX)}</span>}
      </p>
    ),
  );
}

/** The approvals and questions of the step, with the decisions. */
export function StepDecisions({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <Entries>
      {approvals.map((approval) => (
        <Entry key={approval.approvalId} tone={toneOf(approval)} icon="approval" title={saidOf(approval)}>
          <p>{approval.question}</p>
          {approval.signedAs !== undefined && <p>{STEP_DECISIONS.signedAs(approval.signedAs)}</p>}
          {approval.reason !== undefined && <p>{STEP_DECISIONS.reason(approval.reason)}</p>}
          {approval.decidedAt !== undefined && (
            <Small>
              <time dateTime={approval.decidedAt}>{formatDateTime(approval.decidedAt)}</time>
              {approval.edits !== undefined && <span>{STEP_DECISIONS.withEditedArguments}</span>}
            </Small>
          )}
        </Entry>
      ))}
    </Entries>
  );
}

function toneOf({ status, decision }: Approval): string {
  if (status === "pending") return "warn";
  return decision === "reject" ? "bad" : status === "decided" ? "ok" : "idle";
}

function saidOf({ status, decision, decidedBy }: Approval): string {
  if (status === "pending") return STEP_DECISIONS.undecided;
  if (status === "withdrawn") return STEP_DECISIONS.noDecisionNeeded;
  if (status === "expired") return STEP_DECISIONS.expiredRejected;
  return `${decision === undefined ? STEP_DECISIONS.decided : DECISION_NAMES[decision]} by ${decidedBy ?? STEP_DECISIONS.aReviewer}`;
}
