/** The button for notifications. While they are on, it also starts the notifier. */
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { useCaller } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { IconButton } from "../ui/button.tsx";
import { browserMemory } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";
import { rememberedChoice, showNotification, stateOf } from "./browser-notifications.ts";
import { NOTIFICATIONS } from "./notify-words.ts";

const NotifyDialog = lazy(async () => ({ default: (await import("./notify-dialog.tsx")).NotifyDialog }));

export function Notifications() {
  const choice = useMemo(() => rememberedChoice(browserMemory(() => localStorage)), []);
  const chosen = useStore(choice);
  const [isOpen, setIsOpen] = useState(false);
  const isOn = stateOf(chosen) === "on";
  useNotifier(isOn);
  const open = () => setIsOpen(true);
  useKeys([{ label: `${NOTIFICATIONS.title}…`, group: "everywhere", run: open }]);
  const name = `${NOTIFICATIONS.title}: ${isOn ? "on" : "off"}`;
  return (
    <>
      <IconButton
        icon={isOn ? "bell" : "bell-off"}
        label={name}
        aria-haspopup="dialog"
        title={name}
        onClick={open}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <NotifyDialog choice={choice} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Shows notifications while they are on. Its modules load only then. */
function useNotifier(isOn: boolean): void {
  const { gateway, live } = useServices();
  const caller = useCaller();
  useEffect(() => {
    if (!isOn || caller === undefined) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const start = async (): Promise<void> => {
      const [{ startNotifier }, { oneTab }] = await Promise.all([
        import("./start-notifier.ts"),
        import("./one-tab.ts"),
      ]);
      if (isOver) return;
      const user = caller.identity ?? caller.tenant;
      const tab = oneTab(user, { locks: navigator.locks, page: document });
      const stopNotifier = startNotifier({
        gateway,
        live,
        caller,
        oneTab: tab,
        show: showNotification,
        now: Date.now,
      });
      stop = () => {
        stopNotifier();
        tab.stop();
      };
    };
    void start();
    return () => {
      isOver = true;
      stop?.();
    };
  }, [isOn, caller, gateway, live]);
}
