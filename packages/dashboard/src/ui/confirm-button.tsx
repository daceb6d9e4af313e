import { useState } from "react";
import { useAction } from "../api/use-action.ts";
import { useKeys } from "../keys/use-keys.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Button } from "./button.tsx";

type Props = {
  readonly label: string;
  /** The name of the action where its object is not visible; by default the label. */
  readonly action?: string;
  readonly icon?: IconName;
  /** The label of the button that confirms. */
  readonly className?: string;
  /** The label while the action runs. */
  readonly busyLabel: string;
  /** Asks for confirmation as soon as it is shown. */
  readonly asks?: boolean;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  readonly act: (signal: AbortSignal) => Promise<void>;
  /** Called when the action has finished or failed. */
  readonly onDone?: () => void;
};

const PLACE = "flex flex-none flex-wrap items-center gap-2 text-sm";

/** A button for an irreversible action: it asks for confirmation, and acts on the second click. */
export function ConfirmButton({
  label,
  action = label,
  icon = "cancelled",
  className,
  busyLabel,
  asks = false,
  question,
  yes,
  no,
  act,
  onDone,
}: Props) {
  const { run, busy, error } = useAction(() => onDone?.());
  const [asking, setAsking] = useState(asks);
  useKeys(busy ? [] : [{ label: action, run: () => setAsking(true) }]);
  const confirm = () => {
    setAsking(false);
    void run(act);
  };
  if (asking) {
    return (
      <span className={PLACE} role="group" aria-label={question}>
        <Button kind="danger" autoFocus onClick={confirm}>
          {yes}
        </Button>
        <Button onClick={() => setAsking(false)}>{no}</Button>
      </span>
    );
  }
  return (
    <span className={PLACE}>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <Button className={className} disabled={busy} onClick={() => setAsking(true)}>
        <Icon name={busy ? "running" : icon} spin={busy} size={14} />
        {busy ? busyLabel : label}
      </Button>
    </span>
  );
}
