import { type DragEvent, type ReactNode, useState } from "react";
import { DROP_FORM } from "./submit-words.ts";

type DropFormProps = {
  readonly onFiles: (files: Iterable<File>) => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** A form that accepts dropped files. */
export function DropForm({ onFiles, onSubmit, children }: DropFormProps) {
  const [isOver, setIsOver] = useState(false);
  const dragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  const dropFiles = (event: DragEvent) => {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <form
      className="card relative overflow-hidden shadow-float focus-within:border-accent focus-within:shadow-ring data-over:border-dashed data-over:border-accent"
      data-part="composer-form"
      data-over={isOver || undefined}
      onDragOver={dragOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={dropFiles}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center bg-accent-soft/90 font-semibold">
          {DROP_FORM.drop}
        </p>
      )}
    </form>
  );
}
