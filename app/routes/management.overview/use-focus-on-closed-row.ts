import { useEffect, useRef } from "react";

/** A referral that was closed gives the focus to the link of its row that opens it again, or to the list where the row has left it. */
export function useFocusOnClosedRow(openId: number | null): void {
  const closed = useRef<number | null>(null);
  useEffect(() => {
    if (openId === null && closed.current !== null && document.activeElement === document.body)
      (
        document.querySelector<HTMLElement>(`#r${closed.current} .c-name a`) ?? document.getElementById("listen")
      )?.focus({ preventScroll: true });
    closed.current = openId;
  }, [openId]);
}
