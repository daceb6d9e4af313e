import { useId } from "react";
import type { Metrics } from "../api/api-types.ts";
import { PlannedBySelect } from "../plans/planned-by-select.tsx";
import { setSearchFields } from "../router/use-route.ts";
import { Select } from "../ui/select.tsx";
import { Button } from "../ui/button.tsx";
import { PAGE, PERIOD_NAMES, RANGE_NAMES } from "./metrics-words.ts";
import { type ChosenMetrics, inputOf, PERIODS, queryOf, RANGES, timeOf } from "./metrics-range.ts";
import styles from "./metrics.module.css";

type Props = {
  readonly chosen: ChosenMetrics;
  /** What is shown: a custom range begins with it. */
  readonly shown: Pick<Metrics, "from" | "to"> | undefined;
  readonly onExport: (() => void) | undefined;
};

/** The time range, its intervals, and the strategy. The address keeps them. */
export function MetricsControls({ chosen, shown, onExport }: Props) {
  const chooseRange = (range: string) =>
    setSearchFields(
      range === "custom"
        ? { range, from: shown?.from, to: shown?.to }
        : { range, from: undefined, to: undefined },
    );
  return (
    <div className={styles.metricsControls}>
      <label>
        {PAGE.range}
        <Select
          value={chosen.range}
          options={[...RANGES.map((range) => [range, RANGE_NAMES[range]] as const), ["custom", PAGE.custom]]}
          onChange={chooseRange}
        />
      </label>
      {chosen.range === "custom" && <CustomRange chosen={chosen} />}
      <label>
        {PAGE.bucket}
        <Select
          value={chosen.period}
          options={[
            ["auto", PAGE.autoBucket],
            ...PERIODS.map((period) => [period, PERIOD_NAMES[period]] as const),
          ]}
          onChange={(period) => setSearchFields({ period: period === "auto" ? undefined : period })}
        />
      </label>
      <PlannedBySelect
        value={chosen.strategy}
        all={PAGE.allStrategies}
        onChange={(strategy) => setSearchFields({ strategy: strategy || undefined })}
      />
      <Button disabled={onExport === undefined} onClick={onExport}>
        {PAGE.exportCsv}
      </Button>
    </div>
  );
}

/** The start and the end, in the reader's time zone. */
function CustomRange({ chosen }: Pick<Props, "chosen">) {
  const fault = useId();
  const isFaulty = queryOf(chosen) === undefined;
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <label key={name}>
          {PAGE[name]}
          <input
            type="datetime-local"
            className="field"
            defaultValue={inputOf(chosen[name])}
            aria-invalid={isFaulty}
            aria-describedby={isFaulty ? fault : undefined}
            onChange={(event) => setSearchFields({ [name]: timeOf(event.target.value) })}
          />
        </label>
      ))}
      {isFaulty && (
        <p id={fault} role="alert">
          {PAGE.customFault}
        </p>
      )}
    </>
  );
}
