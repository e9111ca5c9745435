import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ACCOUNT_EVENT, type AccountNews } from "~/http/forms/revalidation";

interface Shown {
  /** When a message was last written or edited, UTC. */
  messageAt: string | null;
  sendings: { isUnderWay: boolean; state: string } | null;
}

/**
 * Reads the page anew when the shell's poll says that a message has been written or edited since it was read, or that something which was under way
 * has been sent or has failed.
 */
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
