import { describe, expect, it } from "vitest";
import type { PlanEvent } from "../api/api-types.ts";
import { createLiveClient, type Socket } from "./live-client.ts";

type Listener = (event: { data: unknown }) => void;

/** The browser's side of a WebSocket, moved by hand. */
function fakeSocket() {
  const listeners = new Map<string, Listener>();
  const sent: { type: string; planId: string; after?: number }[] = [];
  const socket: Socket = {
    send: (data) => sent.push(JSON.parse(data)),
    close: () => undefined,
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
  };
  const fire = (type: string, data?: unknown) => listeners.get(type)?.({ data });
  return {
    socket,
    sent,
    open: () => fire("open"),
    close: () => fire("close"),
    say: (message: object) => fire("message", JSON.stringify(message)),
    sayRaw: (text: unknown) => fire("message", text),
  };
}

function client() {
  const sockets: ReturnType<typeof fakeSocket>[] = [];
  const waits: { delayMs: number; callback: () => void }[] = [];
  const live = createLiveClient({
    open: () => {
      const made = fakeSocket();
      sockets.push(made);
      return made.socket;
    },
    wait: (delayMs, callback) => {
      waits.push({ delayMs, callback });
      return () => undefined;
    },
    random: () => 0.5,
  });
  const current = () => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("no socket was opened");
    return socket;
  };
  return { live, sockets, waits, current };
}

function recorder() {
  const heard: (number | "behind")[] = [];
  return {
    heard,
    onEvent: ({ seq }: { seq: number }) => heard.push(seq),
    onBehind: () => heard.push("behind"),
  };
}

const event = (seq: number) => ({
  type: "event",
  planId: "p1",
  seq,
  event: { type: "timer.fired" } as PlanEvent,
});

describe("the live client", () => {
  it("watches from the last known fact on, once the connection is open", () => {
    const { live, current } = client();
    live.watch("p1", 4, recorder());
    expect(current().sent).toEqual([]);
    current().open();
    expect(current().sent).toMatchObject([{ type: "watch", planId: "p1", after: 4 }]);
  });

  it("hands each fact on once, whatever is sent again", () => {
    const { live, current } = client();
    const listener = recorder();
    live.watch("p1", 4, listener);
    current().open();
    for (const seq of [3, 4, 5, 6, 6, 5, 7]) current().say(event(seq));
    expect(listener.heard).toEqual([5, 6, 7]);
  });

  it("goes on after the last fact when the connection comes back", () => {
    const { live, waits, current, sockets } = client();
    live.watch("p1", 4, recorder());
    current().open();
    current().say(event(5));
    current().close();
    expect(live.connection.get()).toBe("reconnecting");
    waits.at(-1)?.callback();
    current().open();
    expect(sockets).toHaveLength(2);
    expect(current().sent).toMatchObject([{ type: "watch", planId: "p1", after: 5 }]);
    expect(live.connection.get()).toBe("open");
  });

  it("waits longer after each failure, up to a limit", () => {
    const { live, waits, current } = client();
    live.watch("p1", 0, recorder());
    for (let failures = 0; failures < 12; failures += 1) {
      current().close();
      waits.at(-1)?.callback();
    }
    const delays = waits.map(({ delayMs }) => delayMs);
    expect(delays).toEqual(delays.toSorted((left, right) => left - right));
    expect(delays[0]).toBeLessThanOrEqual(250);
    expect(delays.at(-1)).toBeLessThanOrEqual(10_000);
  });

  it("tells a listener that it is behind after a resync, or when it joins late", () => {
    const { live, current } = client();
    const first = recorder();
    live.watch("p1", 4, first);
    current().open();
    current().say({ type: "resync", planId: "p1", plan: { seq: 9 } });
    expect(first.heard).toEqual(["behind"]);
    const second = recorder();
    live.watch("p1", 7, second);
    expect(second.heard).toEqual(["behind"]);
  });

  it("begins a watch anew for a listener who knows where it stands, when the running one does not", () => {
    const { live, current } = client();
    live.watch("p1", undefined, recorder());
    current().open();
    live.watch("p1", 3, recorder());
    expect(current().sent).toMatchObject([{ type: "watch" }, { type: "watch", after: 3 }]);
    expect(current().sent[0]).not.toHaveProperty("after");
  });

  it("stops the watch with its last listener", () => {
    const { live, current } = client();
    const stopFirst = live.watch("p1", 0, recorder());
    const stopSecond = live.watch("p1", 0, recorder());
    current().open();
    stopFirst();
    expect(current().sent).toHaveLength(1);
    stopSecond();
    expect(current().sent.at(-1)).toMatchObject({ type: "unwatch", planId: "p1" });
  });

  it("tells of one plan either facts or views, whoever asks first", () => {
    const { live, current } = client();
    const listener = recorder();
    const viewed: string[] = [];
    const viewer = {
      onChanges: ({ after, seq }: { after: number; seq: number }) => viewed.push(`${after}-${seq}`),
      onView: ({ seq }: { seq: number }) => viewed.push(`${seq}`),
    };
    live.watch("p1", undefined, listener);
    current().open();
    const leave = live.watchView("p1", 4, viewer);
    expect(current().sent.at(-1)).toMatchObject({ type: "watch", after: 4, as: "view" });
    // On its way when the watch became one of views.
    current().say(event(5));
    current().say({ type: "changes", planId: "p1", after: 4, seq: 6, changes: [] });
    current().say({ type: "resync", planId: "p1", plan: { seq: 9 } });
    expect(viewed).toEqual(["4-6", "9"]);
    expect(listener.heard).toEqual(["behind", "behind"]);
    leave();
    expect(current().sent.at(-1)).toMatchObject({ type: "watch", after: 9 });
    expect(current().sent.at(-1)).not.toHaveProperty("as");
  });

  it("watches again what was refused for now, and not what was refused for good", () => {
    const { live, current, waits } = client();
    live.watch("p1", 4, recorder());
    live.watch("p2", 4, recorder());
    current().open();
    current().say({ type: "error", id: "w1", code: "overloaded", message: "", retryAfterSeconds: 7 });
    current().say({ type: "error", id: "w2", code: "plan_not_found", message: "" });
    expect(waits.map(({ delayMs }) => delayMs)).toEqual([7_000]);
    waits[0]?.callback();
    expect(current().sent.map(({ planId }) => planId)).toEqual(["p1", "p2", "p1"]);
  });

  it("gives up a connection that may have ended unnoticed, and hears nothing over it any more", () => {
    const { live, sockets, current } = client();
    const listener = recorder();
    live.watch("p1", 4, listener);
    current().open();
    live.renew();
    expect(sockets).toHaveLength(2);
    sockets[0]?.say(event(5));
    sockets[0]?.close();
    current().open();
    expect(live.connection.get()).toBe("open");
    current().say(event(5));
    expect(listener.heard).toEqual([5]);
    expect(sockets).toHaveLength(2);
  });

  it("ignores what is no message", () => {
    const { live, current } = client();
    const listener = recorder();
    live.watch("p1", 0, listener);
    current().open();
    for (const text of ["", "{", "null", "[]", '{"type":"news"}', new ArrayBuffer(2)]) current().sayRaw(text);
    current().say(event(1));
    expect(listener.heard).toEqual([1]);
  });
});
