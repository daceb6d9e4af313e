import { type ReactNode, useEffect, useRef, useState } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { Button } from "./button.tsx";

type Props = {
  readonly label: string;
  /** Shown instead of the label, which screen readers still read. */
  readonly icon?: IconName;
  /** For a popup that is also opened from elsewhere; by default it manages its own state. */
  readonly state?: readonly [open: boolean, setOpen: (open: boolean) => void];
  readonly children: (close: () => void) => ReactNode;
};

/** A button that opens a small panel below it. Escape, a click elsewhere or focus elsewhere close it. */
export function Popup({ label, icon, state, children }: Props) {
  const own = useState(false);
  const [open, setOpen] = state ?? own;
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) setOpen(false);
    };
    addEventListener("pointerdown", leave);
    addEventListener("focusin", leave);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("focusin", leave);
    };
  }, [open, setOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      className="relative"
      ref={place}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.preventDefault();
        close();
      }}
    >
      <Button
        ref={button}
        className={icon === undefined ? "" : "px-2.5"}
        aria-expanded={open}
        aria-label={icon === undefined ? undefined : label}
        title={icon === undefined ? undefined : label}
        onClick={() => setOpen(!open)}
      >
        {icon === undefined && label}
        {icon === undefined ? (
          <Icon className="rotate-90" name="chevron" size={12} />
        ) : (
          <Icon name={icon} size={16} />
        )}
      </Button>
      {open && (
        <div
          className="card absolute top-full right-0 z-10 mt-1 grid w-[230px] gap-1 bg-raised p-3 text-sm shadow-float [&_p]:text-soft [&_p:empty]:hidden"
          data-part="popup-panel"
          role="group"
          aria-label={label}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
