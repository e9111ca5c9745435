import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ButtonState } from "~/ui/forms/button";

/**
 * How a form's button stands: working while it is sent, then success or failure until the next edit.
 * Success is script's alone; without it the message on the page says so.
 */
export function useSaveState(intent: string, wasRefused: boolean): { state: ButtonState; edited(): void } {
  const navigation = useNavigation();
  const isSaving = navigation.formData?.get("intent") === intent;
  const [wasSaving, setWasSaving] = useState(false);
  const [isSent, setSent] = useState(false);
  const [isEdited, setEdited] = useState(false);
  if (isSaving !== wasSaving) {
    setWasSaving(isSaving);
    if (isSaving) {
      setSent(true);
      setEdited(false);
    }
  }
  return { state: stateOf(), edited: () => setEdited(true) };

  function stateOf(): ButtonState {
    if (isSaving) return "working";
    if (isEdited) return "ready";
    if (wasRefused) return "failure";
    return isSent ? "success" : "ready";
  }
}
