import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { navigate } from "./use-route.ts";

/** A link inside the page; with a modifier key it behaves like any other link. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
    scrollTo({ top: 0 });
  };
  return <a href={href} onClick={follow} {...rest} />;
}
