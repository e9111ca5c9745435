import { createMessageFolder } from "../sending/message-folder.server";
import { STORED_LOCALLY } from "../sending/port";
import type { SmsGateway, SmsMessage } from "./port";

/** Keeps SMS in a folder during a trial without a provider. */
export function createEmbeddedSms(folder: string): SmsGateway {
  const phone = createMessageFolder<SmsMessage>(folder);
  return {
    label: "Prøve: SMS lægges i mappen sms",
    mode: "embedded",
    deduplicates: true,
    async send(message) {
      await phone.store(message);
      return { outcome: "sent", detail: STORED_LOCALLY };
    },
  };
}
