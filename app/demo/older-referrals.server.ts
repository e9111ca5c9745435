import type { InsertObject } from "kysely";
import { inTransaction, type Tx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { sealedAppointmentLetter, sealedCallUp, sealedCpr } from "~/access/sealed-column.server";
import { channels } from "~/features/delivery/channels/index.server";
import { messageKinds } from "~/features/delivery/message-kinds";
import { numberHash, sealMessage } from "~/features/delivery/sealed-message.server";
import { defaultText } from "~/features/delivery/templates/message-templates";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { letterBody, letterSubject } from "~/features/discharge-letters/letter-text";
import { readLetterLayout, renderLetter } from "~/features/letters/letter-pdf.server";
import { appointmentWays, callUpWays } from "~/features/patient-messages/ways";
import { IN_TREATMENT, statuses } from "~/features/referrals/model/statuses";
import { insertReferrals } from "~/features/referrals/store/referral-store.server";
import { storeLetter } from "~/files/store-file.server";
import { insertStoredFile } from "~/files/stored-file-store.server";
import type { Portal } from "~/portal.server";
import { showDay, toMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { inParts } from "./bulk-history.server";
import { insertPatients } from "./bulk-people.server";
import { demoClinic } from "./content/clinics.server";
import { byEdi } from "./demo-desk.server";
import type { StoryClock, Tale } from "./demo-scenario.server";
import { letterTexts } from "./demo-treatments.server";
import { courseOf, type Happening, type Message, type Older, type OlderCourse } from "./older-course.server";

const BATCH_SIZE = 100;

/**
 * Inserts referrals that are over, many rows at a time: playing one takes a tenth of a second. What happens to them
 * after `playedFrom` is inserted in its turn, so that ids rise with their times.
 */
export async function* olderTale(past: Portal, clock: StoryClock, all: Older[], playedFrom: number): Tale {
  if (all.length === 0) return;
  yield all[0]!.starts;
  const patients = await insertPatients(
    past,
    all.map(({ story }) => story.patient),
    clock.now(),
  );
  const types = await past.db.selectFrom("treatmentType").select(["id", "name"]).execute();
  const courses = all.map((older, index) => {
    const { patient, case: filled } = older.story;
    const treatmentTypeId = types.find(({ name }) => name === filled.treatment.name)!.id;
    return courseOf(past, clock, older, { id: index + 1, patientId: patients.get(patient.cpr)!, treatmentTypeId });
  });
  const history = courses
    .flatMap((course) => course.history.map((happening) => ({ ...happening, course })))
    .sort((first, second) => first.when - second.when);
  const before = history.filter(({ when }) => when < playedFrom);
  for (const course of courses)
    if (course.row.hasDischargeLetter) course.letter.diagnosisFileId = await storePdf(past, course);
  await inTransaction(past.db, async (tx) => {
    for (const part of inParts(courses, BATCH_SIZE))
      await insertReferrals(
        tx,
        part.map(({ row }) => row),
      );
    for (const part of inParts(before, BATCH_SIZE))
      await insertHistory(tx, past, part, ({ when }) => clock.momentOf(when));
  });
  for (const happening of history.slice(before.length)) {
    yield happening.when;
    await inTransaction(past.db, (tx) => insertHistory(tx, past, [happening], () => clock.now()));
  }
}

/** Draws and stores the PDF of a discharge letter; returns its number. */
async function storePdf(past: Portal, { story, surgeon, row, writtenAt }: OlderCourse): Promise<number> {
  const { pdf } = await renderLetter({
    ...(await readLetterLayout(past)),
    address: [],
    subject: letterSubject(row.id),
    body: letterBody(letterTexts(story), {
      receiver: fullName(story.referrer),
      patientName: fullName(row),
      cpr: sealedCpr.open(past.secrets, row),
      referralId: row.id,
      surgeon: fullName(surgeon),
      clinicName: demoClinic.clinicName,
      images: [],
    }),
    writtenAt,
  });
  const stored = await storeLetter(past, { name: `Udskrivningsbrev_${row.id}_1.pdf`, pdf });
  return insertStoredFile(past.db, stored, writtenAt);
}

type Told = Happening & { course: OlderCourse };

async function newestId(tx: Tx, table: "outbox" | "auditEvent"): Promise<number> {
  const newest = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  return Number(newest.id ?? 0);
}

async function insertRows<T extends keyof Database>(
  tx: Tx,
  table: T,
  rows: InsertObject<Database, T>[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
}

/** Inserts the log lines, messages, letters and audit events of happenings in order of time. */
async function insertHistory(tx: Tx, { secrets }: Portal, part: Told[], momentOf: (told: Told) => Date): Promise<void> {
  const happenings = part.map((told) => ({ ...told, at: toMoment(momentOf(told)), referralId: told.course.row.id }));
  const lines = happenings.flatMap(({ at, referralId, by, status = null, event = null, messages = [] }) => {
    const line = { referralId, at, modifierId: null, modifierName: "Systemet", status: null, logType: null };
    const whose = by === null ? line : { ...line, modifierId: by.id, modifierName: fullName(by) };
    const sent = messages.map(({ kind, channel }) => ({
      ...line,
      event: `${messageKinds[kind].label}: Sendt`,
      logType: channels[channel].logType,
    }));
    return [{ ...whose, status, event }, ...sent];
  });
  await insertRows(tx, "visitLog", lines);
  await insertMessages(tx, secrets, happenings);
  const cancelled = happenings.flatMap(({ referralId, at, cancels: operationMoment }) =>
    operationMoment === undefined
      ? []
      : [{ referralId, at, operationMoment, answer: "cancelled", source: "sms", statusBefore: IN_TREATMENT }],
  );
  await insertRows(tx, "appointmentAnswer", cancelled);

  let id = await newestId(tx, "auditEvent");
  const addressHash = secrets.lookup("audit", "127.0.0.1");
  const events = happenings.flatMap(({ at, referralId, by, operation, status, messages = [] }) => {
    const bySystem = { at, outcome: "done", site: "inside", addressHash, actorKind: "system", purpose: "operation" };
    const byPerson = by && { actorKind: "person", actorId: by.id, role: by.roles.join("+"), purpose: "treatment" };
    const detail = operation === "setStatus" ? `status ${status}` : null;
    const sendings = messages.map(({ kind }) => ({ operation: "outbox.send", detail: `${kind}: sent` }));
    return [{ ...byPerson, operation, detail }, ...sendings].map((event) => ({
      referralId,
      event: { ...bySystem, ...event, id: (id += 1) },
    }));
  });
  await insertRows(
    tx,
    "auditEvent",
    events.map(({ event }) => event),
  );
  await insertRows(
    tx,
    "auditReferral",
    events.map(({ referralId, event }) => ({ referralId, auditEventId: event.id })),
  );
}

/** Inserts the messages of happenings, and the call-ups, letters and bills that name them. */
async function insertMessages(
  tx: Tx,
  secrets: Portal["secrets"],
  happenings: (Told & { at: string })[],
): Promise<void> {
  let id = await newestId(tx, "outbox");
  const sent = happenings.flatMap((told) =>
    (told.messages ?? []).map((message) => ({ ...sentMessage(secrets, message, told), told, id: (id += 1) })),
  );
  const of = (kind: Message["kind"]) =>
    sent
      .filter(({ row }) => row.kind === kind)
      .map(({ row, words, told, id: outboxId }) => {
        const { referralId, createdAt, channel } = row;
        return { named: { referralId, createdAt, outboxId }, channel, words, told };
      });
  await insertRows(
    tx,
    "outbox",
    sent.map(({ row, id: outboxId }) => ({ ...row, id: outboxId })),
  );
  await insertRows(
    tx,
    "callUp",
    of("callUp").map(({ named, channel, words }) => ({
      ...named,
      ...sealedCallUp.seal(secrets, words),
      callUpType: callUpWays.find((way) => way.channel === channel)!.value,
      callUpStatus: 1,
    })),
  );
  await insertRows(
    tx,
    "appointmentLetter",
    of("appointmentLetter").map(({ named, channel, words }) => ({
      ...named,
      ...sealedAppointmentLetter.seal(secrets, words),
      appointmentType: appointmentWays.find((way) => way.channel === channel)!.value,
      status: 0,
    })),
  );
  await insertRows(
    tx,
    "billingLetter",
    of("invoice").map(({ named }) => ({ ...named, kind: "invoice", status: 0 })),
  );
  const letters = of("dischargeLetter");
  const byMail = letters.filter(({ channel }) => channel === "email");
  await insertRows(
    tx,
    "dischargeLetter",
    byMail.map(({ named, told }) => ({
      ...told.course.letter,
      outboxId: named.outboxId,
      ediOutboxId: letters.find((letter) => letter.channel === "edi" && letter.told === told)?.named.outboxId ?? null,
    })),
  );
}

/** A message as its channel leaves it, in the portal's own words. */
function sentMessage(
  secrets: Portal["secrets"],
  { kind, channel }: Message,
  { at, by, status, course: { story, row } }: Told & { at: string },
) {
  const { patient, referrer } = story;
  const { subject, body } = defaultText(kind, channel) ?? { subject: "", body: "" };
  const values = {
    ...noValues,
    fornavn: patient.firstName,
    klinik: demoClinic.clinicName,
    telefon: demoClinic.phone,
    henvisningsnr: String(row.id),
    status: statuses.find(({ value }) => value === status)?.label ?? null,
    ...(row.operationDate === null
      ? {}
      : {
          dato: showDay(row.operationDate),
          klokkeslæt: `${row.operationHour}.${String(row.operationMinute).padStart(2, "0")}`,
        }),
  };
  const title = fillPlaceholders(subject, values);
  const text = fillPlaceholders(body, values).trim();
  const email = kind === "dischargeLetter" || kind === "statusNews" ? referrer.email : (patient.email ?? "");
  const ofChannel = {
    sms: { to: patient.mobilePhone ?? "", content: { text } },
    eboks: { to: patient.cpr, content: { title, text } },
    print: { to: "", content: { title, text } },
    email: { to: email, content: { subject: title, text, html: "" } },
    edi: { to: byEdi.get(referrer.userName) ?? "", content: null },
  };
  const { to, content } = ofChannel[channel];
  const sealed = {
    ...sealMessage(secrets, to, JSON.stringify(content)),
    recipientHash: channel === "sms" ? numberHash(secrets, to) : null,
    channel,
    kind,
    referralId: row.id,
    requestedBy: by?.id ?? null,
    outcome: "sent" as const,
    code: channel === "sms" ? 1 : 3,
    attempts: 1,
    createdAt: at,
    notBefore: at,
    sentAt: at,
    settledAt: at,
  };
  return { row: sealed, words: `${title}\n\n${text}` };
}
