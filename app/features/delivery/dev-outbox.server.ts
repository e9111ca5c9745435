import { randomUUID } from "node:crypto";
import { z } from "zod";
import { execute, external, plainInput, read, wholeNumber } from "~/access/operation.server";
import { sealedReply } from "~/access/sealed-column.server";
import { Refusal } from "~/access/refusal";
import { requiredText } from "~/text/fields.server";
import { channels } from "./channels/index.server";
import type { EmailContent, LetterContent, SmsContent } from "./port";
import { type ChannelName, channelNames } from "./delivery-outcome";
import type { Kind } from "./message-kinds";
import { findAttachedFile, findNewest, findOutboxMessage } from "./store.server";
import { unsealMessage } from "./sealed-message.server";
import { listReplies } from "./receipt-store.server";
import { receiveSmsEvent } from "./receive-reports.server";

const MAX_SHOWN = 50;

/** Channels by the page's tab. Images for the archive are many and have no text, so only `andet` shows them. */
const tabs = {
  alle: channelNames.filter((name) => name !== "archive"),
  sms: ["sms"],
  mail: ["email"],
  eboks: ["eboks"],
  brev: ["print"],
  andet: ["edi", "archive"],
} as const satisfies Record<string, readonly ChannelName[]>;

export type OutboxTab = keyof typeof tabs;

/** Development only: the newest 50 messages of a tab, and replies, decrypted. */
export const readDevOutbox = read({
  name: "readDevOutbox",
  permission: "development",
  input: z.object({ type: z.enum(Object.keys(tabs) as OutboxTab[]).catch("alle") }),
  async run({ db, portal }, { type }) {
    const { secrets, config } = portal;
    const replies = (await listReplies(db, MAX_SHOWN)).flatMap((row) => {
      const content = sealedReply.open(secrets, row);
      return content === null
        ? []
        : [{ ...(JSON.parse(content) as { from: string; text: string }), id: row.id, at: row.receivedAt }];
    });
    return {
      type,
      sender: { mail: config.mailFrom, sms: config.sms.sender },
      channels: channelNames.map((name) => ({ name, label: channels[name].gateway(portal).label })),
      messages: (await findNewest(db, tabs[type], MAX_SHOWN)).map((row) => {
        const { to, content } = unsealMessage(secrets, row);
        const parsed =
          content === null ? null : (JSON.parse(content) as SmsContent & Partial<EmailContent & LetterContent>);
        return {
          id: row.id,
          channel: row.channel as ChannelName,
          kind: row.kind as Kind,
          to,
          subject: parsed?.subject ?? parsed?.title ?? null,
          text: parsed?.text ?? null,
          hasFile: row.storedFileId !== null,
          outcome: row.outcome,
          code: row.code,
          detail: row.detail,
          attempts: row.attempts,
          at: row.createdAt,
          replies: row.channel === "sms" ? replies.filter(({ from }) => from === to) : [],
        };
      }),
    };
  },
});

/** Development only: a reply as the SMS provider would report it. Throws `notInScope` unless the message is an SMS. */
export const answerSms = external({
  name: "answerSms",
  permission: "development",
  input: z.object({ outboxId: wholeNumber, text: requiredText("Skriv et svar.", 1000) }),
  async prepare({ db, portal, caller }, { outboxId, text }) {
    const message = await findOutboxMessage(db, outboxId);
    const from = message?.channel === "sms" ? unsealMessage(portal.secrets, message).to : null;
    if (from === null) throw new Refusal("notInScope");
    const provider = { ...caller, actor: { kind: "system", job: "development" } as const };
    await execute(portal, provider, receiveSmsEvent, plainInput({ kind: "reply", eventId: randomUUID(), from, text }));
  },
  run: async () => ({}),
});

/** Whether development pages exist; in production they answer 404. */
export const readDevelopmentPage = read({
  name: "readDevelopmentPage",
  permission: "development",
  async run() {
    return {};
  },
});

/** The file of a message; development only. Throws `notInScope` without one. */
export const downloadDevLetter = read({
  name: "downloadDevLetter",
  permission: "development",
  input: z.object({ outboxId: wholeNumber.positive() }),
  async run({ db, portal }, { outboxId }) {
    const file = await findAttachedFile(db, outboxId);
    if (!file) throw new Refusal("notInScope");
    return {
      fileName: file.name,
      mime: file.mime,
      sizeBytes: file.sizeBytes,
      disposition: "inline" as const,
      open: () => portal.files.openRead(file.storageKey),
    };
  },
});
