import type { DbOrTx } from "~db/connection.server";
import type { ChannelName } from "../delivery-outcome";
import { defaultText, type MessageText, type TemplateKind, messageTemplates } from "./message-templates";
import { findNewestTexts } from "./template-store.server";
import type { Config } from "~/config/config.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { renderMail } from "../render-mail.server";
import { answerSentence } from "./template-kinds";
import { fillPlaceholders, loneLink, missingValues, noValues, type PlaceholderValues } from "./placeholders";

type TextOf = (kind: TemplateKind, channel: ChannelName) => MessageText | null;

/** The texts in use of some kinds: the clinic's newest, else the portal's. Null if a kind cannot use a channel. */
export async function readTexts(db: DbOrTx, kinds: readonly TemplateKind[]): Promise<TextOf> {
  const own = await findNewestTexts(db, kinds);
  return (kind, channel) => {
    const standard = defaultText(kind, channel);
    const text = own.find((each) => each.kind === kind && each.channel === channel);
    return standard === null || text === undefined ? standard : { subject: text.subject, body: text.body };
  };
}

export const readText = async (db: DbOrTx, kind: TemplateKind, channel: ChannelName) =>
  (await readTexts(db, [kind]))(kind, channel);

type Values = Partial<PlaceholderValues>;

interface MailOptions {
  config: Pick<Config, "productName" | "clinicName" | "supportPhone" | "supportEmail">;
  /** True puts the clinic's name on top, false the portal's. */
  isFromClinic?: boolean;
  isTest?: boolean;
}

/**
 * Composes a mail to somebody who is no patient from the current texts. A paragraph that is only a link becomes a
 * button text.
 */
export async function composeMail(
  db: DbOrTx,
  kind: TemplateKind,
  { values, ...options }: MailOptions & { values: Values },
) {
  const compose = await mailComposer(db, kind, options);
  return compose(values);
}

export async function mailComposer(
  db: DbOrTx,
  kind: TemplateKind,
  { config, isFromClinic = false, isTest = false }: MailOptions,
): Promise<(values: Values) => ReturnType<typeof renderMail>> {
  const text = await readText(db, kind, "email");
  if (text === null) throw new Error(`${kind} is no mail.`);
  const letterhead = await readLetterhead(db, config);
  const productName = isFromClinic ? letterhead.clinicName : config.productName;
  const answer = answerSentence(letterhead, messageTemplates[kind].receiver);
  const ofPortal = { portal: config.productName, support: config.supportEmail, supporttelefon: config.supportPhone };
  return (given) => {
    const values = { ...noValues, ...ofPortal, ...given };
    const paragraphs = text.body
      .split(/\n{2,}/)
      .filter((paragraph) => missingValues(paragraph, values).length === 0)
      .map((paragraph) => {
        const link = loneLink(paragraph);
        return link ? { link: values[link.name]!, text: link.linkText } : fillPlaceholders(paragraph, values);
      });
    return renderMail({
      productName,
      subject: (isTest ? "TEST: " : "") + fillPlaceholders(text.subject, values),
      paragraphs,
      answer,
    });
  };
}
