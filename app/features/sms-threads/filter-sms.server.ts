import { lookUp } from "~/access/operation.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import type { SmsFilter } from "./sms-columns";
import { smsList } from "./sms-list.server";

/** 'Søg' on the page of SMS. An empty filter is sealed too, because no filter means today. */
export const filterSms = lookUp({
  name: "filterSms",
  permission: "patientMessage.send",
  input: filterForm(smsList.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(smsList.filters, person, typed as SmsFilter);
    const query = new URLSearchParams({
      f: sealFilter(smsList, portal.secrets, person, filter),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.sms}?${query.toString()}` };
  },
});
