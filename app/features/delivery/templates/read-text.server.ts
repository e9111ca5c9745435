import type { DbOrTx } from "~db/connection.server";
import type { ChannelName } from "../delivery-outcome";
import { defaultText, type MessageText, type TemplateKind } from "./default-texts";
import { findNewestText, findVersions, insertVersion, type TemplateVersion } from "./template-store.server";

/** The text in use: the clinic's newest, else the portal's. Null if the kind cannot use the channel. */
export async function readText(db: DbOrTx, kind: TemplateKind, channel: ChannelName): Promise<MessageText | null> {
  const standard = defaultText(kind, channel);
  return standard === null ? null : ((await findNewestText(db, kind, channel)) ?? standard);
}

/** The clinic's versions of a text, newest first. */
export const readVersions = (db: DbOrTx, kind: TemplateKind, channel: ChannelName): Promise<TemplateVersion[]> =>
  findVersions(db, kind, channel);

/** Adds a version; false if somebody else has added that number first. */
export const addVersion = (...given: Parameters<typeof insertVersion>): Promise<boolean> => insertVersion(...given);
