import { z } from "zod";
import { read } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { readText } from "~/features/delivery/templates/read-text.server";
import { templateKinds } from "~/features/delivery/templates/default-texts";
import { BATCH_HOUR } from "~/features/letter-batches/daily-batch.server";
import { findLogo, readWindow } from "~/features/letters/letter-layout.server";
import { letterheadSettings } from "~/features/settings/letterhead.server";
import { readSettings } from "~/features/settings/read-setting.server";
import { readSenders, senderSettings } from "~/features/settings/senders.server";
import { asksForAnswer, isSenderName } from "~/text/sms-sender";

/** Letter and sender settings; empty values come from the configuration. */
export const readLetterSettings = read({
  name: "readLetterSettings",
  permission: "settings.manage",
  input: z.object({}),
  async run({ db, portal }) {
    const { config } = portal;
    const saved = await readSettings(db, [...Object.values(letterheadSettings), BATCH_HOUR, ...senderSettings]);
    const logo = await findLogo(db);
    const { sms } = await readSenders(portal);
    const smsTexts = await Promise.all(templateKinds.map((kind) => readText(db, kind, "sms")));
    return {
      letterhead: {
        clinicName: saved.letterheadName,
        address: saved.letterheadAddress,
        zip: saved.letterheadZip,
        city: saved.letterheadCity,
        phone: saved.letterheadPhone,
        email: saved.letterheadEmail,
        web: saved.letterheadWeb,
      },
      window: await readWindow(db),
      batchHour: saved[BATCH_HOUR],
      /** The clinic's logo or the configured one. */
      logo: { sha256: logo?.sha256 ?? null, name: logo?.fileName ?? null, isConfigured: config.clinicLogo !== null },
      senders: { emailSenderName: saved.emailSenderName, smsSender: saved.smsSender },
      configured: {
        clinicName: config.clinicName,
        phone: config.supportPhone,
        emailSenderName: config.productName,
        mailFrom: config.mailFrom,
        smsSender: config.sms.sender,
      },
      /** A text asks for an answer although the sender cannot receive any. */
      isUnanswerable: isSenderName(sms) && smsTexts.some((text) => text !== null && asksForAnswer(text.body)),
      channels: channelNames.map((name) => {
        const { mode, label } = channels[name].gateway(portal);
        return { name, mode, label };
      }),
    };
  },
});
