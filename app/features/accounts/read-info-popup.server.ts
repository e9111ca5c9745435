import { z } from "zod";
import { read } from "~/access/operation.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import type { PortalText } from "~/features/portal-texts/portal-text-kinds";
import { findNewestText } from "~/features/portal-texts/newest-text.server";

/** The secretaries' popup, until it is closed in this session (GET /Umbraco/info-popup); null for everybody else. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person, caller }) {
    return { popup: await infoPopupFor(db, person, caller.flash?.infoPopupSeen === false) };
  },
});

/** The popup's newest text for somebody who has not closed it; null for who does not see it, and while it is empty: staff have taken it off. */
export async function infoPopupFor(db: DbOrTx, person: Person, isOpen: boolean): Promise<PortalText | null> {
  if (!isOpen || !can(person, "account.readInfoPopup")) return null;
  const newest = await findNewestText(db, "infoPopup");
  return newest && newest.body !== "" ? newest : null;
}
