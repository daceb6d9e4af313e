/**
 * The API key. When the gateway answers 401, the page asks this browser's other tabs for it, then the user. The key is kept in
 * each tab's session storage, so it is gone when the last tab is closed.
 *
 * Requests that get a 401 at the same time share one prompt.
 */
import { createStore, type Store } from "../ui/create-store.ts";

/** Tabs answer within a few milliseconds, unless the browser has suspended them. */
const ANSWER_MS_MAX = 250;

const STORAGE_KEY = "planwright.api-key";

type KeyPrompt = {
  readonly open: boolean;
  /** The gateway refused the key that the user just entered. */
  readonly refused: boolean;
};

export type ApiKey = {
  readonly current: () => string | undefined;
  readonly prompt: Store<KeyPrompt>;
  /**
   * Takes the key from another tab.
   *
   * @param used - The key that was refused, if any: only a tab without a key takes one.
   * @returns Whether there is a key that has not been refused.
   */
  readonly borrow: (used: string | undefined) => Promise<boolean>;
  /** Asks the user for a key; resolves when one was entered. @param used - The key that was refused, if any. */
  readonly ask: (used: string | undefined) => Promise<void>;
  readonly enter: (key: string) => void;
  /** Called when the gateway has accepted the key: tabs that are asking the user for one take it. */
  readonly accepted: () => void;
  /** Removes it from all tabs that use it. */
  readonly forget: () => void;
};

type ApiKeyOptions = {
  /** Absent where tabs cannot reach each other. */
  readonly channel?: KeyChannel | undefined;
  /** Called after the user has signed out in another tab. */
  readonly onForgotten?: () => void;
};

/** @param storage - Keeps the key across reloads: the tab's session storage. */
export function createApiKey(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  { channel, onForgotten = () => undefined }: ApiKeyOptions = {},
): ApiKey {
  let key = storage.getItem(STORAGE_KEY) ?? undefined;
  let asked: PromiseWithResolvers<void> | undefined;
  const prompt = createStore<KeyPrompt>({ open: false, refused: false });
  const enter = (entered: string): void => {
    key = entered;
    storage.setItem(STORAGE_KEY, entered);
    prompt.set({ open: false, refused: false });
    asked?.resolve();
    asked = undefined;
  };
  const drop = (): void => {
    key = undefined;
    storage.removeItem(STORAGE_KEY);
  };
  const ask = (used: string | undefined): Promise<void> => {
    // Meanwhile another request brought a newer key.
    if (used !== key) return Promise.resolve();
    asked ??= Promise.withResolvers<void>();
    prompt.set({ open: true, refused: used !== undefined });
    return asked.promise;
  };
  const sharing =
    channel &&
    createKeySharing({
      channel,
      current: () => key,
      onKey: (offered) => {
        if (asked !== undefined && offered !== key) enter(offered);
      },
      onForget: (forgotten) => {
        if (forgotten !== key) return;
        drop();
        onForgotten();
      },
    });
  return {
    current: () => key,
    prompt,
    borrow: async (used) => {
      if (used !== key) return true;
      if (used !== undefined) return false;
      const offered = await sharing?.request();
      if (key === undefined && offered !== undefined) enter(offered);
      return key !== undefined;
    },
    ask,
    enter,
    accepted: () => {
      if (key !== undefined) sharing?.offer(key);
    },
    forget: () => {
      if (key !== undefined) sharing?.forget(key);
      drop();
    },
  };
}

/** Reaches the other tabs of the same origin. */
export type KeyChannel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

type Message =
  | { readonly type: "wanted" }
  /** Sent on request, and when the gateway has accepted the key. */
  | { readonly type: "key"; readonly key: string }
  /** The user has signed out. */
  | { readonly type: "forget"; readonly key: string };

type KeySharing = {
  /** Asks the other tabs. @returns Undefined when none answers in time. */
  readonly request: () => Promise<string | undefined>;
  readonly offer: (key: string) => void;
  readonly forget: (key: string) => void;
};

type KeySharingDeps = {
  readonly channel: KeyChannel;
  /** The key of this tab. */
  readonly current: () => string | undefined;
  /** Called when another tab offers a key. */
  readonly onKey: (key: string) => void;
  /** Called when the user has signed out in another tab. */
  readonly onForget: (key: string) => void;
};

/** Passes the API key between this browser's tabs, so that a link opened in a new tab does not ask for it again. */
function createKeySharing({ channel, current, onKey, onForget }: KeySharingDeps): KeySharing {
  const send = (message: Message): void => channel.postMessage(message);
  let requested: PromiseWithResolvers<string | undefined> | undefined;
  channel.addEventListener("message", ({ data }) => {
    const message = readMessage(data);
    switch (message?.type) {
      case "wanted": {
        const key = current();
        if (key !== undefined) send({ type: "key", key });
        return;
      }
      case "key":
        requested?.resolve(message.key);
        return onKey(message.key);
      case "forget":
        return onForget(message.key);
      case undefined:
        return;
      default:
        message satisfies never;
    }
  });
  return {
    request: () => {
      if (requested !== undefined) return requested.promise;
      const { promise, resolve } = (requested = Promise.withResolvers<string | undefined>());
      setTimeout(() => resolve(undefined), ANSWER_MS_MAX);
      send({ type: "wanted" });
      return promise.finally(() => {
        requested = undefined;
      });
    },
    offer: (key) => send({ type: "key", key }),
    forget: (key) => send({ type: "forget", key }),
  };
}

/** The message may come from a tab with another version of the page. */
function readMessage(data: unknown): Message | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, key } = data as { readonly type?: unknown; readonly key?: unknown };
  if (type === "wanted") return { type };
  if ((type === "key" || type === "forget") && typeof key === "string") return { type, key };
  return undefined;
}
