import { useNavigation } from "@remix-run/react";

/** The state of a button whose form is on its way, or not. */
export function useBusy(intent: string): "working" | "ready" {
  const navigation = useNavigation();
  return navigation.formData?.get("intent") === intent ? "working" : "ready";
}
