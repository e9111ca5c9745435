import { useNavigation, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useAnswer } from "./use-answer";

interface Told {
  flash: { tone: string; formId?: string }[];
}

/**
 * How a form's button looks: working while the form is on its way, then how it went by the server's answer, and
 * ready again at the next edit, whichever form of the page it is in. `formId` is the intent unless the form says otherwise.
 */
export function useButtonState(formId: string): "ready" | "working" | "success" | "failure" {
  const navigation = useNavigation();
  const answer = useAnswer();
  const told = useRouteLoaderData<Told>("routes/management")?.flash;
  const [seen, setSeen] = useState<{ answer: unknown; told: unknown }>({ answer: null, told: null });
  useEffect(() => {
    const edited = () => setSeen({ answer, told });
    document.addEventListener("input", edited);
    return () => document.removeEventListener("input", edited);
  }, [answer, told]);
  const sent = navigation.formData;
  if (sent && (sent.get("formId") ?? sent.get("intent")) === formId) return "working";
  if (answer?.formId === formId && answer.submission?.status === "error" && seen.answer !== answer) return "failure";
  return seen.told !== told && told?.some((message) => message.formId === formId && message.tone === "success")
    ? "success"
    : "ready";
}
