/** The facts that the plan knows, each with its source, and contradicting values from other sources. */
import { useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import type { TabProps } from "./plan-tabs.tsx";
import { useServices } from "../shell/services.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Button } from "../ui/button.tsx";
import { formatDateTime, formatPercent } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { SaveLink } from "../ui/save-link.tsx";
import { COMMON } from "../ui/ui-words.ts";

/** The texts of the Facts tab. */
const FACTS_TAB = {
  facts: "Facts",
  fact: "Fact",
  value: "Value",
  confidence: "Confidence",
  from: "From",
  openQuestions: "Open questions",
  omitted: (factsLeftOut: string | number) => `${factsLeftOut} omitted (size or budget limit)`,
  allOnOnePage: "All facts on one page (continuity.md)",
  before: "Before",
  contradicted: "Contradicted",
  foundTimes: (claims: string | number) => `found ${claims} times`,
} as const;

type Fact = PlanView["facts"][number];
type Claim = Fact["conflicts"][number];
type Select = TabProps["onSelectStep"];

const ROWS_STEP = 200;

export function FactsTab({ view, onSelectStep }: TabProps) {
  const { gateway } = useServices();
  const [shown, setShown] = useState(ROWS_STEP);
  const { planId, facts, openQuestions, factsLeftOut } = view;
  return (
    <div className="grid grid-cols-1 gap-4 pb-3.5 [&_.table]:min-w-130">
      {facts.length === 0 ? (
        <EmptyState of="facts" />
      ) : (
        <ScrollTable
          label={FACTS_TAB.facts}
          head={[FACTS_TAB.fact, FACTS_TAB.value, { number: FACTS_TAB.confidence }, FACTS_TAB.from]}
        >
          {facts.slice(0, shown).map((fact) => (
            <FactRow key={fact.key} fact={fact} onSelectStep={onSelectStep} />
          ))}
        </ScrollTable>
      )}
      {facts.length > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          {COMMON.showMoreLeft(facts.length - shown)}
        </Button>
      )}
      {openQuestions.length > 0 && (
        <section className="px-3.5">
          <h3 className="mb-1.5 text-sm">{FACTS_TAB.openQuestions}</h3>
          <ul className="grid list-disc gap-1.5 pl-4.5">
            {openQuestions.map(({ question, stepId }) => (
              <li key={question}>
                {question} <SourceButton stepId={stepId} onSelectStep={onSelectStep} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="flex flex-wrap gap-x-4.5 gap-y-1 px-3.5 text-sm">
        {factsLeftOut > 0 && (
          <span className="text-warn">
            <Icon name="alert" size={13} /> {FACTS_TAB.omitted(factsLeftOut)}
          </span>
        )}
        <SaveLink
          href={gateway.continuityUrl(planId)}
          name={`${planId}-continuity.md`}
          load={(signal) => gateway.continuity(planId, signal)}
        >
          {FACTS_TAB.allOnOnePage}
        </SaveLink>
      </p>
    </div>
  );
}

function FactRow({ fact, onSelectStep }: { fact: Fact; onSelectStep: Select }) {
  const { key, value, confidence, claims, conflicts, at } = fact;
  return (
    <tr data-testid="fact">
      <th className="min-w-24 bg-transparent text-sm whitespace-normal text-ink" scope="row">
        {key}
      </th>
      <td>
        <span className="font-semibold wrap-anywhere">{String(value)}</span>
        {conflicts.map((claim) => (
          <p
            key={`${claim.stepId} ${claim.item} ${claim.at}`}
            className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-sm text-soft"
          >
            <Icon className="flex-none" name={claim.at < at ? "clock" : "alert"} size={13} />
            <span>
              {claim.at < at ? FACTS_TAB.before : FACTS_TAB.contradicted}: {String(claim.value)} (
              {formatPercent(claim.confidence)}){" "}
            </span>
            <Source claim={claim} onSelectStep={onSelectStep} />
          </p>
        ))}
      </td>
      <td className="number">{formatPercent(confidence)}</td>
      <td>
        <Source claim={fact} onSelectStep={onSelectStep} />
        {claims > 1 && <span className="soft"> {FACTS_TAB.foundTimes(claims)}</span>}
      </td>
    </tr>
  );
}

function Source({ claim, onSelectStep }: { claim: Claim; onSelectStep: Select }) {
  const { stepId, item, source, artifact, at } = claim;
  const where = [item > 0 ? `item ${item}` : undefined, source, artifact].filter(
    (part) => part !== undefined,
  );
  return (
    <>
      <SourceButton stepId={stepId} onSelectStep={onSelectStep} />
      {where.length > 0 && (
        <span className="soft" title={formatDateTime(at)}>
          {" "}
          {where.join(", ")}
        </span>
      )}
    </>
  );
}

function SourceButton({ stepId, onSelectStep }: { stepId: string; onSelectStep: Select }) {
  return (
    <button type="button" className="chip" onClick={() => onSelectStep(stepId)}>
      {stepId}
    </button>
  );
}
