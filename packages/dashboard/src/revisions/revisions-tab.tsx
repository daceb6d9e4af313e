/** How the plan came to be what it is: each revision with its cause, its reason, who asked for it, and what it changed. */
import "./revisions.css";
import { revisionDiff, whoAsked } from "@planwright/plan/revision-diff";
import type { PlanView, StepView } from "../api/api-types.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { Folded } from "../values/folded.tsx";
import { FieldChanges } from "./field-changes.tsx";
import { askerWords, causeWords } from "./revision-words.ts";

type Revision = PlanView["revisions"][number];
type Select = TabProps["onSelectStep"];

export function RevisionsTab({ view, onSelectStep }: TabProps) {
  if (view.revisions.length === 0) return <Notice icon="planning" title="The plan was not revised" />;
  return (
    <ol className="revisions" reversed>
      {view.revisions.toReversed().map((revision) => (
        <li key={revision.revision} data-testid="revision">
          <RevisionCard view={view} revision={revision} onSelectStep={onSelectStep} />
        </li>
      ))}
    </ol>
  );
}

type CardProps = { readonly view: PlanView; readonly revision: Revision; readonly onSelectStep: Select };

function RevisionCard({ view, revision, onSelectStep }: CardProps) {
  const { added, removed, changed, kept } = revisionDiff(view, revision);
  const asker = whoAsked(view, revision);
  const { stepId } = asker;
  return (
    <article className="revision" aria-label={`Revision ${revision.revision}`}>
      <header>
        <h3>
          Revision {revision.revision}: {causeWords(revision.cause)}
        </h3>
        <time dateTime={revision.at}>{formatDateTime(revision.at)}</time>
      </header>
      <p className="revision-asked">
        Asked for by {askerWords(asker)}
        {stepId !== undefined && (
          <>
            {" "}
            <StepChip id={stepId} onSelect={onSelectStep} />
          </>
        )}
      </p>
      {revision.reason !== "" && (
        <Folded chars={revision.reason.length}>
          <blockquote className="revision-reason">{revision.reason}</blockquote>
        </Folded>
      )}
      <ul className="revision-diff">
        {changed.map(({ before, after, fields }) => (
          <li key={after.id} className="diff-changed">
            <DiffHead icon="planning" word="Changed" step={after} onSelect={onSelectStep} />
            {before.id !== after.id && (
              <p className="soft">
                takes the place of <StepChip id={before.id} onSelect={onSelectStep} />
              </p>
            )}
            <FieldChanges fields={fields} />
          </li>
        ))}
        {added.map((step) => (
          <li key={step.id} className="diff-added">
            <DiffHead icon="plus" word="Added" step={step} onSelect={onSelectStep} />
          </li>
        ))}
        {removed.map((step) => (
          <li key={step.id} className="diff-removed">
            <DiffHead icon="close" word="Removed" step={step} onSelect={onSelectStep} />
          </li>
        ))}
      </ul>
      {kept.length > 0 && (
        <p className="neighbours">
          <span>Kept</span>
          {kept.slice(0, KEPT_SHOWN).map(({ id }) => (
            <StepChip key={id} id={id} onSelect={onSelectStep} />
          ))}
          {kept.length > KEPT_SHOWN && <span>and {kept.length - KEPT_SHOWN} more</span>}
        </p>
      )}
    </article>
  );
}

const KEPT_SHOWN = 60;

type HeadProps = {
  readonly icon: IconName;
  readonly word: string;
  readonly step: StepView;
  readonly onSelect: Select;
};

function DiffHead({ icon, word, step, onSelect }: HeadProps) {
  return (
    <p className="diff-head">
      <Icon name={icon} size={13} />
      <strong>{word}</strong>
      <StepChip id={step.id} onSelect={onSelect} />
      <span>{step.description}</span>
      <code>{step.tool}</code>
    </p>
  );
}

function StepChip({ id, onSelect }: { id: string; onSelect: Select }) {
  return (
    <button type="button" className="chip" onClick={() => onSelect(id)}>
      {id}
    </button>
  );
}
