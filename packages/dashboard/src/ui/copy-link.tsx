import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import { COPY_LINK } from "./ui-words.ts";

type Props = {
  /** The search of the address, on the page that is shown. */
  readonly search: string;
  /** To what it leads: `this step`. */
  readonly to: string;
};

/** Copies the address of a place on this page; where the browser has no clipboard, it is a link that can be copied by hand. */
export function CopyLink({ search, to }: Props) {
  const href = location.pathname + search;
  if ("clipboard" in navigator) {
    return <CopyButton text={location.origin + href} label={COPY_LINK.copy(to)} icon="link" />;
  }
  return (
    <a className="icon-button" href={href} aria-label={COPY_LINK.linkTo(to)} title={COPY_LINK.linkTo(to)}>
      <Icon name="link" size={14} />
    </a>
  );
}
