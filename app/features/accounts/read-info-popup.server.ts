import { z } from "zod";
import { isSecretary } from "~/access/actor";
import { read } from "~/access/operation.server";
import { newestText } from "./text-store.server";

/** The secretaries' popup, until it is closed in this session (specification 1 §6, §7 GET /Umbraco/info-popup); null for everybody else. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person, caller }) {
    const isShown = isSecretary(person) && caller.once?.infoPopupSeen === false;
    return { popup: isShown ? await newestText(db, "infoPopup") : null };
  },
});
