/**
 * Does one piece of work at a time, and of those that are asked for meanwhile only the newest: the others are not wanted
 * any more.
 *
 * @returns Undefined for work that was not begun because newer work was asked for.
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
