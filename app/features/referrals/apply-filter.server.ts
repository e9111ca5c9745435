import { z } from "zod";
import { change } from "~/access/operation.server";
import { paths } from "~/paths";
import { joinCprBoxes, parseCpr } from "~/text/cpr";
import { parseDay } from "~/text/dates";
import { sealFilter } from "./filter-seal.server";
import type { OverviewFilter } from "./filters";
import { statuses } from "./status";

const blank = (value: string | undefined) => (value?.trim() ? value.trim() : undefined);
const day = z
  .string()
  .optional()
  .transform(blank)
  .refine((value) => value === undefined || parseDay(value) !== null, "Skriv en dato som dd.mm.åååå.")
  .transform((value) => (value === undefined ? undefined : parseDay(value)!));

const overviewFilterForm = z
  .object({
    patientName: z.string().max(200).optional().transform(blank),
    cpr6: z.string().max(20).optional().transform(blank),
    cpr4: z.string().max(10).optional().transform(blank),
    visitNumber: z
      .string()
      .optional()
      .transform(blank)
      .refine((value) => value === undefined || /^\d{1,9}$/.test(value), "Skriv nummeret med tal."),
    dateFrom: day,
    dateTo: day,
    statuses: z.array(z.coerce.number().int()).optional(),
    sort: z.string().max(10).optional(),
  })
  .transform((form, context): { filter: OverviewFilter; sort: string | undefined } => {
    const { cpr6 = "", cpr4 = "", visitNumber, statuses: chosen = [], sort, ...rest } = form;
    const bare = cpr6.replace(/[\s-]/g, "");
    const cpr = cpr4 === "" && /^\d{6}$/.test(bare) ? bare : parseCpr(joinCprBoxes(cpr6, cpr4));
    if (cpr === null && (cpr6 !== "" || cpr4 !== "")) {
      context.addIssue({ code: "custom", path: ["cpr6"], message: "Skriv seks cifre, eller hele CPR-nummeret." });
    }
    if (rest.dateFrom && rest.dateTo && rest.dateFrom > rest.dateTo) {
      context.addIssue({ code: "custom", path: ["dateFrom"], message: "Fra-datoen kan ikke være efter til-datoen." });
    }
    const known = chosen.filter((value) => statuses.some((status) => status.value === value));
    return { sort, filter: { ...rest, ...(cpr ? { cpr } : {}), ...(visitNumber ? { visitNumber: Number(visitNumber) } : {}), statuses: known } };
  });

/** 'Søg': seals what was typed and answers where the list is; nothing about a patient reaches the address or is stored. */
export const applyFilter = change({
  name: "applyFilter",
  permission: "referral.read",
  input: overviewFilterForm,
  async run({ portal, person }, { filter, sort }) {
    const query = new URLSearchParams({ f: sealFilter(portal.secrets, person.id, filter) });
    if (sort) query.set("sort", sort);
    return { to: `${paths.overview}?${query.toString()}` };
  },
});
