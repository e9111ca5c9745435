import { useNavigation } from "@remix-run/react";

/** The state of a button by whether its form is being submitted. */
export function useBusy(intent: string): "working" | "ready" {
  const navigation = useNavigation();
  return navigation.formData?.get("intent") === intent ? "working" : "ready";
}
