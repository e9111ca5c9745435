import { z } from "zod";
import { read } from "~/access/operation.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import { newestText } from "./text-store.server";

/** The secretaries' popup, until it is closed in this session (GET /Umbraco/info-popup); null for everybody else. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person, caller }) {
    return { popup: await infoPopupFor(db, person, caller.flash?.infoPopupSeen === false) };
  },
});

/** The popup's newest text for somebody who has not closed it; null for who does not see it. */
export const infoPopupFor = async (db: DbOrTx, person: Person, isOpen: boolean) =>
  isOpen && can(person, "account.readInfoPopup") ? newestText(db, "infoPopup") : null;
