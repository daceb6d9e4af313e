/** This browser's notifications, and whether the user wants them. */
import { navigate } from "../router/use-route.ts";
import { type Memory, remembered } from "../ui/browser-memory.ts";
import type { Store } from "../ui/create-store.ts";
import { NOTIFICATIONS } from "./notify-words.ts";
import type { Told } from "./start-notifier.ts";

const KEY = "notifications";

type NotificationState = "on" | "off" | "blocked" | "unsupported";

/** The user's choice, in all tabs of this browser. */
export function rememberedChoice(memory: Pick<Memory, "getItem" | "setItem">): Store<"off" | "on"> {
  const choice = remembered(memory, { key: KEY, values: ["off", "on"] });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === `planwright.${KEY}`) choice.set(newValue === "on" ? "on" : "off");
  });
  return choice;
}

export function stateOf(choice: "on" | "off"): NotificationState {
  if (!isSupported()) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return choice === "on" && Notification.permission === "granted" ? "on" : "off";
}

/** Asks the user for permission, and shows the first notification. Some browsers allow pages none: then it is `unsupported`. */
export async function requestNotifications(): Promise<NotificationState> {
  if (!isSupported()) return "unsupported";
  if ((await Notification.requestPermission()) !== "granted") return "blocked";
  const { isOn: title, sample: body } = NOTIFICATIONS;
  return showNotification({ title, body, tag: "planwright notifications", href: location.href })
    ? "on"
    : "unsupported";
}

/** @returns Whether the browser permits notifications. */
export function showNotification({ title, body, tag, href }: Told): boolean {
  try {
    const shown = new Notification(title, { body, tag, icon: "/favicon.svg" });
    shown.addEventListener("click", () => {
      focus();
      navigate(href);
      shown.close();
    });
    return true;
  } catch (refused) {
    // Mobile browsers have the class, but allow its constructor only in a service worker.
    console.info(`no notification: ${String(refused)}`);
    return false;
  }
}

function isSupported(): boolean {
  return "Notification" in globalThis && isSecureContext;
}
