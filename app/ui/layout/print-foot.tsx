import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { atTime, localDate, showDayInWords, showTime } from "~/text/dates";
import { Verbatim } from "./translation";

/** The foot of each printed sheet. Without JavaScript it has the moment at which the page was read. */
export function PrintFoot({ name, readAt }: { name: string; readAt: string }) {
  const [printedAt, setPrintedAt] = useState(readAt);
  useEffect(() => {
    const note = () => flushSync(() => setPrintedAt(new Date().toISOString()));
    window.addEventListener("beforeprint", note);
    return () => window.removeEventListener("beforeprint", note);
  }, []);
  return (
    <div className="print-only print-foot">
      Udskrevet {showDayInWords(localDate(new Date(printedAt)))} {atTime(showTime(printedAt))} af{" "}
      <Verbatim>{name}</Verbatim> · indeholder personoplysninger
    </div>
  );
}
