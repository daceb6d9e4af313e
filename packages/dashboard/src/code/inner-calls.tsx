import { Icon } from "../ui/icons.tsx";
import { JsonView } from "../values/json-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import type { InnerCall } from "./programs-of.ts";
import { INNER_CALLS, EFFECTS } from "./code-words.ts";
import styles from "./code.module.css";

const ARGS_CHARS_MAX = 120;

/** The tools that a program called, in the order of its calls. */
export function InnerCalls({ planId, calls }: { planId: string; calls: readonly InnerCall[] }) {
  return (
    <ol className={styles.innerCalls} aria-label={INNER_CALLS.toolCalls}>
      {calls.map((call) => (
        <Call key={call.turn} planId={planId} call={call} />
      ))}
    </ol>
  );
}

function Call({ planId, call: { turn, tool, taken, effect } }: { planId: string; call: InnerCall }) {
  const args = taken?.args === undefined ? "" : JSON.stringify(taken.args);
  const failed = taken?.error !== undefined;
  return (
    <li>
      <details>
        <summary>
          <span className={styles.innerCallTurn}>{turn}</span>
          <code>{tool === "" ? INNER_CALLS.noTool : tool}</code>
          <span className={styles.innerCallArgs}>{args.slice(0, ARGS_CHARS_MAX)}</span>
          <span className={`badge badge-plain tone-${failed ? "bad" : taken === undefined ? "run" : "ok"}`}>
            <Icon name={failed ? "failed" : taken === undefined ? "running" : "succeeded"} size={13} />
            {failed ? INNER_CALLS.failed : taken === undefined ? INNER_CALLS.running : INNER_CALLS.returned}
          </span>
          <span className={styles.innerCallEffect}>
            {effect === undefined ? INNER_CALLS.readOnly : `${effect.effect}: ${EFFECTS[effect.status]}`}
          </span>
        </summary>
        <div className={styles.innerCallBody}>
          {taken?.args !== undefined && <JsonView value={taken.args} />}
          {taken?.error !== undefined && (
            <p>
              {taken.error.message} <code>{taken.error.code}</code>
            </p>
          )}
          {taken?.output !== undefined &&
            ("value" in taken.output ? (
              <ValueView value={taken.output.value} planId={planId} />
            ) : (
              <pre className="text-block">{taken.output.preview}</pre>
            ))}
          {effect !== undefined && (
            <p className="soft">
              {INNER_CALLS.effectKey} <code>{effect.key}</code>
              {INNER_CALLS.attemptBy(effect.attempt, effect.by)}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}
