import { useNavigation } from "@remix-run/react";

export function useBusy(intent: string): "working" | "ready" {
  const navigation = useNavigation();
  return navigation.formData?.get("intent") === intent ? "working" : "ready";
}
