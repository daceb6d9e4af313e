import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { STEP_EFFECTS } from "./step-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./step.module.css";

type Effect = PlanView["effects"][number];

const LOOKS: Readonly<Record<Effect["status"], { words: string; icon: IconName; tone: string }>> = {
  started: { words: STEP_EFFECTS.running, icon: "running", tone: "run" },
  asked: { words: STEP_EFFECTS.needsApproval, icon: "approval", tone: "warn" },
  done: { words: STEP_EFFECTS.tookEffect, icon: "succeeded", tone: "ok" },
  failed: { words: STEP_EFFECTS.failedNoEffect, icon: "failed", tone: "bad" },
  unknown: { words: STEP_EFFECTS.outcomeUnknown, icon: "alert", tone: "warn" },
};

const SHOWN_MAX = 100;

/** What the step has changed out there: each attempt under the key that its target knows it by. */
export function StepEffects({ effects }: { effects: readonly Effect[] }) {
  return (
    <ul className={styles.effects}>
      {effects.slice(0, SHOWN_MAX).map((effect) => {
        const { words, icon, tone } = LOOKS[effect.status];
        return (
          <li key={`${effect.key} ${effect.attempt}`} className={`tone-${tone}`} data-effect={effect.status}>
            <p className={styles.attemptHead}>
              <Icon name={icon} size={14} />
              <strong>{words}</strong>
              <span>{whatOf(effect)}</span>
            </p>
            <p className={styles.effectKey}>
              <code>{effect.key}</code>
              <CopyButton text={effect.key} label={STEP_EFFECTS.copyEffectKey} />
            </p>
            <p className={styles.attemptMore}>
              <span>
                <code>{effect.tool}</code>, {effect.effect}
              </span>
              <span>{STEP_EFFECTS.reportedBy(effect.by)}</span>
              <time dateTime={effect.at}>{formatDateTime(effect.at)}</time>
            </p>
            {effect.followedUpBy !== undefined && (
              <p className={styles.attemptMore}>
                {STEP_EFFECTS.late}{" "}
                <Link href={`/plans/${effect.followedUpBy}`}>{STEP_EFFECTS.openCompensation}</Link>
              </p>
            )}
          </li>
        );
      })}
      {effects.length > SHOWN_MAX && <li>{COMMON.andMore(effects.length - SHOWN_MAX)}</li>}
    </ul>
  );
}

function whatOf({ undo, item, turn, call, attempt }: Effect): string {
  const parts = [
    undo === true ? STEP_EFFECTS.compensation : undefined,
    item === undefined ? undefined : STEP_EFFECTS.item(item),
    turn === undefined ? undefined : STEP_EFFECTS.turn(turn),
    call === undefined ? undefined : STEP_EFFECTS.call(call),
    STEP_EFFECTS.attempt(attempt),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
