/** A gateway that plays recorded responses of a real one. */
import type { PlanwrightOptions, WebSocketLike } from "@planwright/client";
import { type Caller, ROUTE_ACCESS } from "@planwright/api";
import { ApprovalDecision } from "@planwright/plan";
import { askOf, type RecordedAnswer, type Recording } from "./recording.ts";

type Answer = Pick<RecordedAnswer, "status" | "body"> & Partial<Pick<RecordedAnswer, "type">>;

/** Requests that wait until the test answers them. */
export type Held = {
  /** Answers them and all later ones with a gateway error. */
  readonly fail: () => void;
  /** Answers them and all later ones from the recording. */
  readonly answer: () => void;
};

const ASKS_CALLER = "GET /v1/me";
/** The user of a page unless its test says otherwise. */
const EVERYTHING: Caller = {
  tenant: "default",
  role: "admin",
  credential: "none",
  calls: Object.keys(ROUTE_ACCESS),
  decisions: [...ApprovalDecision.options],
};

/** Relative addresses are those of any page. */
const PAGE = "http://planwright.test/";

export type PlayedGateway = {
  readonly fetch: NonNullable<PlanwrightOptions["fetch"]>;
  readonly WebSocket: NonNullable<PlanwrightOptions["WebSocket"]>;
  /** The address that the page has redirected to. */
  readonly left: readonly string[];
  readonly leaveTo: (url: string) => void;
  /** The requests so far, named as in recordings. */
  readonly asked: readonly string[];
  /** The requests without a recorded response. */
  readonly unknown: readonly string[];
  /** Holds all matching requests from now on. */
  readonly hold: (asks: RegExp) => Held;
  /** Answers all matching requests from now on with this. */
  readonly answer: (asks: RegExp, answer: Answer) => void;
  /** Sends a message over the WebSocket. */
  readonly push: (message: object) => void;
};

const FAILED: Answer = {
  status: 500,
  type: "application/problem+json",
  body: { title: "It does not work today", status: 500, code: "internal", detail: "the disk is full" },
};

type Rule = { readonly asks: RegExp; readonly answer: () => Promise<Answer | undefined> };

export function playGateway(recordings: readonly Recording[]): PlayedGateway {
  const plays = recordings.map(playRecording);
  const asked: string[] = [];
  const unknown: string[] = [];
  const left: string[] = [];
  const knowsCaller = recordings.some(({ answers }) => answers.some(({ ask }) => ask === ASKS_CALLER));
  const rules: Rule[] = [
    {
      asks: /^GET \/v1\/me$/,
      answer: () => Promise.resolve(knowsCaller ? undefined : { status: 200, body: EVERYTHING }),
    },
  ];
  const recordedFor = (ask: string): Answer => {
    for (const play of plays) {
      const recorded = play(ask);
      if (recorded !== undefined) return recorded;
    }
    unknown.push(ask);
    throw new Error(`no recording has an answer to ${ask}`);
  };
  const reply = async (ask: string): Promise<Answer> => {
    asked.push(ask);
    const rule = rules.findLast(({ asks }) => asks.test(ask));
    return (await rule?.answer()) ?? recordedFor(ask);
  };
  return {
    asked,
    unknown,
    left,
    leaveTo: (url) => void left.push(url),
    fetch: async (input, init = {}) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input, PAGE);
      const answered = await reply(askOf(init.method ?? "GET", pathname + search));
      init.signal?.throwIfAborted();
      return responseOf(answered);
    },
    WebSocket: PlayedSocket,
    hold: (asks) => {
      const said = Promise.withResolvers<void>();
      let answer: Answer | undefined;
      rules.push({ asks, answer: () => said.promise.then(() => answer) });
      return {
        fail: () => {
          answer = FAILED;
          said.resolve();
        },
        answer: () => {
          answer = undefined;
          said.resolve();
        },
      };
    },
    push: (message) => {
      for (const socket of PlayedSocket.open) socket.push(JSON.stringify(message));
    },
    answer: (asks, answer) => void rules.push({ asks, answer: () => Promise.resolve(answer) }),
  };
}

/**
 * Answers like one recording: with the last response before the next action. Only the recorded action switches to the
 * responses after it.
 */
function playRecording({ answers }: Recording): (ask: string) => RecordedAnswer | undefined {
  const isAction = ({ ask }: RecordedAnswer) => !ask.startsWith("GET ");
  const nextAction = (from: number) => {
    const index = answers.findIndex((answer, at) => at >= from && isAction(answer));
    return index === -1 ? answers.length : index;
  };
  let end = nextAction(0);
  return (ask) => {
    const next = answers[end];
    if (next?.ask === ask) {
      end = nextAction(end + 1);
      return next;
    }
    return answers.slice(0, end).findLast((answer) => answer.ask === ask && !isAction(answer));
  };
}

function responseOf({ status, type = "application/json", body }: Answer): Response {
  const text = typeof body === "string" && !type.endsWith("json") ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": type } });
}

/** A connection that accepts every watch, and delivers the messages that the test pushes. */
class PlayedSocket implements WebSocketLike {
  static readonly open = new Set<PlayedSocket>();
  readonly #listeners: [type: string, listener: (event: { readonly data: unknown }) => void][] = [];

  constructor() {
    PlayedSocket.open.add(this);
    this.#tell("open");
  }

  push(data: string): void {
    this.#tell("message", data);
  }

  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
    this.#listeners.push([type, listener]);
  }

  send(text: string): void {
    const { id, type } = JSON.parse(text) as { readonly id: unknown; readonly type: string };
    if (!/^(?:un)?watch(?:-plans)?$/.test(type)) throw new Error(`no recording has an answer to a ${type}`);
    this.#tell("message", JSON.stringify({ type: "ok", id }));
  }

  close(): void {
    PlayedSocket.open.delete(this);
    this.#tell("close");
  }

  /** Asynchronously, like a real one. */
  #tell(type: string, data?: string): void {
    queueMicrotask(() => {
      for (const [heard, listener] of this.#listeners) if (heard === type) listener({ data });
    });
  }
}
