/** The requests of a puller to its queue, and how many messages may still arrive. */

type Request = { readonly batch: number; readonly overAtMs: number };

/**
 * A delivery does not show which request it answers. The server reports only requests whose time ran out, with the number that was
 * left of each. A lost request therefore takes up room until its time is over.
 */
export class PullRequests {
  readonly #livesMs: number;
  /** Those whose time is not over, in the order in which they were sent; also those that were filled. */
  readonly #requests = new Map<string, Request>();
  #waiting = 0;

  /** @param livesMs - After how long nothing comes for a request any more. */
  constructor(livesMs: number) {
    this.#livesMs = livesMs;
  }

  /** Messages asked for that have neither come nor been refused. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many requests are remembered. */
  get size(): number {
    return this.#requests.size;
  }

  send(id: string, batch: number, nowMs: number): void {
    this.#requests.set(id, { batch, overAtMs: nowMs + this.#livesMs });
    this.#waiting += batch;
  }

  /** A message has come. */
  come(): void {
    this.#waiting = Math.max(0, this.#waiting - 1);
  }

  /** The server has ended a request. @param unfilled - How much of it was left; all of it when the server does not say. */
  end(id: string, unfilled: number | undefined): void {
    const request = this.#requests.get(id);
    if (request === undefined) return;
    this.#requests.delete(id);
    this.#waiting = Math.max(0, this.#waiting - (unfilled ?? request.batch));
  }

  /** Forgets the requests whose time is over: no more can come than the others have asked for. */
  forgetOver(nowMs: number): void {
    let asking = 0;
    for (const [id, { batch, overAtMs }] of this.#requests) {
      if (overAtMs <= nowMs) this.#requests.delete(id);
      else asking += batch;
    }
    this.#waiting = Math.min(this.#waiting, asking);
  }

  /** Forgets all: they were lost. */
  forgetAll(): void {
    this.#requests.clear();
    this.#waiting = 0;
  }
}
