import { addHours } from "date-fns";
import { forUpdate, type Tx, idsOf, referralIdsOf } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import type { Config } from "~/config/config.server";
import { toMoment } from "~/text/dates";
import { plainSms } from "~/text/sms";
import {
  type ChannelContent,
  type EmailToSend,
  type Envelope,
  type HooksByKind,
  type OutboxWriter,
  settledMessageOf,
  settledColumns,
} from "./port";
import type { ChannelName } from "./delivery-outcome";
import { expiryHours, type Kind, messageKinds } from "./message-kinds";
import { numberHash, sealMessage } from "./sealed-message.server";
import { refreshSmsSummary } from "./store.server";
import { RELEASED } from "./claim-store.server";

const BATCH_SIZE = 200;

interface Surroundings {
  secrets: Secrets;
  clock: { now(): Date };
  kindHooks: HooksByKind;
  config: Config;
}

export function outboxIn(tx: Tx, { secrets, clock, kindHooks, config }: Surroundings): OutboxWriter {
  const rowOf = <Name extends ChannelName>(channel: Name, envelope: Envelope, content: ChannelContent[Name]) => {
    const { kind, to, referralId, userId, requestedBy, notBefore, expiresAt, storedFileId, resendsId } = envelope;
    const { operationMoment = null } = envelope;
    if (messageKinds[kind].channels[channel] === undefined) throw new Error(`${kind} is not sent by ${channel}.`);
    const now = clock.now();
    const due = notBefore ?? now;
    return {
      channel,
      kind,
      referralId: referralId ?? null,
      userId: userId ?? null,
      requestedBy: requestedBy ?? null,
      storedFileId: storedFileId ?? null,
      resendsId: resendsId ?? null,
      operationMoment,
      ...sealMessage(secrets, to, JSON.stringify(content)),
      recipientHash: channel === "sms" ? numberHash(secrets, to) : null,
      outcome: "queued" as const,
      code: 0,
      attempts: 0,
      createdAt: toMoment(now),
      notBefore: toMoment(due),
      expiresAt: toMoment(expiresAt ?? addHours(due, expiryHours(kind, channel))),
      needsFiles: messageKinds[kind].needsFiles,
    };
  };
  const emailRow = ({ subject, text, html, ...envelope }: EmailToSend) =>
    rowOf("email", envelope, { subject, text, html });
  const insert = async (row: ReturnType<typeof rowOf>) => {
    const { insertId } = await tx.insertInto("outbox").values(row).executeTakeFirstOrThrow();
    return Number(insertId);
  };
  const waitingRows = () =>
    tx
      .selectFrom("outbox")
      .select([...settledColumns, "code"])
      .where("outcome", "=", "queued")
      .where("attempts", "=", 0)
      .where("sendingSince", "is", null);
  async function withdrawWaiting(
    narrow: (query: ReturnType<typeof waitingRows>) => ReturnType<typeof waitingRows>,
    detail: string | null = null,
  ) {
    const waiting = await forUpdate(tx, narrow(waitingRows())).execute();
    const [ids, now] = [idsOf(waiting), clock.now()];
    if (ids.length === 0) return waiting;
    await tx
      .updateTable("outbox")
      .set({ outcome: "withdrawn", detail, settledAt: toMoment(now), ...RELEASED })
      .where("id", "in", ids)
      .execute();
    for (const row of waiting) {
      if (row.channel === "sms" && row.referralId !== null) await refreshSmsSummary(tx, row.referralId);
      await kindHooks[row.kind as Kind].onSettled?.(
        { tx, outbox: writer, portal: { config }, now },
        settledMessageOf(row),
        { outcome: "withdrawn", code: row.code, detail },
      );
    }
    return waiting;
  }
  const writer: OutboxWriter = {
    async email(message) {
      if (message.to.trim() === "") throw new Error("A message needs a receiver.");
      return insert(emailRow(message));
    },
    async emails(messages) {
      // Without an address it could only fail.
      const toSomebody = messages.filter(({ to }) => to.trim() !== "");
      for (let start = 0; start < toSomebody.length; start += BATCH_SIZE) {
        await tx
          .insertInto("outbox")
          .values(toSomebody.slice(start, start + BATCH_SIZE).map(emailRow))
          .execute();
      }
    },
    async sms({ text, ...envelope }) {
      // A typographic dash would split one SMS into two parts.
      const id = await insert(rowOf("sms", envelope, { text: plainSms(text) }));
      if (envelope.referralId !== undefined) await refreshSmsSummary(tx, envelope.referralId);
      return id;
    },
    async eboks({ title, text, ...envelope }) {
      return insert(rowOf("eboks", envelope, { title, text }));
    },
    async print({ title, text, ...envelope }) {
      return insert(rowOf("print", envelope, { title, text }));
    },
    async archive(envelope) {
      return insert(rowOf("archive", envelope, null));
    },
    async edi(message) {
      return insert(rowOf("edi", message, "syntax" in message ? { syntax: message.syntax, text: message.text } : null));
    },
    async withdraw(kind, referralIds) {
      const withdrawn: number[] = [];
      for (let start = 0; start < referralIds.length; start += BATCH_SIZE) {
        const waiting = await withdrawWaiting((query) =>
          query.where("referralId", "in", referralIds.slice(start, start + BATCH_SIZE)).where("kind", "=", kind),
        );
        withdrawn.push(...referralIdsOf(waiting));
      }
      return withdrawn;
    },
    async withdrawTimes(referralId, detail) {
      const withdrawn = await withdrawWaiting(
        (query) => query.where("referralId", "=", referralId).where("operationMoment", "is not", null),
        detail,
      );
      return withdrawn.map(({ kind }) => kind as Kind);
    },
    async withdrawMessage(id) {
      return (await withdrawWaiting((query) => query.where("id", "=", id))).length > 0;
    },
    async redactSms(ids, text) {
      if (ids.length === 0) return [];
      const settled = await forUpdate(
        tx,
        tx.selectFrom("outbox").select("id").where("id", "in", ids).where("outcome", "not in", ["queued", "awaiting"]),
      ).execute();
      for (const { id } of settled) {
        await tx
          .updateTable("outbox")
          .set({ ...sealMessage(secrets, "", JSON.stringify({ text })), recipientHash: null })
          .where("id", "=", id)
          .execute();
      }
      return idsOf(settled);
    },
    async waitsForFiles(referralId, storedFileIds) {
      const waiting = await tx
        .selectFrom("outbox")
        .select("id")
        .where("referralId", "=", referralId)
        .where("needsFiles", "=", true)
        .where("outcome", "in", ["queued", "awaiting"])
        .$if(storedFileIds !== undefined, (query) =>
          query.where((eb) =>
            eb.or([eb("channel", "!=", "archive"), eb("storedFileId", "in", [-1, ...storedFileIds!])]),
          ),
        )
        .limit(1)
        .executeTakeFirst();
      return waiting !== undefined;
    },
  };
  return writer;
}
