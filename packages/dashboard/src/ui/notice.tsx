import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** `page` when the notice is all there is. */
  readonly of?: "page" | "part";
  readonly children?: ReactNode;
};

/** What a place says when it has nothing else to show. */
export function Notice({ icon, title, of: scope = "part", children }: Props) {
  return (
    <div className="notice">
      <Icon name={icon} size={26} />
      {scope === "page" ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
