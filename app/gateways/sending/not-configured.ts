import { NOT_CONFIGURED, type SendingGateway } from "./port";

/** The driver of a production portal for which no provider is configured. */
export function notConfigured(label: string): SendingGateway<unknown> {
  return {
    label,
    mode: "notConfigured",
    deduplicates: true,
    send: async () => ({ outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" }),
  };
}
