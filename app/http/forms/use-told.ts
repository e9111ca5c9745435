import { useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";

interface Told {
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
export function useTold(formId: string, ms: number): { text: string | null; count: number } {
  const flash = useRouteLoaderData<{ flash: Told[] }>("routes/management")?.flash;
  const told = flash?.find((message) => message.inPage && message.formId === formId) ?? null;
  const [arrived, setArrived] = useState({ told, count: 0 });
  const [seen, setSeen] = useState<Told | null>(null);
  if (told !== null && told !== arrived.told) setArrived({ told, count: arrived.count + 1 });
  useEffect(() => {
    if (told === null) return;
    const hide = () => setSeen(told);
    const timer = setTimeout(hide, ms);
    document.addEventListener("input", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("input", hide);
    };
  }, [told, ms]);
  return { text: told !== null && told !== seen ? told.text : null, count: arrived.count };
}
