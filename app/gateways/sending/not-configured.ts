import { NOT_CONFIGURED, type SendingGateway } from "./port";

/** Stands where production has been given no provider. */
export function notConfigured(label: string): SendingGateway<unknown> {
  return {
    label,
    mode: "notConfigured",
    deduplicates: true,
    send: async () => ({ outcome: "notConfigured", detail: NOT_CONFIGURED }),
  };
}
