import { createMessageFolder } from "../sending/embedded-letters.server";
import { notConfigured, STORED_LOCALLY } from "../sending/port";
import type { SmsGateway, SmsMessage } from "./port";
import path from "node:path";
import { createGatewayApi } from "./gatewayapi.server";

function createEmbeddedSms(folder: string): SmsGateway {
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

interface SmsOptions {
  url: string;
  token: string | null;
  webhookSecret: string | null;
}

/** GatewayAPI with a token; otherwise the folder sms under DATA_DIR outside production. */
export function chooseSmsGateway({
  sms,
  dataDir,
  production,
}: {
  sms: SmsOptions;
  dataDir: string;
  production: boolean;
}): SmsGateway {
  if (sms.token !== null) return createGatewayApi({ ...sms, token: sms.token });
  return production
    ? notConfigured("SMS er ikke indstillet (SMS_TOKEN)")
    : createEmbeddedSms(path.join(dataDir, "sms"));
}
