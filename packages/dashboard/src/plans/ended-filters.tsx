/** The filters with which metrics lead to the plans behind them: shown one by one, each with a button that removes it. */
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import type { ListFilter } from "./list-filter.ts";
import { ENDED_FILTERS, OUTCOME_NAMES } from "./plans-words.ts";
import styles from "./plans.module.css";

type Field = "endedSince" | "endedBefore" | "outcome" | "tool" | "failedTool" | "subPlans";

const LABEL = ENDED_FILTERS.filtersOfFinishedPlans;
const removeLabel = (name: string) => ENDED_FILTERS.removeFilter(name);

const NAMES: Readonly<Record<Field, (value: string) => string>> = {
  endedSince: (at) => ENDED_FILTERS.finishedSince(timeText(at)),
  endedBefore: (at) => ENDED_FILTERS.finishedBefore(timeText(at)),
  outcome: (outcome) => ENDED_FILTERS.outcome(OUTCOME_NAMES[outcome] ?? outcome),
  tool: (tool) => ENDED_FILTERS.withTool(tool),
  failedTool: (tool) => ENDED_FILTERS.withFailedTool(tool),
  subPlans: () => ENDED_FILTERS.withoutSubPlans,
};
const FIELDS = Object.keys(NAMES) as readonly Field[];

type Props = {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
};

export function EndedFilters({ filter, onChange }: Props) {
  const said = FIELDS.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [{ field, name: NAMES[field](value) }];
  });
  if (said.length === 0) return null;
  return (
    <ul className={styles.endedFilters} aria-label={LABEL}>
      {said.map(({ field, name }) => (
        <li key={field}>
          {name}
          <button
            type="button"
            className="icon-button"
            aria-label={removeLabel(name)}
            onClick={() => onChange({ ...filter, [field]: "" })}
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An address may hold anything. */
function timeText(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : formatDateTime(at);
}
