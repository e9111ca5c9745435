import { useNavigation } from "@remix-run/react";

/** Button state while its form is submitted. */
export function useBusy(intent: string): "working" | "ready" {
  const navigation = useNavigation();
  return navigation.formData?.get("intent") === intent ? "working" : "ready";
}
