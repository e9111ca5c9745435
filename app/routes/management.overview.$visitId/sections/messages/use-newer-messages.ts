import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ACCOUNT_EVENT, type AccountNews } from "~/http/forms/revalidation";

/** Reads the page anew when the shell's poll says that a message has been written or edited since it was read. */
export function useNewerMessages(referralId: number, shownAt: string | null): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const onNews = (event: Event) => {
      const { visitId, newestMessageAt } = (event as CustomEvent<AccountNews>).detail;
      if (visitId === referralId && (newestMessageAt ?? "") > (shownAt ?? "") && state === "idle") revalidate();
    };
    window.addEventListener(ACCOUNT_EVENT, onNews);
    return () => window.removeEventListener(ACCOUNT_EVENT, onNews);
  }, [referralId, shownAt, revalidate, state]);
}
