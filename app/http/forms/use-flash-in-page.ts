import { useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";

interface FlashMessage {
  id: string;
  tone: string;
  text: string;
  formId?: string;
  inPage?: true;
}

/**
 * Message for this form's last submission if shown in the page (`inPage`), until the next edit and at most `ms`.
 * `count` numbers the messages.
 */
export function useFlashInPage(formId: string, ms: number): { text: string | null; count: number } {
  const flash = useRouteLoaderData<{ flash: FlashMessage[] }>("routes/management")?.flash;
  const message = flash?.find((each) => each.inPage && each.formId === formId) ?? null;
  const [arrived, setArrived] = useState({ message, count: 0 });
  const [seen, setSeen] = useState<FlashMessage | null>(null);
  if (message !== null && message !== arrived.message) setArrived({ message, count: arrived.count + 1 });
  useEffect(() => {
    if (message === null) return;
    const hide = () => setSeen(message);
    const timer = setTimeout(hide, ms);
    document.addEventListener("input", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("input", hide);
    };
  }, [message, ms]);
  return { text: message !== null && message !== seen ? message.text : null, count: arrived.count };
}
