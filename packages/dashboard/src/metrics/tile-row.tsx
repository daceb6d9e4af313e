import type { Figures, Metrics } from "../api/api-types.ts";
import { formatCount } from "../ui/format.ts";
import { TILE_NAMES, TILES } from "./metrics-words.ts";
import { type Change, changeOf, changeText, TILE_KINDS } from "./tiles.ts";
import styles from "./metrics.module.css";

const ARROWS: Readonly<Record<Change["direction"], string>> = { up: "▲", down: "▼", same: "" };

type Props = {
  readonly metrics: Metrics;
  /** What `metrics.previous` is, in words. */
  readonly before: string;
};

/** The main metrics of the range, each with its change against the time before. */
export function TileRow({ metrics: { all, previous }, before }: Props) {
  return (
    <dl className={styles.tiles} aria-label={TILES.label}>
      {TILE_KINDS.map((kind) => (
        <div key={kind.name} className={`${styles.tile} card`}>
          <dt>{kind.name}</dt>
          <dd>
            <span className={styles.tileValue}>{kind.text(kind.of(all))}</span>
            {previous !== undefined && <TileChange change={changeOf(kind, all, previous)} before={before} />}
            {kind.name === TILE_NAMES.cost && <UnknownCost all={all} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TileChange({ change, before }: { readonly change: Change | undefined; readonly before: string }) {
  return (
    <span className={`${styles.tileChange} tone-${change?.tone ?? "idle"}`}>
      {change !== undefined && <span aria-hidden="true">{ARROWS[change.direction]} </span>}
      {changeText(change, before)}
    </span>
  );
}

function UnknownCost({ all: { cost } }: { readonly all: Figures }) {
  if (cost.plansUnknown === 0) return null;
  return (
    <span className={styles.tileChange}>{TILES.plansUnknown(formatCount(cost.plansUnknown, "plan"))}</span>
  );
}
