import { useNavigation, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useSettledActionData } from "./use-settled-action-data";

interface FlashMessage {
  flash: { tone: string; formId?: string }[];
}

/**
 * How a form's button looks: working while the form is on its way, then how it went by the server's answer, and
 * ready again at the next edit, whichever form of the page it is in. `formId` is the intent unless the form says otherwise.
 */
export function useButtonState(formId: string): "ready" | "working" | "success" | "failure" {
  const navigation = useNavigation();
  const answer = useSettledActionData();
  const flash = useRouteLoaderData<FlashMessage>("routes/management")?.flash;
  const [seen, setSeen] = useState<{ answer: unknown; flash: unknown }>({ answer: null, flash: null });
  useEffect(() => {
    const edited = () => setSeen({ answer, flash });
    document.addEventListener("input", edited);
    return () => document.removeEventListener("input", edited);
  }, [answer, flash]);
  const sent = navigation.formData;
  if (sent && (sent.get("formId") ?? sent.get("intent")) === formId) return "working";
  if (answer?.formId === formId && answer.submission?.status === "error" && seen.answer !== answer) return "failure";
  return seen.flash !== flash && flash?.some((message) => message.formId === formId && message.tone === "success")
    ? "success"
    : "ready";
}
