import { setTimeout as rest } from "node:timers/promises";
import type { Readable } from "node:stream";
import { z } from "zod";
import { newPdf, printable } from "~/files/pdf/printable.server";
import { writeDateTime, showDay, toMoment, localDate } from "~/text/dates";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { unsealFilter } from "~/lists/filter.server";
import type { Db } from "~db/connection.server";
import { accesses } from "./access-list.server";
import { findPatientEvents, type PatientEvent } from "./store.server";
import { auditWords, roleWords } from "./words/audit-words";
import { readLetterhead } from "~/features/settings/settings.server";

interface InsightLine {
  day: string;
  what: string;
  purpose: string;
  role: string;
}

interface Insight {
  clinicName: string;
  cpr: string;
  writtenAt: Date;
  lines: AsyncIterable<InsightLine>;
}

const margins = { left: 57, right: 57, top: 57, bottom: 57 };
const columns = [
  { key: "day", head: "Dato", x: 57, width: 64 },
  { key: "what", head: "Hvad", x: 125, width: 178 },
  { key: "purpose", head: "Formål", x: 309, width: 128 },
  { key: "role", head: "Rolle", x: 443, width: 96 },
] as const;
const ink = "#16232E";
const quiet = "#4B5B69";

const AHEAD_BYTES = 64 * 1024;
const REST_MS = 10;

function streamInsight(insight: Insight): Readable {
  const doc = newPdf({
    margins,
    info: { Title: "Indsigt i log", Author: printable(insight.clinicName), CreationDate: insight.writtenAt },
  });
  const stream = doc as unknown as Readable;
  write(doc, stream, insight).catch((error: unknown) => stream.destroy(error as Error));
  return stream;
}

async function write(doc: PDFKit.PDFDocument, stream: Readable, { clinicName, cpr, writtenAt, lines }: Insight) {
  const root = doc.struct("Document");
  doc.addStructure(root);
  const part = (tag: "H1" | "P", draw: () => void) => root.add(doc.struct(tag, {}, draw));
  doc.font("strong").fontSize(18).fillColor(ink);
  part("H1", () => void doc.text("Indsigt i log"));
  doc.font("regular").fontSize(10.5).fillColor(quiet).moveDown(0.4);
  part(
    "P",
    () => void doc.text(printable(`${clinicName}. CPR-nummer ${cpr}. Dannet ${writeDateTime(toMoment(writtenAt))}.`)),
  );
  part(
    "P",
    () =>
      void doc.text(
        "Hver linje siger, hvad der er set eller gjort en dag, hvad det var til, og hvilken rolle den havde, der gjorde det.",
      ),
  );
  doc.moveDown(0.8);
  const line = (texts: Record<(typeof columns)[number]["key"], string>) => {
    const drawn = columns.map(({ key, ...column }) => ({ ...column, text: printable(texts[key]) }));
    const height = Math.max(...drawn.map(({ text, width }) => doc.heightOfString(text, { width })));
    if (doc.y + height > doc.page.height - margins.bottom) doc.addPage();
    const top = doc.y;
    part("P", () => {
      for (const { text, x, width } of drawn) doc.text(text, x, top, { width });
    });
    doc.x = margins.left;
    doc.y = top + height + 3;
  };
  doc.font("strong").fontSize(9.5).fillColor(ink);
  line(
    Object.fromEntries(columns.map(({ key, head }) => [key, head])) as Record<(typeof columns)[number]["key"], string>,
  );
  doc.font("regular");
  let isEmpty = true;
  for await (const each of lines) {
    isEmpty = false;
    line({ ...each, day: showDay(each.day) });
    while (stream.readableLength > AHEAD_BYTES && !stream.destroyed) await rest(REST_MS);
    if (stream.destroyed) return;
  }
  if (isEmpty) part("P", () => void doc.text("Ingen har set eller ændret noget.", margins.left));
  root.end();
  doc.end();
}

const BATCH_SIZE = 500;

/**
 * 'Indsigt i log': who has seen a patient's data, for the patient, without names. Throws `notInScope` without a whole
 * CPR number.
 */
export const downloadInsight = read({
  name: "downloadInsight",
  permission: "audit.read",
  input: z.object({ f: z.string().max(8000) }),
  async run({ db, portal, person, now, concerns, auditRead }, { f }) {
    const cpr = unsealFilter(accesses, portal.secrets, person, f)?.cpr;
    if (!cpr?.includes("-")) throw new Refusal("notInScope", { text: "Søg efter hele CPR-nummeret først." });
    concerns({ cpr });
    auditRead([], "insight");
    const { clinicName } = await readLetterhead(db, portal.config);
    const lines = linesOf(db, portal.secrets.lookups("cpr", cpr));
    return {
      fileName: "indsigt-i-log.pdf",
      mime: "application/pdf",
      disposition: "attachment" as const,
      open: () => streamInsight({ clinicName, cpr, writtenAt: now, lines }),
    };
  },
});

/** Repeated events of one role and purpose on a day become one line. */
async function* linesOf(db: Db, cprHashes: string[]): AsyncGenerator<InsightLine> {
  let after: PatientEvent | null = null;
  let day = "";
  let seenLines = new Set<string>();
  for (;;) {
    const events: PatientEvent[] = await findPatientEvents(db, cprHashes, { after, limit: BATCH_SIZE });
    for (const event of events) {
      const today = localDate(new Date(event.at));
      if (today !== day) [day, seenLines] = [today, new Set()];
      const line = { day, ...auditWords(event.operation), role: roleWords(event.actorKind, event.role) };
      const key = `${line.what} ${line.purpose} ${line.role}`;
      if (!seenLines.has(key)) yield line;
      seenLines.add(key);
    }
    after = events.at(-1) ?? null;
    if (events.length < BATCH_SIZE) return;
  }
}
