import type { SendResult } from "~/gateways/sending/port";

/** A gateway that answers everything alike and records what it was sent. */
export const answeringGateway = (result: SendResult, onSend: (message: unknown) => void) => ({
  label: "",
  mode: "live" as const,
  deduplicates: false,
  async send(message: unknown) {
    onSend(message);
    return result;
  },
});
