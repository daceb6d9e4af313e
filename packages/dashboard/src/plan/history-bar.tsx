import { useEffect, useId, useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { HISTORY_BAR } from "./plan-words.ts";
import styles from "./plan-page.module.css";

/** How long each event is shown while the history plays. */
const EVENT_MS = 500;

type Props = {
  /** The number of the last event that is shown. */
  readonly seq: number;
  /** The number of the plan's last event. */
  readonly last: number;
  readonly onSeq: (seq: number) => void;
  readonly onLeave: () => void;
};

/** Steps through a plan's log: the page shows the plan as it was after the chosen event. */
export function HistoryBar({ seq, last, onSeq, onLeave }: Props) {
  const id = useId();
  const [playing, setPlaying] = useState(false);
  const atEnd = seq >= last;
  useEffect(() => {
    if (!playing || atEnd) return;
    const timer = setTimeout(() => onSeq(seq + 1), EVENT_MS);
    return () => clearTimeout(timer);
  }, [playing, atEnd, seq]);
  return (
    <section className={`${styles.history} card`} aria-label={HISTORY_BAR.history}>
      <IconButton
        icon={playing && !atEnd ? "paused" : "chevron"}
        label={playing && !atEnd ? HISTORY_BAR.stop : HISTORY_BAR.play}
        onClick={() => {
          if (atEnd) onSeq(1);
          setPlaying(atEnd || !playing);
        }}
      />
      <label className="visually-hidden" htmlFor={id}>
        {HISTORY_BAR.event}
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={last}
        value={seq}
        aria-valuetext={HISTORY_BAR.position(seq, last)}
        onChange={(event) => {
          setPlaying(false);
          onSeq(event.target.valueAsNumber);
        }}
      />
      <output htmlFor={id}>{HISTORY_BAR.of(seq, last)}</output>
      <Button onClick={onLeave}>{HISTORY_BAR.backToLive}</Button>
    </section>
  );
}
