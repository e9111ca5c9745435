import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ACCOUNT_EVENT, type AccountNews } from "~/http/forms/revalidation";

interface Shown {
  /** UTC time of the newest message or edit. */
  messageAt: string | null;
  sendings: { isUnderWay: boolean; state: string } | null;
}

/** Revalidates when the shell's poll reports a new message or a settled sending. */
export function useNews(referralId: number, { messageAt, sendings }: Shown): void {
  const { revalidate, state } = useRevalidator();
  const shown = sendings?.isUnderWay ? sendings.state : null;
  useEffect(() => {
    const onNews = (event: Event) => {
      const news = (event as CustomEvent<AccountNews>).detail;
      if (news.visitId !== referralId || state !== "idle") return;
      const isWritten = (news.newestMessageAt ?? "") > (messageAt ?? "");
      if (isWritten || (shown !== null && news.sendings?.state !== shown)) revalidate();
    };
    window.addEventListener(ACCOUNT_EVENT, onNews);
    return () => window.removeEventListener(ACCOUNT_EVENT, onNews);
  }, [referralId, messageAt, shown, revalidate, state]);
}
