import clsx from "clsx";
import type { ComponentProps } from "react";
import { Icon, type IconName } from "./icons.tsx";

const KINDS = {
  plain: "button",
  quiet: "button button-quiet",
  primary: "button button-primary",
  danger: "button button-danger",
} as const;

type ButtonProps = Omit<ComponentProps<"button">, "type"> & { readonly kind?: keyof typeof KINDS };

/** A button that submits no form. */
export function Button({ kind = "plain", className, ...rest }: ButtonProps) {
  return <button type="button" className={clsx(KINDS[kind], className)} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<"button">, "type" | "aria-label" | "children"> & {
  /** Its name, for screen readers. */
  readonly label: string;
  readonly icon: IconName;
  /** In pixels; default 16. */
  readonly size?: number;
};

/** A button with only an icon. */
export function IconButton({ label, icon, size = 16, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={clsx("icon-button", className)} aria-label={label} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
