/**
 * Runs one job at a time. Of the jobs requested meanwhile, only the newest runs: the others are out of date.
 *
 * @returns Undefined for a job that was skipped because a newer one was requested.
 */
export function newestOnly<Request, Result>(
  work: (request: Request) => Promise<Result>,
): (request: Request) => Promise<Result | undefined> {
  let isBusy = false;
  let waiting: ((isNewest: boolean) => void) | undefined;
  return async (request) => {
    if (isBusy) {
      waiting?.(false);
      const turn = Promise.withResolvers<boolean>();
      waiting = turn.resolve;
      if (!(await turn.promise)) return undefined;
    }
    isBusy = true;
    try {
      return await work(request);
    } finally {
      const next = waiting;
      waiting = undefined;
      isBusy = next !== undefined;
      next?.(true);
    }
  };
}
