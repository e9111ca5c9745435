import { Readable } from "node:stream";
import { z } from "zod";
import { type ReadContext, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { EmailContent, SmsContent } from "~/features/delivery/port";
import { readMessageOf, readReturnedTexts } from "~/features/delivery/read-messages.server";
import { findOutboxMessage } from "~/features/delivery/store.server";
import { hideSecrets } from "./hide-secrets";

const input = z.object({ messageId: z.coerce.number<unknown>().int().positive() });

async function openMessage({ db, portal, auditRead, concerns }: ReadContext, messageId: number) {
  const row = await findOutboxMessage(db, messageId);
  if (row === undefined || (row.channel !== "email" && row.channel !== "sms"))
    throw new Refusal("notInScope", { text: "Beskeden findes ikke." });
  if (row.user_id !== null) concerns({ userId: row.user_id });
  auditRead(row.referral_id === null ? [] : [row.referral_id], `message ${messageId}`);
  const { content } = readMessageOf<EmailContent & SmsContent>(portal.secrets, row);
  return { channel: row.channel, content, isRemoved: row.has_text === 0 };
}

export const readLogMessage = read({
  name: "readLogMessage",
  permission: "delivery.readLogs",
  input,
  async run(context, { messageId }) {
    const { channel, content, isRemoved } = await openMessage(context, messageId);
    return {
      messageId,
      channel,
      subject: channel === "email" ? (content?.subject ?? null) : null,
      text: content === null ? null : hideSecrets(content.text),
      returned: (await readReturnedTexts(context.db, context.portal.secrets, messageId)).map(hideSecrets),
      isRemoved,
    };
  },
});

export const readLogMail = read({
  name: "readLogMail",
  permission: "delivery.readLogs",
  input,
  async run(context, { messageId }) {
    const { channel, content } = await openMessage(context, messageId);
    if (channel !== "email" || content === null) throw new Refusal("notInScope", { text: "Mailen findes ikke." });
    const html = Buffer.from(hideSecrets(content.html), "utf8");
    return {
      fileName: "e-mail.html",
      mime: "text/html; charset=utf-8",
      sizeBytes: html.length,
      disposition: "inline" as const,
      isFramed: true,
      open: () => Readable.from([html]),
    };
  },
});
