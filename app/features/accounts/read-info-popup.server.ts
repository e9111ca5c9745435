import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { newestText } from "./text-store.server";

/** The secretaries' popup, until it is closed in this session (GET /Umbraco/info-popup); null for everybody else. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person, caller }) {
    const isShown = can(person, "account.readInfoPopup") && caller.flash?.infoPopupSeen === false;
    return { popup: isShown ? await newestText(db, "infoPopup") : null };
  },
});
