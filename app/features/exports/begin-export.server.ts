import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import type { CommandResult } from "~/access/command-result";
import { Refusal } from "~/access/refusal";
import { overview } from "~/features/referrals/list/overview-list.server";
import { unsealFilter } from "~/lists/seal-filter.server";
import type { OverviewFilter } from "~/features/referrals/list/filters";
import { defaultStatuses } from "~/features/referrals/model/status";
import { paths } from "~/paths";
import { addYears } from "~/text/calendar";
import { optionalDay } from "~/text/fields.server";
import { MAX_SELECTED } from "./export-columns";
import { type ExportRequest, sealExport } from "./export-request.server";
import { countExport, saveLastExport } from "./export-store.server";

/**
 * 'Eksport efter dato' (GET /Visits/download/csv/bydates): at most a year, both days included; one date alone means the
 * year after or before it. Returns the download's address, or 'Ingen data...'.
 */
export const exportByDates = change({
  name: "exportByDates",
  permission: "referral.export",
  input: z.object({ dateFrom: optionalDay, dateTo: optionalDay }).superRefine(({ dateFrom, dateTo }, context) => {
    const issue = (message: string) => context.addIssue({ code: "custom", path: ["dateFrom"], message });
    if (dateFrom === null && dateTo === null) issue("Vælg mindst én dato.");
    if (dateFrom === null || dateTo === null) return;
    if (dateFrom > dateTo) issue("Fra-datoen kan ikke være efter til-datoen.");
    else if (dateTo > addYears(dateFrom, 1)) issue("Perioden kan højst være et år.");
  }),
  async run(context, { dateFrom, dateTo }) {
    const filter = { dateFrom: dateFrom ?? addYears(dateTo!, -1), dateTo: dateTo ?? addYears(dateFrom!, 1) };
    return begin(context, { filter });
  },
});

/** 'Eksport af alle patientdata': everything the list's filter matches. Throws `invalid` for an invalid filter. */
export const exportFiltered = change({
  name: "exportFiltered",
  permission: "referral.export",
  input: z.object({ f: z.string().optional() }),
  async run(context, { f }) {
    const typed: OverviewFilter | null = f ? unsealFilter(overview, context.portal.secrets, context.person, f) : {};
    if (typed === null)
      throw new Refusal("invalid", { text: "Filteret gælder ikke længere. Gå tilbage til oversigten, og søg igen." });
    return begin(context, { filter: { ...typed, statuses: typed.statuses ?? defaultStatuses(context.person) } });
  },
});

/** Exports picked rows; `pick` is the checkbox value, an id with the version seen. */
export const exportPicked = change({
  name: "exportPicked",
  permission: "referral.export",
  input: z.object({
    pick: z
      .array(z.string().regex(/^\d{1,12}(:\d{1,12})?$/, "Vælg henvisningerne i listen igen."))
      .max(MAX_SELECTED, `Vælg højst ${MAX_SELECTED} ad gangen.`)
      .default([]),
  }),
  async run(context, { pick }) {
    if (pick.length === 0) throw new Refusal("invalid", { text: "Vælg en eller flere henvisninger i listen først." });
    return begin(context, { ids: [...new Set(pick.map((value) => Number.parseInt(value, 10)))] });
  },
});

async function begin({ tx, person, portal, now }: ChangeContext, request: ExportRequest): Promise<CommandResult> {
  const nothing = "filter" in request && request.filter.statuses?.length === 0;
  const count = nothing ? 0 : await countExport(tx, request, { actor: person, secrets: portal.secrets });
  if (count === 0) return { flash: { tone: "info", text: "Ingen data..." } };
  await saveLastExport(tx, person.id, now);
  return { to: paths.exportCsv(sealExport(portal.secrets, person, request, now)) };
}
