import { z } from "zod";
import { read } from "~/access/operation.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import type { PortalText } from "~/features/portal-texts/portal-text-kinds";
import { findNewestText } from "~/features/portal-texts/operations.server";

/** The secretaries' popup until closed in this session (GET /Umbraco/info-popup); null for others. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person, caller }) {
    return { popup: await infoPopupFor(db, person, caller.flash?.infoPopupSeen === false) };
  },
});

/** The newest popup text; null for those who do not see it, have closed it, or when it is empty. */
export async function infoPopupFor(db: DbOrTx, person: Person, isOpen: boolean): Promise<PortalText | null> {
  if (!isOpen || !can(person, "account.readInfoPopup")) return null;
  const newest = await findNewestText(db, "infoPopup");
  return newest && newest.body !== "" ? newest : null;
}
