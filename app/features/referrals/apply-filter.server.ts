import { z } from "zod";
import { change } from "~/access/operation.server";
import { paths } from "~/paths";
import { joinCprBoxes } from "~/text/cpr";
import { sealFilter } from "./filter-seal.server";
import { filterFields } from "./filter-sql.server";
import { filterFor, type OverviewFilter } from "./filters";

const blank = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const fields = filterFields((schema) => z.preprocess(blank, schema.optional()));

/** The form of a list's filter panel: CPR comes in two boxes, one status or one box alone comes as text. Its fields bear the filters' names. */
export const filterForm = z.preprocess(
  (raw) => {
    const { cpr6 = "", cpr4 = "", statuses = [], ...rest } = raw as Record<string, unknown>;
    return { ...rest, cpr: joinCprBoxes(String(cpr6), String(cpr4)), statuses: [statuses].flat() };
  },
  z.object({ ...fields, sort: z.string().max(10).optional() }).superRefine((form, context) => {
    const { dateFrom, dateTo } = form as OverviewFilter;
    if (dateFrom && dateTo && dateFrom > dateTo) {
      context.addIssue({ code: "custom", path: ["dateFrom"], message: "Fra-datoen kan ikke være efter til-datoen." });
    }
  }),
);

/** 'Søg': seals what was typed and answers where the list is; nothing about a patient reaches the address or is stored. */
export const applyFilter = change({
  name: "applyFilter",
  permission: "referral.read",
  input: filterForm,
  async run({ portal, person }, { sort, ...typed }) {
    const query = new URLSearchParams({ f: sealFilter(portal.secrets, person, filterFor(person, typed as OverviewFilter)) });
    if (sort) query.set("sort", sort);
    return { to: `${paths.overview}?${query.toString()}` };
  },
});
