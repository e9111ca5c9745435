import { z } from "zod";
import { external } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { answerSentence } from "~/features/delivery/templates/answer-sentence";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { NO_MOBILE_PHONE, requiredLine } from "~/text/fields.server";
import { toE164 } from "~/text/phone";
import { updateMobilePhone } from "./user-store.server";

const QUEUED = {
  flash: { tone: "success" as const, text: "Prøven er sat i kø. Nedenfor kan du se, hvad der bliver af den." },
};

export const sendTestEmail = external({
  name: "sendTestEmail",
  permission: "delivery.test",
  input: z.object({}),
  prepare: ({ portal, person }) => throttle(portal, "testMessage", String(person.id)),
  async run({ tx, outbox, person, portal: { config } }) {
    const mail = renderMail({
      productName: config.productName,
      subject: `Prøve fra ${config.productName}`,
      paragraphs: [
        `Hej ${person.firstName}.`,
        `Du har bedt om denne prøve. Når du læser den, kan ${config.productName} sende mails.`,
      ],
      answer: answerSentence(await readLetterhead(tx, config), "user"),
    });
    await outbox.email({ kind: "testMessage", to: person.email, userId: person.id, requestedBy: person.id, ...mail });
    return QUEUED;
  },
});

export const sendTestSms = external({
  name: "sendTestSms",
  permission: "delivery.test",
  input: z.object({
    mobilePhone: requiredLine(NO_MOBILE_PHONE, 40).refine((typed) => toE164(typed) !== null, NO_MOBILE_PHONE),
  }),
  prepare: ({ portal, person }) => throttle(portal, "testMessage", String(person.id)),
  async run({ tx, now, outbox, person, portal: { config } }, { mobilePhone }) {
    await updateMobilePhone(tx, person.id, mobilePhone, now);
    const text = `Prøve fra ${config.productName}: når du læser den, kan portalen sende SMS.`;
    await outbox.sms({
      kind: "testMessage",
      to: toE164(mobilePhone)!,
      userId: person.id,
      requestedBy: person.id,
      text,
    });
    return QUEUED;
  },
});
