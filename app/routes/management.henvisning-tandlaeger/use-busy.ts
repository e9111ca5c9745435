import { useNavigation } from "@remix-run/react";
import type { ButtonState } from "~/ui/button";

/** Whether the form behind a button is on its way. */
export function useBusy(intent: string): ButtonState {
  const navigation = useNavigation();
  return navigation.formData?.get("intent") === intent ? "working" : "ready";
}
