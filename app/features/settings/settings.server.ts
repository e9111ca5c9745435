import type { DbOrTx } from "~db/connection.server";
import { findSettings, lockSettings, saveSettings } from "./setting-store.server";
import type { ChangeContext } from "~/access/operation.server";
import type { Edit } from "~/access/edit.server";
import type { ControlValues } from "~/text/control-values";
import type { Config } from "~/config/config.server";
import type { Portal } from "~/portal.server";

export const SETTINGS = "settings";

export async function findSetting(db: DbOrTx, name: string): Promise<string | null> {
  return (await findSettings(db, [name])).get(name) || null;
}

/** Values by name; an unsaved setting is the empty string. */
export async function readSettings<K extends string>(db: DbOrTx, names: readonly K[]): Promise<Record<K, string>> {
  const saved = await findSettings(db, names);
  return Object.fromEntries(names.map((name) => [name, saved.get(name) ?? ""])) as Record<K, string>;
}

export async function changeSettings(
  { tx, person, now, afterCommit, portal }: Pick<ChangeContext, "tx" | "person" | "now" | "afterCommit" | "portal">,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await saveSettings(tx, values, person.id, now);
  afterCommit(() => portal.cache.invalidate(SETTINGS));
}

/** How a form of settings is merged: `valuesOf` reads what its controls show, while the settings `names` are locked. */
export const settingsEdit = (
  names: readonly string[],
  valuesOf: (db: DbOrTx) => Promise<ControlValues>,
  groups: Edit["groups"] = [],
): Edit => ({
  groups,
  savesOnly: true,
  async read({ db }) {
    await lockSettings(db, names);
    return { values: await valuesOf(db) };
  },
});

export interface Letterhead {
  clinicName: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  email: string;
  web: string;
}

export const letterheadSettings = {
  clinicName: "letterheadName",
  address: "letterheadAddress",
  zip: "letterheadZip",
  city: "letterheadCity",
  phone: "letterheadPhone",
  email: "letterheadEmail",
  web: "letterheadWeb",
} as const satisfies Record<keyof Letterhead, string>;

/** The clinic's settings, with name and phone from the configuration as defaults. */
export async function readLetterhead(
  db: DbOrTx,
  { clinicName, supportPhone }: Pick<Config, "clinicName" | "supportPhone">,
): Promise<Letterhead> {
  const saved = await findSettings(db, Object.values(letterheadSettings));
  const of = (part: keyof Letterhead) => saved.get(letterheadSettings[part]) ?? "";
  return {
    clinicName: of("clinicName") || clinicName,
    address: of("address"),
    zip: of("zip"),
    city: of("city"),
    phone: of("phone") || supportPhone,
    email: of("email"),
    web: of("web"),
  };
}

/** Standard phrases of the parts of a discharge letter, one a line. */
export const phraseSettings = {
  diagnosis: "letterPhrasesDiagnosis",
  treatment: "letterPhrasesTreatment",
  medicine: "letterPhrasesMedicine",
  followUp: "letterPhrasesFollowUp",
} as const;

export type LetterPhrases = Record<keyof typeof phraseSettings, string[]>;

/** Phrases by part of the letter, in the order in which they were saved. */
export async function readLetterPhrases(db: DbOrTx): Promise<LetterPhrases> {
  const saved = await findSettings(db, Object.values(phraseSettings));
  const parts = Object.entries(phraseSettings).map(([part, name]) => [
    part,
    (saved.get(name) ?? "").split("\n").filter(Boolean),
  ]);
  return Object.fromEntries(parts) as LetterPhrases;
}

export const senderSettings = ["emailSenderName", "smsSender"] as const;

/** The clinic's names, or those of the configuration where it has saved none. */
export async function readSenders({ db, config }: Pick<Portal, "db" | "config">) {
  const { emailSenderName, smsSender } = await readSettings(db, senderSettings);
  return { emailName: emailSenderName || config.productName, sms: smsSender || config.sms.sender };
}
