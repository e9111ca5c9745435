import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { unsealFilter } from "~/lists/filter.server";
import { localDate } from "~/text/dates";
import type { Db } from "~db/connection.server";
import { accesses } from "./access-list.server";
import { findPatientEvents, type PatientEvent } from "./access-log-store.server";
import { type InsightLine, streamInsight } from "./insight-pdf.server";
import { auditWords, roleWords } from "./words/audit-words";
import { readLetterhead } from "~/features/settings/settings.server";

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
      const line = { day, ...auditWords(event.operation), role: roleWords(event.actor_kind, event.role) };
      const key = `${line.what} ${line.purpose} ${line.role}`;
      if (!seenLines.has(key)) yield line;
      seenLines.add(key);
    }
    after = events.at(-1) ?? null;
    if (events.length < BATCH_SIZE) return;
  }
}
