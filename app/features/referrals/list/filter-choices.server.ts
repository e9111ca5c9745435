import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { scopeKey } from "~/cache/cache.server";
import {
  type DirectoryChoice,
  findClinicChoices,
  findSurgeonChoices,
  findReferrer,
  findReferrers,
  findReferrerToName,
  MAX_REFERRERS,
  referrerChoices,
  referrerLabel,
} from "~/features/directory/operations.server";
import type { DbOrTx } from "~db/connection.server";
import type { Portal } from "~/portal.server";

export interface FilterChoices {
  clinics: DirectoryChoice[];
  surgeons: DirectoryChoice[];
  referrers: DirectoryChoice[] | null;
}

export function filterChoices(
  { cache, db }: Pick<Portal, "cache"> & { db: DbOrTx },
  person: Person,
): Promise<FilterChoices> {
  return cache.get(`choices of ${scopeKey(person)}`, async () => {
    const referrers = can(person, "referral.chooseReferrer")
      ? await findReferrers(db, person, "", MAX_REFERRERS + 1)
      : [];
    return {
      clinics: await findClinicChoices(db, person),
      surgeons: can(person, "directory.seeAll") ? await findSurgeonChoices(db) : [],
      referrers: referrers.length > MAX_REFERRERS ? null : referrerChoices(referrers),
    };
  });
}

/** The filter's referrer if not in the choices; null outside the actor's scope, since anybody can send an id. */
export async function chosenReferrer(
  { db }: Pick<Portal, "db">,
  person: Person,
  id: number,
): Promise<DirectoryChoice | null> {
  const referrer = can(person, "directory.seeAll")
    ? await findReferrer(db, id)
    : await findReferrerToName(db, person, id);
  return referrer && { value: referrer.id, label: referrerLabel(referrer) };
}
