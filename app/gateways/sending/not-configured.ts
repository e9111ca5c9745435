import { NOT_CONFIGURED, type SendingGateway } from "./port";

/** Driver for production without a configured provider. */
export function notConfigured(label: string): SendingGateway<unknown> {
  return {
    label,
    mode: "notConfigured",
    deduplicates: true,
    send: async () => ({ outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" }),
  };
}
