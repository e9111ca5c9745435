import { z } from "zod";
import { lookUp, read, type ResultOf } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { openList } from "~/lists/define-list.server";
import { filterForm } from "~/lists/filter-rules.server";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sealFilter, unsealFilter } from "~/lists/seal-filter.server";
import { sortParam } from "~/lists/sort";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import type { Db } from "~db/connection.server";
import type { AccessFilter } from "./access-filters";
import { accesses } from "./access-list.server";
import {
  findPatientEvents,
  findReferralsOfEvents,
  NAMED_REFERRALS,
  type PatientEvent,
} from "./access-log-store.server";
import { type InsightLine, streamInsight } from "./insight-pdf.server";
import { auditWords, roleWords } from "./words/audit-words";

export const filterAccess = lookUp({
  name: "filterAccess",
  permission: "audit.read",
  input: filterForm(accesses.rules),
  async run({ portal, person }, { sort: _sort, cpr, visitNumber, userName, dateFrom, dateTo }) {
    const typed = { cpr, visitNumber, userName, dateFrom, dateTo } as AccessFilter;
    return { to: paths.accessLog(sealFilter(accesses, portal.secrets, person, typed)) };
  },
});

export const listAccess = read({
  name: "listAccess",
  permission: "audit.read",
  input: z.object(listInput(accesses)),
  async run({ db, portal, person, now, concerns, auditRead }, input) {
    const { typed: filter, shown } = requestedFilter(accesses, portal, person, input);
    const list = openList(accesses, portal.secrets, person, filter, null);
    const { rows, ...page } = await readPage(portal, person, list, input);
    const named = await findReferralsOfEvents(
      db,
      rows.map(({ id }) => id),
    );
    if (filter.cpr?.includes("-")) concerns({ cpr: filter.cpr });
    // Audits the referral asked about, not those in the rows: otherwise reading the log would fill it.
    auditRead(filter.visitNumber === undefined ? [] : [filter.visitNumber], "access log");
    return {
      ...page,
      log: "access" as const,
      visitNumber: filter.visitNumber === undefined ? "" : String(filter.visitNumber),
      sort: sortParam(list.sort),
      ...shown(),
      failures: await countOpenFailures(portal, now),
      rows: rows.map((row) => {
        const referrals = named.get(row.id) ?? [];
        return {
          id: row.id,
          at: row.at,
          actorKind: row.actor_kind,
          role: row.role,
          keyName: row.key_name,
          name: row.user_name === null ? null : fullName({ first_name: row.first_name!, last_name: row.last_name! }),
          userName: row.user_name,
          operation: row.operation,
          subjectUserName: row.subject_user_name,
          outcome: row.outcome,
          referrals: referrals.slice(0, NAMED_REFERRALS),
          hasMore: referrals.length > NAMED_REFERRALS,
        };
      }),
    };
  },
});

export type AccessPage = ResultOf<typeof listAccess>;

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
