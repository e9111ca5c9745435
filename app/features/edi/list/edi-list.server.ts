import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import { type DbOrTx, idsOf, referralIdsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import {
  type EdiState,
  ediStates,
  type EdiKind,
  type EdiReason,
  cprOfLetter,
  type MessageContent,
  letterBrief,
  senderName,
  type StoredLetter,
  ediLetterOutcomes,
  type EdiLetterState,
  ediLetterStates,
} from "../edi-states";
import { defineList, type RowOf } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import type { FilterDefinitions } from "~/lists/filters";
import { read, type ResultOf } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { sealedEdiMessage, sealedCpr } from "~/access/sealed-column.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { senderKeyOf } from "../place/find-sender.server";
import { countWaitingForPerson, type EdiMessage, findEdiMessage } from "../store/edi-store.server";
import { findFilesOf } from "../store/edi-object-store.server";
import { compareLetters } from "../place/compare-letters";
import { numberedInput, readNumberedPage, visitNumberFilter, newestFirst } from "~/lists/list-page.server";
import type { Portal } from "~/portal.server";
import { joinedName } from "~/text/names";
import { READABLE_AGAIN } from "../decide/operations.server";
import { findOpenOfPatient } from "~/features/referrals/store/received-referral-store.server";
import { channels } from "~/features/delivery/channels/index.server";
import { readMessageOf } from "~/features/delivery/read-messages.server";
import { findLetterReceipts, type LetterReceipt } from "../receipts/process-receipt.server";
import { ofVisitNumber } from "~/features/logs/log-list.server";

interface EdiFilter {
  visitNumber?: number;
  state?: EdiState;
}

const filters: FilterDefinitions<EdiFilter> = {
  visitNumber: visitNumberFilter,
  state: { label: "Status", control: "text", isFirst: true },
};

type OnMessage = ExpressionBuilder<Database, "edi_message">;

const stateNames = Object.keys(ediStates) as [EdiState, ...EdiState[]];

const ediList = defineList({
  name: "edi messages",
  filters,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnMessage, visitNumber: number) => eb("edi_message.referral_id", "=", visitNumber),
    },
    state: {
      schema: z.enum(stateNames),
      where: (eb: OnMessage, state: EdiState) => eb("edi_message.state", "=", state),
    },
  },
  ...newestFirst("edi_message.id"),
  scope: (db: DbOrTx) => db.selectFrom("edi_message"),
  select: (rows) =>
    rows
      .innerJoin("edi_file", "edi_file.id", "edi_message.file_id")
      .leftJoin("outbox", "outbox.id", "edi_message.receipt_outbox_id")
      .leftJoin("referral", "referral.id", "edi_message.referral_id")
      .leftJoin("user as decider", "decider.id", "edi_message.decided_by")
      .select([
        "edi_message.id",
        "edi_message.received_at",
        "edi_message.kind",
        "edi_message.type",
        "edi_message.letter_id",
        "edi_message.envelope_id",
        "edi_message.row_key",
        "edi_message.content_encrypted",
        "edi_message.state",
        "edi_message.reason",
        "edi_message.detail",
        "edi_message.referral_id",
        "edi_message.duplicate_of",
        "edi_message.decided_at",
        "edi_file.stored_file_id",
        "outbox.kind as receipt_kind",
        "outbox.outcome as receipt_outcome",
        "referral.referrer_id",
        "decider.first_name as decider_first_name",
        "decider.last_name as decider_last_name",
      ]),
});

export const listEdi = read({
  name: "listEdi",
  permission: "edi.manage",
  input: z.object({
    state: z.enum(stateNames).nullish().catch(null),
    ...numberedInput,
  }),
  async run({ db, portal, person, now, auditRead, auditStrangers }, { visitNumber, state, ...input }) {
    const { rows, page } = await readNumberedPage(portal, person, ediList, { visitNumber, state }, input);
    const earlier = await findEarlier(db, portal.secrets, rows);
    auditRead(referralIdsOf([...rows, ...earlier.values()]));
    const contents = new Map(rows.map((row) => [row.id, contentOf(portal.secrets, row)]));
    auditStrangers(
      rows.flatMap((row) => {
        const letter = contents.get(row.id)?.letter ?? null;
        return row.referral_id === null && patientIn(letter) !== null
          ? { cpr: cprOfLetter(letter), where: `EDI message ${row.id}` }
          : [];
      }),
    );
    const files = await findFilesOf(db, idsOf(rows));
    return {
      ...page,
      log: "edi" as const,
      state: state ?? null,
      failures: await countOpenFailures(portal, now),
      inbox: portal.ediInbox?.label ?? null,
      waiting: await countWaitingForPerson(db),
      rows: await Promise.all(
        rows.map((row) => showMessage(db, portal, row, contents.get(row.id) ?? null, files, earlier)),
      ),
    };
  },
});

export type EdiPage = ResultOf<typeof listEdi>;

type Row = RowOf<typeof ediList>;

function contentOf(secrets: Secrets, row: Row): MessageContent | null {
  const text = row.content_encrypted === "" ? null : sealedEdiMessage.open(secrets, row);
  return text === null ? null : (JSON.parse(text) as MessageContent);
}

const patientIn = (letter: StoredLetter | null) =>
  letter === null || letter.kind === "receipt" ? null : letter.patient;

async function findEarlier(db: DbOrTx, secrets: Secrets, rows: readonly Row[]): Promise<Map<number, EdiMessage>> {
  const earlier = new Map<number, EdiMessage>();
  for (const { id, state, duplicate_of: before } of rows) {
    if (state !== "person" || before === null) continue;
    const message = await findEdiMessage(db, secrets, before);
    if (message !== null) earlier.set(id, message);
  }
  return earlier;
}

async function showMessage(
  db: DbOrTx,
  portal: Portal,
  row: Row,
  content: MessageContent | null,
  files: Awaited<ReturnType<typeof findFilesOf>>,
  earlier: ReadonlyMap<number, EdiMessage>,
) {
  const letter = content?.letter ?? null;
  const state = row.state as EdiState;
  const patient = patientIn(letter);
  const cpr = cprOfLetter(letter);
  const isOpen = state === "person" || state === "waiting";
  const own = <T extends { message_id: number }>(all: T[]) => all.filter(({ message_id: id }) => id === row.id);
  return {
    id: row.id,
    receivedAt: row.received_at,
    kind: row.kind as EdiKind,
    type: row.type,
    letterId: row.letter_id,
    envelopeId: row.envelope_id,
    sender: content === null ? null : senderName(content),
    ...(isOpen ? letterBrief(letter) : { isUrgent: false, priority: null, firstLine: null }),
    patient:
      patient === null
        ? null
        : { name: `${patient.firstName} ${patient.lastName}`.trim(), cpr: patient.cpr ?? patient.writtenId },
    registerName: content?.registerName ?? null,
    state,
    reason: row.reason as EdiReason | null,
    detail: row.detail,
    words: letter?.kind === "receipt" ? (letter.originals[0]?.refuseText ?? letter.refuseText) : null,
    referralId: row.referral_id,
    duplicateOf: row.duplicate_of,
    earlier: earlierOf(earlier.get(row.id), letter),
    receipt: row.receipt_outcome,
    isRemoved: content === null,
    files: own(files.objects).map(({ file_name: name, refused }) => ({ name, refused })),
    lacks: own(files.missing).map(({ description, object_id: id, missing_since: since }) => ({
      name: description ?? id,
      isLate: since !== null,
    })),
    decided:
      row.decided_at === null
        ? null
        : { at: row.decided_at, by: joinedName(row.decider_first_name, row.decider_last_name) ?? "" },
    can: {
      import: isOpen && letter?.kind === "referral",
      needsCpr: cpr === null,
      attach: isOpen && letter !== null,
      candidates: isOpen && cpr !== null ? await findOpenOfPatient(db, portal.secrets, cpr) : [],
      dismiss: isOpen,
      readAgain: (READABLE_AGAIN as readonly EdiState[]).includes(state) && row.stored_file_id !== null,
      link:
        state === "imported" && letter?.kind === "referral" && row.referrer_id === null && senderKeyOf(letter) !== null,
    },
  };
}

function earlierOf(earlier: EdiMessage | undefined, letter: StoredLetter | null) {
  const before = earlier?.content?.letter ?? null;
  if (earlier === undefined || before === null || letter === null) return null;
  return { referralId: earlier.referral_id, differences: compareLetters(before, letter) };
}

interface EdiLetterFilter {
  visitNumber?: number;
  state?: EdiLetterState;
}

const letterFilters: FilterDefinitions<EdiLetterFilter> = {
  visitNumber: visitNumberFilter,
  state: { label: "Status", control: "text", isFirst: true },
};

type OnSending = ExpressionBuilder<Database, "outbox">;

const letterStateNames = Object.keys(ediLetterStates) as [EdiLetterState, ...EdiLetterState[]];

const ediLetterList = defineList({
  name: "edi letters",
  filters: letterFilters,
  rules: {
    visitNumber: ofVisitNumber,
    state: {
      schema: z.enum(letterStateNames),
      where: (eb: OnSending, state: EdiLetterState) => eb("outbox.outcome", "in", [...ediLetterOutcomes[state]]),
    },
  },
  ...newestFirst("outbox.id"),
  scope: (db: DbOrTx) =>
    db.selectFrom("outbox").where("outbox.channel", "=", "edi").where("outbox.kind", "=", "dischargeLetter"),
  select: (rows) =>
    rows
      .leftJoin("referral", "referral.id", "outbox.referral_id")
      .leftJoin("user as receiver", "receiver.id", "outbox.user_id")
      // After several sendings the letter names only the newest.
      .leftJoin("discharge_letter as letter", "letter.edi_outbox_id", "outbox.id")
      .leftJoin("outbox as mail", "mail.id", "letter.outbox_id")
      .select([
        "outbox.id",
        "outbox.referral_id",
        "outbox.row_key",
        "outbox.recipient_encrypted",
        "outbox.content_encrypted",
        "outbox.created_at",
        "outbox.sent_at",
        "outbox.outcome",
        "outbox.detail",
        "referral.first_name",
        "referral.last_name",
        "referral.cpr_encrypted",
        "referral.row_key as referral_row_key",
        "receiver.first_name as receiver_first_name",
        "receiver.last_name as receiver_last_name",
        "letter.letter_number",
        "letter.deleted_at as letter_deleted_at",
        "mail.outcome as mail_outcome",
      ]),
});

/**
 * A page of the discharge letters sent by EDI, newest first, each with its receipts. `visitNumber` is the referral's
 * number as typed; text that is no number matches nothing and sets `isWrongNumber`. An unknown `state` is ignored.
 */
export const listEdiLetters = read({
  name: "listEdiLetters",
  permission: "edi.manage",
  input: z.object({
    state: z.enum(letterStateNames).nullish().catch(null),
    ...numberedInput,
  }),
  async run({ db, portal, person, now, auditRead }, { visitNumber, state, ...input }) {
    const { rows, page } = await readNumberedPage(portal, person, ediLetterList, { visitNumber, state }, input);
    auditRead(referralIdsOf(rows));
    const receipts = await findLetterReceipts(db, idsOf(rows));
    return {
      ...page,
      log: "ediLetters" as const,
      state: state ?? null,
      failures: await countOpenFailures(portal, now),
      waiting: await countWaitingForPerson(db),
      isEdiSet: portal.edi.mode !== "notConfigured",
      receiptHours: channels.edi.awaitHours(portal),
      rows: rows.map((row) => showSending(portal.secrets, row, receipts.get(row.id) ?? [])),
    };
  },
});

export type EdiLetterPage = ResultOf<typeof listEdiLetters>;

function showSending(secrets: Secrets, row: RowOf<typeof ediLetterList>, receipts: LetterReceipt[]) {
  return {
    id: row.id,
    referralId: row.referral_id,
    createdAt: row.created_at,
    to: readMessageOf(secrets, row).to,
    receiver: joinedName(row.receiver_first_name, row.receiver_last_name),
    patient: {
      name: joinedName(row.first_name, row.last_name),
      cpr: sealedCpr.open(secrets, { row_key: row.referral_row_key, cpr_encrypted: row.cpr_encrypted }),
    },
    letterNumber: row.letter_deleted_at === null ? row.letter_number : null,
    edi: {
      outcome: row.outcome,
      detail: row.detail,
      sentAt: row.sent_at,
      mail: row.mail_outcome,
      receipts,
    },
  };
}
