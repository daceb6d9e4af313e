import clsx from "clsx";
import { type ComponentProps, useId } from "react";

type Props = Omit<ComponentProps<"textarea">, "id" | "onChange"> & {
  readonly label: string;
  readonly onChange: (text: string) => void;
};

/** A multi-line text field with its label above, and a hint or error below. */
export function TextField({ label, className, onChange, children, ...rest }: Props) {
  const id = useId();
  return (
    <div>
      <label className="text-sm text-soft" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={clsx("field resize-y", className)}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {children}
    </div>
  );
}
