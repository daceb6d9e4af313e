import { Icon } from "../ui/icons.tsx";
import { serviceColour } from "./service-colour.ts";
import type { RowFilter } from "./visible-rows.ts";
import { TRACE_FILTER } from "./trace-words.ts";
import styles from "./trace.module.css";

type Props = {
  readonly filter: RowFilter;
  readonly services: readonly string[];
  readonly failed: number;
  readonly onFilter: (filter: RowFilter) => void;
};

/** What to look for among the spans; the services are the legend of the colours too. */
export function TraceFilter({ filter, services, failed, onFilter }: Props) {
  return (
    <div className={styles.traceFilter} role="search" aria-label={TRACE_FILTER.spans}>
      <input
        type="search"
        className="field"
        aria-label={TRACE_FILTER.searchSpans}
        placeholder={TRACE_FILTER.placeholder}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <button
        type="button"
        className="chip"
        aria-pressed={filter.errorsOnly}
        disabled={failed === 0 && !filter.errorsOnly}
        onClick={() => onFilter({ ...filter, errorsOnly: !filter.errorsOnly })}
      >
        <Icon name="failed" size={13} /> {TRACE_FILTER.failed(failed)}
      </button>
      {services.map((service) => (
        <button
          key={service}
          type="button"
          className={`chip ${styles.traceService}`}
          data-colour={serviceColour(service)}
          aria-pressed={filter.service === service}
          onClick={() => onFilter({ ...filter, service: filter.service === service ? undefined : service })}
        >
          {service}
        </button>
      ))}
    </div>
  );
}
