import type { DbOrTx } from "~db/connection.server";
import type { ClaimedMessage } from "./claim-store.server";
import type { Kind } from "./message-kinds";
import { isUserActive } from "./outbox-store.server";

interface KindHooks {
  /** Asked just before sending, since days may have passed: why it shall not be sent any more, in Danish; null when it shall. */
  recheck?(db: DbOrTx, message: ClaimedMessage): Promise<string | null>;
}

const toActiveUser: KindHooks = {
  async recheck(db, { userId }) {
    return userId === null || (await isUserActive(db, userId)) ? null : "Modtageren er ikke længere aktiv";
  },
};

/** What each kind does around its sending. */
export const kindHooks: Readonly<Record<Kind, KindHooks>> = {
  passwordReset: toActiveUser,
  accountChanged: {},
  statusNews: toActiveUser,
  messageNews: toActiveUser,
  messageNewsToClinic: {},
  dischargeLetter: toActiveUser,
  testMessage: toActiveUser,
};
