import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDateTime } from "../ui/format.ts";
import type { IconName } from "../ui/icons.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { Entries, Entry, Small } from "./step-parts.tsx";
import { STEP_EFFECTS } from "./step-words.ts";

type Effect = PlanView["effects"][number];

const LOOKS: Readonly<Record<Effect["status"], { title: string; icon: IconName; tone: string }>> = {
  started: { title: STEP_EFFECTS.running, icon: "running", tone: "run" },
  asked: { title: STEP_EFFECTS.needsApproval, icon: "approval", tone: "warn" },
  done: { title: STEP_EFFECTS.tookEffect, icon: "succeeded", tone: "ok" },
  failed: { title: STEP_EFFECTS.failedNoEffect, icon: "failed", tone: "bad" },
  unknown: { title: STEP_EFFECTS.outcomeUnknown, icon: "alert", tone: "warn" },
};

const SHOWN_MAX = 100;

/** The step's effects: each attempt, under the key that its target identifies it by. */
export function StepEffects({ effects }: { effects: readonly Effect[] }) {
  return (
    <Entries>
      {effects.slice(0, SHOWN_MAX).map((effect) => (
        <Entry
          key={`${effect.key} ${effect.attempt}`}
          {...LOOKS[effect.status]}
          notes={<span>{whatOf(effect)}</span>}
        >
          <p className="flex items-center gap-1">
            <code>{effect.key}</code>
            <CopyButton text={effect.key} label={STEP_EFFECTS.copyEffectKey} />
          </p>
          <Small>
            <span>
              <code>{effect.tool}</code>, {effect.effect}
            </span>
            <span>{STEP_EFFECTS.reportedBy(effect.by)}</span>
            <time dateTime={effect.at}>{formatDateTime(effect.at)}</time>
          </Small>
          {effect.followedUpBy !== undefined && (
            <Small>
              {STEP_EFFECTS.late}{" "}
              <Link href={`/plans/${effect.followedUpBy}`}>{STEP_EFFECTS.openCompensation}</Link>
            </Small>
          )}
        </Entry>
      ))}
      {effects.length > SHOWN_MAX && <li className="soft">{COMMON.andMore(effects.length - SHOWN_MAX)}</li>}
    </Entries>
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
