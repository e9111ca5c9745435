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
  patientOfLetter,
  type MessageContent,
  letterBrief,
  senderName,
  type StoredLetter,
  textsOfLetter,
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
import { CLINICAL_LIMIT } from "~/text/limits";
import { joinedName } from "~/text/names";
import { READABLE_AGAIN } from "../decide/operations.server";
import { caveOf } from "~/features/referrals/model/cave";
import { cachedCriticalMedicines } from "~/features/referrals/model/critical-medicines.server";
import { mentionsIn } from "~/features/referrals/model/text-mentions.server";
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

type OnMessage = ExpressionBuilder<Database, "ediMessage">;

const stateNames = Object.keys(ediStates) as [EdiState, ...EdiState[]];

const ediList = defineList({
  name: "edi messages",
  filters,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnMessage, visitNumber: number) => eb("ediMessage.referralId", "=", visitNumber),
    },
    state: {
      schema: z.enum(stateNames),
      where: (eb: OnMessage, state: EdiState) => eb("ediMessage.state", "=", state),
    },
  },
  ...newestFirst("ediMessage.id"),
  scope: (db: DbOrTx) => db.selectFrom("ediMessage"),
  select: (rows) =>
    rows
      .innerJoin("ediFile", "ediFile.id", "ediMessage.fileId")
      .leftJoin("outbox", "outbox.id", "ediMessage.receiptOutboxId")
      .leftJoin("referral", "referral.id", "ediMessage.referralId")
      .leftJoin("user as decider", "decider.id", "ediMessage.decidedBy")
      .select([
        "ediMessage.id",
        "ediMessage.receivedAt",
        "ediMessage.kind",
        "ediMessage.type",
        "ediMessage.letterId",
        "ediMessage.envelopeId",
        "ediMessage.rowKey",
        "ediMessage.contentEncrypted",
        "ediMessage.state",
        "ediMessage.reason",
        "ediMessage.detail",
        "ediMessage.referralId",
        "ediMessage.duplicateOf",
        "ediMessage.decidedAt",
        "ediFile.storedFileId",
        "outbox.kind as receiptKind",
        "outbox.outcome as receiptOutcome",
        "referral.referrerId",
        "decider.firstName as deciderFirstName",
        "decider.lastName as deciderLastName",
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
        return row.referralId === null && patientOfLetter(letter) !== null
          ? { cpr: cprOfLetter(letter), where: `EDI message ${row.id}` }
          : [];
      }),
    );
    const files = await findFilesOf(db, idsOf(rows));
    // Both are read at once, so that one statement asks whether the cache is out of date.
    const [failures, medicines] = await Promise.all([countOpenFailures(portal, now), cachedCriticalMedicines(portal)]);
    return {
      ...page,
      log: "edi" as const,
      state: state ?? null,
      failures,
      inbox: portal.ediInbox?.label ?? null,
      waiting: await countWaitingForPerson(db),
      rows: await Promise.all(
        rows.map(async (row) => {
          const content = contents.get(row.id) ?? null;
          return {
            ...(await showMessage(db, portal, row, content, files, earlier)),
            ...healthWords(isOpen(row) ? content : null, medicines),
          };
        }),
      ),
    };
  },
});

export type EdiPage = ResultOf<typeof listEdi>;

type Row = RowOf<typeof ediList>;

function contentOf(secrets: Secrets, row: Row): MessageContent | null {
  const text = row.contentEncrypted === "" ? null : sealedEdiMessage.open(secrets, row);
  return text === null ? null : (JSON.parse(text) as MessageContent);
}

async function findEarlier(db: DbOrTx, secrets: Secrets, rows: readonly Row[]): Promise<Map<number, EdiMessage>> {
  const earlier = new Map<number, EdiMessage>();
  for (const { id, state, duplicateOf: before } of rows) {
    if (state !== "person" || before === null) continue;
    const message = await findEdiMessage(db, secrets, before);
    if (message !== null) earlier.set(id, message);
  }
  return earlier;
}

const isOpen = ({ state }: Row) => state === "person" || state === "waiting";

/** What a waiting letter says of allergies and the clinic's list of medicines (docs/rules/cave.md). */
function healthWords(content: MessageContent | null, medicines: readonly string[]) {
  const letter = content?.letter ?? null;
  const cave = letter?.kind === "referral" ? caveOf(healthOf(letter), medicines) : [];
  return { cave, mentions: mentionsIn(textsOfLetter(letter), medicines, cave) };
}

const healthOf = ({ cave, medicine }: Extract<StoredLetter, { kind: "referral" }>) => ({
  allergies: cave && cave.slice(0, CLINICAL_LIMIT),
  medication: medicine && medicine.slice(0, CLINICAL_LIMIT),
});

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
  const patient = patientOfLetter(letter);
  const cpr = cprOfLetter(letter);
  const waits = isOpen(row);
  const own = <T extends { messageId: number }>(all: T[]) => all.filter(({ messageId: id }) => id === row.id);
  return {
    id: row.id,
    receivedAt: row.receivedAt,
    kind: row.kind as EdiKind,
    type: row.type,
    letterId: row.letterId,
    envelopeId: row.envelopeId,
    sender: content === null ? null : senderName(content),
    ...(waits ? letterBrief(letter) : { isUrgent: false, priority: null, firstLine: null }),
    patient:
      patient === null
        ? null
        : { name: `${patient.firstName} ${patient.lastName}`.trim(), cpr: patient.cpr ?? patient.writtenId },
    registerName: content?.registerName ?? null,
    state,
    reason: row.reason as EdiReason | null,
    detail: row.detail,
    words: letter?.kind === "receipt" ? (letter.originals[0]?.refuseText ?? letter.refuseText) : null,
    referralId: row.referralId,
    duplicateOf: row.duplicateOf,
    earlier: earlierOf(earlier.get(row.id), letter),
    receipt: row.receiptOutcome,
    isRemoved: content === null,
    files: own(files.objects).map(({ fileName: name, refused }) => ({ name, refused })),
    lacks: own(files.missing).map(({ description, objectId: id, missingSince: since }) => ({
      name: description ?? id,
      isLate: since !== null,
    })),
    decided:
      row.decidedAt === null
        ? null
        : { at: row.decidedAt, by: joinedName(row.deciderFirstName, row.deciderLastName) ?? "" },
    can: {
      import: waits && letter?.kind === "referral",
      needsCpr: cpr === null,
      attach: waits && letter !== null,
      candidates: waits && cpr !== null ? await findOpenOfPatient(db, portal.secrets, cpr) : [],
      dismiss: waits,
      readAgain: (READABLE_AGAIN as readonly EdiState[]).includes(state) && row.storedFileId !== null,
      link:
        state === "imported" && letter?.kind === "referral" && row.referrerId === null && senderKeyOf(letter) !== null,
    },
  };
}

function earlierOf(earlier: EdiMessage | undefined, letter: StoredLetter | null) {
  const before = earlier?.content?.letter ?? null;
  if (earlier === undefined || before === null || letter === null) return null;
  return { referralId: earlier.referralId, differences: compareLetters(before, letter) };
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
      .leftJoin("referral", "referral.id", "outbox.referralId")
      .leftJoin("user as receiver", "receiver.id", "outbox.userId")
      // After several sendings the letter names only the newest.
      .leftJoin("dischargeLetter as letter", "letter.ediOutboxId", "outbox.id")
      .leftJoin("outbox as mail", "mail.id", "letter.outboxId")
      .select([
        "outbox.id",
        "outbox.referralId",
        "outbox.rowKey",
        "outbox.recipientEncrypted",
        "outbox.contentEncrypted",
        "outbox.createdAt",
        "outbox.sentAt",
        "outbox.outcome",
        "outbox.detail",
        "referral.firstName",
        "referral.lastName",
        "referral.cprEncrypted",
        "referral.rowKey as referralRowKey",
        "receiver.firstName as receiverFirstName",
        "receiver.lastName as receiverLastName",
        "letter.letterNumber",
        "letter.deletedAt as letterDeletedAt",
        "mail.outcome as mailOutcome",
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
    referralId: row.referralId,
    createdAt: row.createdAt,
    to: readMessageOf(secrets, row).to,
    receiver: joinedName(row.receiverFirstName, row.receiverLastName),
    patient: {
      name: joinedName(row.firstName, row.lastName),
      cpr: sealedCpr.open(secrets, { rowKey: row.referralRowKey, cprEncrypted: row.cprEncrypted }),
    },
    letterNumber: row.letterDeletedAt === null ? row.letterNumber : null,
    edi: {
      outcome: row.outcome,
      detail: row.detail,
      sentAt: row.sentAt,
      mail: row.mailOutcome,
      receipts,
    },
  };
}
