import type { listClinicsPage } from "~/features/clinics/list-clinics-page.server";
import type { PageOf } from "~/http/runners/page.server";
import { activityState } from "~/components/directory-list/activity-state";
import { clinicLabels } from "~/components/clinic-form/clinic-fields";
import { presentMerges } from "~/components/merge-panel/present-merges";
import { clinicFilters } from "~/features/clinics/clinic-columns";
import { presentFilter } from "~/lists/present-filter";
import type { Fact } from "~/ui/lists/summary-list";

type Values = PageOf<typeof listClinicsPage>;
type Clinic = Values["rows"][number];
export type ListedClinic = ReturnType<typeof presentRow>;

export function presentClinics(list: Values) {
  const rows = list.rows.map(presentRow);
  return {
    ...list,
    ...presentFilter(clinicFilters, list),
    rows,
    merges: presentMerges(list.merges),
    open: rows.find(({ id }) => id === list.openId) ?? null,
  };
}

const presentRow = (clinic: Clinic) => ({
  ...clinic,
  state: activityState(clinic.status),
  values: { ...textsOf(clinic), status: String(clinic.status) },
  saved: savedOf(clinic),
});

const textsOf = ({ name, address, zip, city, email, phone, mobilePhone }: Clinic) => ({
  name,
  address,
  zip,
  city,
  email,
  phone,
  mobilePhone: mobilePhone ?? "",
});

/** Saved values as facts, for a conflict. */
const savedOf = (clinic: Clinic): Fact[] =>
  Object.entries({ ...textsOf(clinic), status: activityState(clinic.status).label }).map(([name, value]) => ({
    label: clinicLabels[name as keyof typeof clinicLabels],
    value,
  }));
