/** The page in a real browser over recorded answers: what it shows needs no plan, only layout, colours and focus. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import type { PlanView } from "@planwright/plan";
import { playGateway } from "../../packages/dashboard/test/support/play-gateway.ts";
import {
  answerTo,
  atTheEnd,
  planIn,
  type Recording,
} from "../../packages/dashboard/test/support/recording.ts";

const RECORDED = path.resolve(import.meta.dirname, "../../packages/dashboard/test/recorded");

export type Recordings = {
  /** The address of a plan. */
  readonly plan: (recording: string, name: string) => string;
  /** The last view of a plan. */
  readonly view: (recording: string, name: string) => PlanView;
  /** Answers all requests of the page from the recordings from now on; the files of the page come from the gateway. */
  readonly play: (context: BrowserContext) => Promise<RecordedSession>;
};

export type RecordedSession = {
  /** The requests so far, such as `GET /v1/plans/p1`. */
  readonly asked: readonly string[];
  /** The requests without a recorded answer. */
  readonly unknown: readonly string[];
};

export type RecordingsOptions = {
  /** Plays the actions too; by default every request gets its last answer. */
  readonly withActions?: boolean;
};

/** Reads recordings that `npm run recordings` has written. */
export async function recordingsOf(
  names: readonly string[],
  { withActions = false }: RecordingsOptions = {},
): Promise<Recordings> {
  const read = async (name: string): Promise<[string, Recording]> => {
    const recording = JSON.parse(await readFile(path.join(RECORDED, `${name}.json`), "utf8")) as Recording;
    return [name, withActions ? recording : atTheEnd(recording)];
  };
  const recordings = new Map(await Promise.all(names.map(read)));
  const recordingOf = (name: string): Recording => {
    const recording = recordings.get(name);
    if (recording === undefined) throw new Error(`the recording ${name} has not been read`);
    return recording;
  };
  const plan = (name: string, plan: string) => `/plans/${planIn(recordingOf(name), plan)}`;
  return {
    plan,
    view: (name, of) => answerTo<PlanView>(recordingOf(name), `GET /v1${plan(name, of)}`),
    async play(context) {
      const gateway = playGateway([...recordings.values()]);
      await context.route("**/v1/**", async (route) => {
        const request = route.request();
        const response = await gateway.fetch(request.url(), { method: request.method() });
        const contentType = response.headers.get("content-type") ?? "";
        await route.fulfill({ status: response.status, contentType, body: await response.text() });
      });
      await context.routeWebSocket(/\/v1\/ws$/, (socket) => {
        socket.onMessage((message) => {
          const { id } = JSON.parse(String(message)) as { readonly id: unknown };
          socket.send(JSON.stringify({ type: "ok", id }));
        });
      });
      return gateway;
    },
  };
}
