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
 * What the server says of this form's last sending, where the page shows it itself (`inPage`): until the next edit of the page, and no longer
 * than `ms`. `count` is how often it has said something, for a form that begins afresh then.
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
