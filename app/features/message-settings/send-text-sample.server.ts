import { external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { throttle } from "~/access/throttle.server";
import { findOwnMobilePhone } from "~/features/accounts/own-mobile-phone.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { answerSentence } from "~/features/delivery/templates/answer-sentence";
import { fillPlaceholders } from "~/features/delivery/templates/placeholders";
import { templateTitles } from "~/features/delivery/templates/template-titles";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { toE164 } from "~/text/phone";
import { inventedValues } from "./invented-patient.server";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";
import { refuseInvalidText } from "./save-message-text.server";

const NOT_SENT = "Prøven er ikke sendt.";

/**
 * Sends the typed text to oneself with an invented patient's name: by mail or SMS to the profile's address. The form is
 * unchanged. Throws `invalid` if the text cannot be sent or there is no number.
 */
export const sendTextSample = external({
  name: "sendTextSample",
  permission: "settings.manage",
  input: templateAddress
    .extend(typedText)
    .refine(hasText)
    .refine(({ channel }) => channel === "email" || channel === "sms"),
  async prepare(context, input) {
    const { db, portal, person } = context;
    await refuseInvalidText(context, input, NOT_SENT);
    await throttle(portal, "testMessage", String(person.id));
    if (input.channel === "email") return person.email;
    const number = toE164((await findOwnMobilePhone(db, person.id)) ?? "");
    if (number === null)
      throw new Refusal("invalid", { text: `${NOT_SENT} Skriv først dit mobilnummer på Din profil.` });
    return number;
  },
  async run({ tx, person, outbox, portal }, { kind, channel, subject, body }, to) {
    const letterhead = await readLetterhead(tx, portal.config);
    const values = inventedValues(channel, letterhead);
    const text = fillPlaceholders(body, values);
    const envelope = { kind: "testMessage" as const, to, userId: person.id, requestedBy: person.id };
    if (channel === "sms") await outbox.sms({ ...envelope, text });
    else {
      const mail = renderMail({
        productName: letterhead.clinicName,
        subject: `Prøve: ${fillPlaceholders(subject, values)}`,
        paragraphs: text.split(/\n{2,}/),
        answer: answerSentence(letterhead, templateTitles[kind].receiver),
      });
      await outbox.email({ ...envelope, ...mail });
    }
    return { data: { sampleSentTo: to } };
  },
});
