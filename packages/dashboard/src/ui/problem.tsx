import type { ReactNode } from "react";
import type { ApiError } from "../api/api-error.ts";
import { Icon } from "./icons.tsx";

/** A refusal or a failure: what is wrong, each fault on its line, and the code for those who report it. */
export function Problem({ error, children }: { error: ApiError; children?: ReactNode }) {
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
      </div>
    </div>
  );
}
