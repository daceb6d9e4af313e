/**
 * The API key. When the gateway answers 401, the other tabs of this browser are asked for it, then the user. It is kept in the
 * session storage of each tab, so it is gone when the last tab is closed.
 *
 * Requests that meet a 401 together wait for the same answer.
 */
import { createStore, type Store } from "../ui/create-store.ts";
import { createKeySharing, type KeyChannel } from "./key-sharing.ts";

const STORAGE_KEY = "planwright.api-key";

export type KeyPrompt = {
  readonly open: boolean;
  /** The key just given was refused. */
  readonly refused: boolean;
};

export type ApiKey = {
  readonly current: () => string | undefined;
  readonly prompt: Store<KeyPrompt>;
  /**
   * Takes the key of another tab.
   *
   * @param used - The key that was refused, if any: only a tab without a key takes one.
   * @returns Whether there is a key that has not been refused.
   */
  readonly borrow: (used: string | undefined) => Promise<boolean>;
  /** Asks the user for a key; resolves when one was entered. @param used - The key that was refused, if any. */
  readonly ask: (used: string | undefined) => Promise<void>;
  readonly enter: (key: string) => void;
  /** Called when the gateway has accepted the key: tabs that ask the user for one take it. */
  readonly accepted: () => void;
  /** Removes it from all tabs that use it. */
  readonly forget: () => void;
};

export type ApiKeyOptions = {
  /** Absent where tabs cannot reach each other. */
  readonly channel?: KeyChannel | undefined;
  /** Called after the user has signed out in another tab. */
  readonly onForgotten?: () => void;
};

/** @param storage - Where the key outlives a reload: the tab's session storage. */
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
    // Another request has brought a newer key meanwhile.
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
