import { useEffect, useRef } from "react";

/** Moves focus to the row of a closed referral, or to the list if it has gone. */
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
