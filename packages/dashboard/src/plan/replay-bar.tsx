import { useEffect, useId, useState } from "react";
import { Icon } from "../ui/icons.tsx";

/** Of one fact, while it plays. */
const FACT_MS = 500;

type Props = {
  /** The number of the last fact that is shown. */
  readonly seq: number;
  /** Of the last fact that there is. */
  readonly last: number;
  readonly onSeq: (seq: number) => void;
  readonly onLeave: () => void;
};

/** Goes through a plan's log: what is shown is the plan as it was after that fact. */
export function ReplayBar({ seq, last, onSeq, onLeave }: Props) {
  const id = useId();
  const [playing, setPlaying] = useState(false);
  const atEnd = seq >= last;
  useEffect(() => {
    if (!playing || atEnd) return;
    const timer = setTimeout(() => onSeq(seq + 1), FACT_MS);
    return () => clearTimeout(timer);
  }, [playing, atEnd, seq]);
  return (
    <section className="replay card" aria-label="Replay">
      <button
        type="button"
        className="icon-button"
        aria-label={playing && !atEnd ? "Stop" : "Play"}
        onClick={() => {
          if (atEnd) onSeq(1);
          setPlaying(atEnd || !playing);
        }}
      >
        <Icon name={playing && !atEnd ? "paused" : "chevron"} />
      </button>
      <label className="visually-hidden" htmlFor={id}>
        Fact of the log
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={last}
        value={seq}
        aria-valuetext={`after fact ${seq} of ${last}`}
        onChange={(event) => {
          setPlaying(false);
          onSeq(event.target.valueAsNumber);
        }}
      />
      <output htmlFor={id}>
        {seq} of {last}
      </output>
      <button type="button" className="button" onClick={onLeave}>
        Back to now
      </button>
    </section>
  );
}
