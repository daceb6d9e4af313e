/** Responses of a real gateway, in order; `npm run recordings` writes them. */

/** One request, and the gateway's response. */
export type RecordedAnswer = {
  /** `GET /v1/plans/p1`, in the form of {@link askOf}. */
  readonly ask: string;
  readonly status: number;
  readonly type: string;
  /** JSON, or the text of any other type. */
  readonly body: unknown;
};

export type Recording = {
  /** Plan ids, by the names that tests use. */
  readonly plans: Readonly<Record<string, string>>;
  readonly answers: readonly RecordedAnswer[];
};

/** The start of a listed period depends on the time of the request. */
const SINCE = /(since(?:=|%3D))[^&%]*(?:%(?!26)[^&%]*)*/g;

/** Names a request independently of its time. @param path - Includes the query. */
export function askOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(SINCE, "$1*")}`;
}

/** The id of a plan in a recording. @throws {Error} When the name does not exist. */
export function planIn({ plans }: Recording, name: string): string {
  const planId = plans[name];
  if (planId === undefined)
    throw new Error(`no plan "${name}": recorded are ${Object.keys(plans).join(", ")}`);
  return planId;
}

/** The body of the last response to a request. @throws {Error} When there is none. */
export function answerTo<Body>({ answers }: Recording, ask: string): Body {
  const answer = answers.findLast((one) => one.ask === ask);
  if (answer === undefined) throw new Error(`no answer to ${ask} is recorded`);
  // A test checks every response against its schema.
  return answer.body as Body;
}

/** The recording without its actions: every request gets its last response. */
export function atTheEnd({ plans, answers }: Recording): Recording {
  return { plans, answers: answers.filter(({ ask }) => ask.startsWith("GET ")) };
}
