import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { picksOf } from "~/features/merging/merge-form";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { ClinicFilter } from "./clinic-columns";
import { clinics } from "./clinic-list.server";

/** 'Søg' on the page of clinics. An empty filter is sealed too, because no filter means active clinics only. */
export const filterClinics = lookUp({
  name: "filterClinics",
  permission: "directory.manage",
  input: filterForm(clinics.rules).and(z.object({ here: z.string().max(8000).optional() })),
  async run({ portal, person }, { sort: _one, here, ...filter }) {
    const f = sealFilter(clinics, portal.secrets, person, filter as ClinicFilter);
    return { to: `${paths.clinics}?${new URLSearchParams({ f, ...picksOf(here) }).toString()}` };
  },
});
