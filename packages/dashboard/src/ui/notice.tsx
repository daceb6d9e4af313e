import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";

/** What a place says when it has nothing else to show. */
export function Notice({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="notice">
      <Icon name={icon} size={26} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}
