import { z } from "zod";
import { read } from "~/access/operation.server";
import { isStaff } from "~/access/actor";
import { ageOn } from "~/text/cpr";
import { isoMoment, localDate } from "~/text/dates";
import { filterFields } from "./filter-sql.server";
import { columns, type OverviewFilter } from "./filters";
import { countList, listOf } from "./overview-list.server";
import { findRows } from "./referral-list-store.server";

const isColumn = (key: number) => columns.some((column) => column.key === key);

/** Export by date read this many at a time (specification 1 §9). */
export const MOST_VISITS = 1000;

/**
 * A page of the actor's referrals with plain values (specification 1 §7, GET /Visits): the overview's filters and sort keys, default
 * statuses by role. What a role may not filter by is left out.
 */
export const listVisits = read({
  name: "listVisits",
  permission: "referral.read",
  input: z.object({
    filter: z.object(filterFields((schema) => schema.optional())),
    page: z.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.number().int().min(1).max(MOST_VISITS).default(20),
    orderBy: z.number().int().refine(isColumn, "Ukendt kolonne.").default(5),
    ascending: z.boolean().default(false),
  }),
  async run({ db, person, portal, now, saw }, { filter, page, pageSize, orderBy, ascending }) {
    const list = listOf(portal, person, filter as OverviewFilter, `${ascending ? "" : "-"}${orderBy}`);
    const totalEntities = await countList(portal, person, list.filter);
    const rows = totalEntities === 0 ? [] : await findRows(db, list, { from: null, towards: "end", skip: (page - 1) * pageSize, take: pageSize });
    saw(rows.map((row) => row.id));
    const staff = isStaff(person);
    return {
      totalEntities,
      visits: rows.map((row) => ({
        id: row.id,
        version: row.version,
        externalId: row.external_id,
        status: row.status,
        referenceType: row.reference_type,
        createDate: isoMoment(row.create_date),
        patientFirstName: row.first_name,
        patientLastName: row.last_name,
        patientAge: ageOn(row.birth_date, localDate(now)),
        cpr: portal.secrets.decrypt("cpr", row.cpr_encrypted ?? ""),
        isRadiographUploaded: row.has_radiographs === 1,
        isPdfFile: true,
        // To the clinic what it has not answered; to the referrer what the clinic has written since.
        haveUnansweredMessage: (staff ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
        isTestVisit: row.is_test === 1,
        ...(staff ? { externalDoctorId: row.external_doctor_id, exportedToCsv: row.exported_to_csv === 1 } : {}),
      })),
    };
  },
});
