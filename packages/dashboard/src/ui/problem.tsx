import type { ReactNode } from "react";
import type { ApiError } from "../api/api-error.ts";
import { Icon } from "./icons.tsx";
import { COMMON } from "./ui-words.ts";

type Props = {
  readonly error: ApiError;
  /** Retries the failed request; absent where the caller retries it. */
  readonly again?: (() => void) | undefined;
  readonly children?: ReactNode;
};

/** A refusal or a failure: the message, one fault per line, the error code for bug reports, and a way to retry. */
export function Problem({ error, again, children }: Props) {
  return (
    <div className="problem" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          {error.message} <code>{error.code}</code>
        </p>
        {error.issues.length > 0 && (
          <ul>
            {error.issues.map((issue) => (
              <li key={issue}>{issue}</li>
            ))}
          </ul>
        )}
        {children}
        {again !== undefined && (
          <button type="button" className="button problem-again" onClick={again}>
            {COMMON.tryAgain}
          </button>
        )}
      </div>
    </div>
  );
}
