import path from "node:path";
import { notConfigured } from "../sending/not-configured";
import { createGatewayApi } from "./gatewayapi.server";
import { createEmbeddedSms } from "./embedded-sms.server";
import type { SmsGateway } from "./port";

export interface SmsOptions {
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
