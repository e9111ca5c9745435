import { createKeptFolder } from "../sending/kept-folder.server";
import { KEPT_HERE } from "../sending/port";
import type { SmsGateway, SmsMessage } from "./port";

/** Without a provider a trial keeps its SMS here. */
export function createKeptSmsGateway(folder: string): SmsGateway {
  const phone = createKeptFolder<SmsMessage>(folder);
  return {
    label: "Prøve: SMS lægges i mappen sms",
    mode: "embedded",
    deduplicates: true,
    async send(message) {
      await phone.keep(message);
      return { outcome: "sent", detail: KEPT_HERE };
    },
  };
}
