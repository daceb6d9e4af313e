import { Icon } from "../ui/icons.tsx";
import { JsonView } from "../values/json-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import type { InnerCall } from "./programs-of.ts";
import styles from "./code.module.css";

const ARGS_CHARS_MAX = 120;

const EFFECTS: Readonly<Record<NonNullable<InnerCall["effect"]>["status"], string>> = {
  started: "under way",
  asked: "needs approval",
  done: "done",
  failed: "failed",
  unknown: "outcome unknown",
};

/** The tools that a program called, in the order of its calls. */
export function InnerCalls({ planId, calls }: { planId: string; calls: readonly InnerCall[] }) {
  return (
    <ol className={styles.innerCalls} aria-label="Tool calls">
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
          <code>{tool === "" ? "no tool" : tool}</code>
          <span className={styles.innerCallArgs}>{args.slice(0, ARGS_CHARS_MAX)}</span>
          <span className={`badge badge-plain tone-${failed ? "bad" : taken === undefined ? "run" : "ok"}`}>
            <Icon name={failed ? "failed" : taken === undefined ? "running" : "succeeded"} size={13} />
            {failed ? "Failed" : taken === undefined ? "Running" : "Returned"}
          </span>
          <span className={styles.innerCallEffect}>
            {effect === undefined ? "read-only" : `${effect.effect}: ${EFFECTS[effect.status]}`}
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
              Effect key <code>{effect.key}</code>, attempt {effect.attempt}, by {effect.by}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}
