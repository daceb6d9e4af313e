/** Passes the API key between the tabs of one browser, so that a link that is opened in a new tab needs no key to be typed. */

/** Reaches the other tabs of the same origin. */
export type KeyChannel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

type Message =
  | { readonly type: "wanted" }
  /** Sent when it was asked for, and when the gateway has accepted it. */
  | { readonly type: "key"; readonly key: string }
  /** The user has signed out. */
  | { readonly type: "forget"; readonly key: string };

export type KeySharing = {
  /** Asks the other tabs. @returns Undefined when none has answered in time. */
  readonly request: () => Promise<string | undefined>;
  readonly offer: (key: string) => void;
  readonly forget: (key: string) => void;
};

export type KeySharingDeps = {
  readonly channel: KeyChannel;
  /** The key of this tab. */
  readonly current: () => string | undefined;
  /** Called when another tab offers a key. */
  readonly onKey: (key: string) => void;
  /** Called when the user has signed out in another tab. */
  readonly onForget: (key: string) => void;
};

/** Tabs answer within a few milliseconds, unless the browser has suspended them. */
const ANSWER_MS_MAX = 250;

export function createKeySharing({ channel, current, onKey, onForget }: KeySharingDeps): KeySharing {
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

/** A tab with another version of the page may have sent it. */
function readMessage(data: unknown): Message | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, key } = data as { readonly type?: unknown; readonly key?: unknown };
  if (type === "wanted") return { type };
  if ((type === "key" || type === "forget") && typeof key === "string") return { type, key };
  return undefined;
}
