import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { type Store, useStore } from "../ui/create-store.ts";
import { Icon } from "../ui/icons.tsx";
import { requestNotifications, stateOf } from "./browser-notifications.ts";
import { NOTIFICATIONS } from "./notify-words.ts";

type Props = { readonly choice: Store<"off" | "on">; readonly onClose: () => void };

/** Explains notifications, and turns them on and off. Only its button asks for the browser's permission. */
export function NotifyDialog({ choice, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useStore(choice);
  const [refused, setRefused] = useState<"blocked" | "unsupported">();
  const state = refused ?? stateOf(chosen);
  useEffect(() => dialog.current?.showModal(), []);
  const turnOn = async (): Promise<void> => {
    const answered = await requestNotifications();
    if (answered === "on") choice.set("on");
    else if (answered !== "off") setRefused(answered);
  };
  return (
    <dialog
      ref={dialog}
      className="dialog w-[min(460px,calc(100vw-24px))] justify-items-start gap-3 open:grid"
      aria-labelledby="notify-title"
      onClose={onClose}
    >
      <div className="flex items-center justify-between justify-self-stretch">
        <h2 id="notify-title" className="text-lg">
          {NOTIFICATIONS.title}
        </h2>
        <IconButton icon="close" label={NOTIFICATIONS.close} onClick={() => dialog.current?.close()} />
      </div>
      <p className="text-soft">{NOTIFICATIONS.about}</p>
      <p className="text-soft">{NOTIFICATIONS.memory}</p>
      <p role="status" className="font-semibold empty:hidden">
        {state === "on" && NOTIFICATIONS.isOn}
        {state === "blocked" && NOTIFICATIONS.blocked}
        {state === "unsupported" && NOTIFICATIONS.unsupported}
      </p>
      {state === "on" && <Button onClick={() => choice.set("off")}>{NOTIFICATIONS.turnOff}</Button>}
      {state === "off" && (
        <Button kind="primary" onClick={() => void turnOn()}>
          <Icon name="bell" size={15} />
          {NOTIFICATIONS.turnOn}
        </Button>
      )}
    </dialog>
  );
}
