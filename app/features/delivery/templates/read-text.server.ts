import type { DbOrTx } from "~db/connection.server";
import type { ChannelName } from "../delivery-outcome";
import { defaultText, type MessageText, type TemplateKind } from "./default-texts";
import { findNewestText, findVersions, insertVersion, type TemplateVersion } from "./template-store.server";

/** The text that counts: the clinic's newest, else the portal's own. Null where the kind does not go by that channel. */
export async function readText(db: DbOrTx, kind: TemplateKind, channel: ChannelName): Promise<MessageText | null> {
  const standard = defaultText(kind, channel);
  return standard === null ? null : ((await findNewestText(db, kind, channel)) ?? standard);
}

/** The clinic's versions of a text, newest first. */
export const readVersions = (db: DbOrTx, kind: TemplateKind, channel: ChannelName): Promise<TemplateVersion[]> =>
  findVersions(db, kind, channel);

/** Adds a version. Answers false when somebody else has written that one first. */
export const addVersion = (...given: Parameters<typeof insertVersion>): Promise<boolean> => insertVersion(...given);
