import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being printed: what it shows then is drawn before the browser takes its picture. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const change = ({ type }: Event) => flushSync(() => setPrinting(type === "beforeprint"));
    addEventListener("beforeprint", change);
    addEventListener("afterprint", change);
    return () => {
      removeEventListener("beforeprint", change);
      removeEventListener("afterprint", change);
    };
  }, []);
  return isPrinting;
}
