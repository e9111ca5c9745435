import { useNavigation, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useSettledActionData } from "./use-action-result";

interface FlashMessage {
  flash: { tone: string; formId?: string; intent?: string }[];
}

export function useButtonState(intent: string, formId = intent): "ready" | "working" | "success" | "failure" {
  const navigation = useNavigation();
  const answer = useSettledActionData((id) => id === formId);
  const flash = useRouteLoaderData<FlashMessage>("routes/management")?.flash;
  const [seen, setSeen] = useState<{ answer: unknown; flash: unknown }>({ answer: null, flash: null });
  useEffect(() => {
    const edited = () => setSeen({ answer, flash });
    document.addEventListener("input", edited);
    return () => document.removeEventListener("input", edited);
  }, [answer, flash]);
  const sent = navigation.formData;
  const asked = sent && (sent.get("intent") ?? sent.get("defaultIntent"));
  if (sent && asked === intent && (sent.get("formId") ?? asked) === formId) return "working";
  const isOwn = (said: { formId?: string; intent?: string }) => said.formId === formId && said.intent === intent;
  if (answer && isOwn(answer) && answer.submission?.status === "error" && seen.answer !== answer) return "failure";
  return seen.flash !== flash && flash?.some((message) => isOwn(message) && message.tone === "success")
    ? "success"
    : "ready";
}
