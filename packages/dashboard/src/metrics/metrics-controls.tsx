import clsx from "clsx";
import { type ReactNode, useId } from "react";
import type { Metrics, MetricsRange, Period } from "../api/api-types.ts";
import { PLANNED_BY } from "../plans/planned-by-select.tsx";
import { setSearchFields } from "../router/use-route.ts";
import { Select } from "../ui/select.tsx";
import { Button } from "../ui/button.tsx";
import { PAGE, PERIOD_NAMES, RANGE_NAMES } from "./metrics-words.ts";

type Props = {
  readonly chosen: ChosenMetrics;
  /** The shown range, from which a custom range starts. */
  readonly shown: Pick<Metrics, "from" | "to"> | undefined;
  readonly onExport: (() => void) | undefined;
};

/** The time range, its intervals, and the strategy. Kept in the address. */
export function MetricsControls({ chosen, shown, onExport }: Props) {
  const chooseRange = (range: string) =>
    setSearchFields(
      range === "custom"
        ? { range, from: shown?.from, to: shown?.to }
        : { range, from: undefined, to: undefined },
    );
  return (
    <div className="flex flex-wrap items-center gap-x-4.5 gap-y-2.5 max-md:grid max-md:grid-cols-2">
      <Labelled label={PAGE.range}>
        <Select
          className="md:w-auto"
          value={chosen.range}
          options={[...RANGES.map((range) => [range, RANGE_NAMES[range]] as const), ["custom", PAGE.custom]]}
          onChange={chooseRange}
        />
      </Labelled>
      {chosen.range === "custom" && <CustomRange chosen={chosen} />}
      <Labelled label={PAGE.bucket}>
        <Select
          className="md:w-auto"
          value={chosen.period}
          options={[
            ["auto", PAGE.autoBucket],
            ...PERIODS.map((period) => [period, PERIOD_NAMES[period]] as const),
          ]}
          onChange={(period) => setSearchFields({ period: period === "auto" ? undefined : period })}
        />
      </Labelled>
      <Labelled label={PAGE.strategy}>
        <Select
          className="md:w-auto"
          value={chosen.strategy}
          options={[["", PAGE.allStrategies], ...PLANNED_BY]}
          onChange={(strategy) => setSearchFields({ strategy: strategy || undefined })}
        />
      </Labelled>
      <Button className="max-md:self-end" disabled={onExport === undefined} onClick={onExport}>
        {PAGE.exportCsv}
      </Button>
    </div>
  );
}

type LabelledProps = { readonly label: string; readonly isWide?: boolean; readonly children: ReactNode };

/** A field with its label: beside it, on a phone above it. */
function Labelled({ label, isWide = false, children }: LabelledProps) {
  return (
    <label
      className={clsx(
        "flex items-center gap-2 text-soft max-md:flex-col max-md:items-stretch max-md:gap-1",
        isWide && "max-md:col-span-full",
      )}
    >
      {label}
      {children}
    </label>
  );
}

/** The start and the end, in the reader's time zone. */
function CustomRange({ chosen }: Pick<Props, "chosen">) {
  const fault = useId();
  const isFaulty = queryOf(chosen) === undefined;
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <Labelled key={name} label={PAGE[name]} isWide>
          <input
            type="datetime-local"
            className="field md:w-auto"
            defaultValue={inputOf(chosen[name])}
            aria-invalid={isFaulty}
            aria-describedby={isFaulty ? fault : undefined}
            onChange={(event) => setSearchFields({ [name]: timeOf(event.target.value) })}
          />
        </Labelled>
      ))}
      {isFaulty && (
        <p className="text-bad max-md:col-span-full md:basis-full" id={fault} role="alert">
          {PAGE.customFault}
        </p>
      )}
    </>
  );
}

/** Which metrics the page shows, in the address and in the request to the gateway. */
export const RANGES = ["hour", "day", "week", "month"] as const satisfies readonly MetricsRange[];
export const PERIODS = ["minute", "ten-minutes", "hour", "day", "week"] as const satisfies readonly Period[];

const RANGE_DEFAULT: MetricsRange = "week";
const INPUT_CHARS = "2026-01-31T10:00".length;

/** Fields of the address. */
type MetricsFields = Readonly<
  Partial<Record<"range" | "from" | "to" | "period" | "strategy", string | undefined>>
>;

export type ChosenMetrics = {
  /** `custom`: from `from` to `to`, which are ISO times, or undefined while unknown. */
  readonly range: MetricsRange | "custom";
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly period: Period | "auto";
  /** Empty for all. */
  readonly strategy: string;
};

export type MetricsQuery = {
  readonly last?: MetricsRange;
  readonly from?: string;
  readonly to?: string;
  readonly period: Period | "auto";
  readonly strategy: string;
};

export function readChosen({ range, from, to, period, strategy }: MetricsFields): ChosenMetrics {
  const known = range === "custom" ? range : RANGES.find((one) => one === range);
  return {
    range: known ?? RANGE_DEFAULT,
    from: known === "custom" ? timeOf(from) : undefined,
    to: known === "custom" ? timeOf(to) : undefined,
    period: PERIODS.find((one) => one === period) ?? "auto",
    strategy: PLANNED_BY.find(([name]) => name === strategy)?.[0] ?? "",
  };
}

/** The request to the gateway. Undefined for a custom range that has no start, or whose start is not before its end. */
export function queryOf({ range, from, to, period, strategy }: ChosenMetrics): MetricsQuery | undefined {
  if (range !== "custom") return { last: range, period, strategy };
  if (from === undefined || (to !== undefined && from >= to)) return undefined;
  return { from, ...(to !== undefined && { to }), period, strategy };
}

/** The value of a date and time field, in the reader's time zone. */
export function inputOf(at: string | undefined): string {
  if (at === undefined) return "";
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, INPUT_CHARS);
}

/** The time in such a field; undefined while it is empty. */
export function timeOf(text: string | undefined): string | undefined {
  const ms = text === undefined || text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
