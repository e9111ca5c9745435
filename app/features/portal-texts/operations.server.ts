import { z } from "zod";
import { change, lookUp, plainInput, read, wholeNumber, succeeded } from "~/access/operation.server";
import type { Edit } from "~/access/edit.server";
import type { Config } from "~/config/config.server";
import type { DbOrTx } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { joinedName } from "~/text/names";
import { type PortalText, type PortalTextKind, portalTexts, portalTextKinds } from "./portal-text-kinds";
import { readOpening } from "~/features/opening-hours/read-opening-hours.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { findNewestText, findVersions, insertText, lockNewestText } from "./portal-text-store.server";
import { text, paragraphs } from "~/text/fields.server";

const textAddress = z.object({ kind: z.enum(portalTextKinds) });

/** Fits its column at four bytes a character. */
const MAX_LONG_LENGTH = 15_000;
const MAX_LENGTH = 2000;

const bodyOf = (kind: PortalTextKind) => text(portalTexts[kind].isLong ? MAX_LONG_LENGTH : MAX_LENGTH);

const typedText = {
  body: paragraphs(MAX_LONG_LENGTH),
  buttonText: text(60).default(""),
};

/** The clinic's text above the wizard (GET /Umbraco/management), for anyone; null without one. */
export const readManagementText = read({
  name: "readManagementText",
  permission: "public",
  async run({ db }) {
    return { text: (await findNewestText(db, "management"))?.body || null };
  },
});

export const redirectToPortalText = read({
  name: "redirectToPortalText",
  permission: "public",
  async run() {
    return { redirectTo: paths.portalText("conditions") };
  },
});

const unwritten = (kind: PortalTextKind): PortalText => ({
  version: 0,
  body: "",
  buttonText: portalTexts[kind].standardButton,
});

const formValues = ({ body, buttonText }: PortalText) => ({ body, buttonText });

/** A text with its versions for the editor, newest first. `from`: version to start from. Throws `notInScope`. */
export const readPortalText = read({
  name: "readPortalText",
  permission: "settings.manage",
  input: textAddress.extend({ from: wholeNumber.min(1).optional() }),
  async run({ db, portal, now }, { kind, from }) {
    const versions = await findVersions(db, kind);
    const newest = versions[0] ?? unwritten(kind);
    const shown = from === undefined ? newest : versions.find(({ version }) => version === from);
    if (!shown) throw new Refusal("notInScope", { text: "Der er ingen tekst på denne adresse." });
    const { supportEmail, supportPhone } = portal.config;
    return {
      kind,
      ...formValues(shown),
      stored: formValues(newest),
      shownVersion: shown.version,
      newestVersion: newest.version,
      versions: versions.map(({ createdAt, authorFirstName, authorLastName, ...version }) => ({
        ...version,
        createdAt,
        author: joinedName(authorFirstName, authorLastName),
      })),
      supportEmail,
      supportPhone,
      opening: await readOpening(db, now),
      letterheadPhone: (await readLetterhead(db, portal.config)).phone,
    };
  },
});

/** What the author of an urgent referral reads. */
export async function readUrgentAdvice(db: DbOrTx, config: Config, now: Date) {
  const [newest, { phone }] = [await findNewestText(db, "urgent"), await readLetterhead(db, config)];
  return { text: newest?.body ?? null, phone, opening: await readOpening(db, now) };
}

const typed = textAddress.extend(typedText);

const textEdit: Edit = {
  async read({ db }, field) {
    const { kind } = await plainInput({ kind: field("kind") })(textAddress);
    const newest = (await lockNewestText(db, kind)) ?? unwritten(kind);
    // The page shows the whole text beside it.
    return { values: formValues(newest), shown: { body: `version ${newest.version}` } };
  },
};

/**
 * Saves a text as its next version; a new version of the conditions must be accepted again by everybody. An unchanged
 * text creates no version, so a double press asks once. Throws `invalid`.
 */
export const savePortalText = change({
  name: "savePortalText",
  permission: "settings.manage",
  edit: textEdit,
  input: typed,
  async run({ tx, now, person, auditChange }, { kind, ...words }) {
    refuseInvalidText(kind, words);
    const newest = await lockNewestText(tx, kind);
    const answer = (said: string) => ({
      to: paths.portalText(kind),
      ...succeeded(said),
    });
    if (newest && newest.body === words.body && newest.buttonText === words.buttonText)
      return answer(`Teksten gælder allerede, som version ${newest.version}.`);
    const version = (newest?.version ?? 0) + 1;
    await insertText(tx, kind, { version, ...words }, { authorId: person.id, now });
    auditChange([], `portal text ${kind}, version ${version}`);
    return answer(
      `Teksten er gemt som version ${version}.${kind === "conditions" ? " Den skal accepteres på ny." : ""}`,
    );
  },
});

/** Stores nothing: the page is rendered with the typed text. */
export const previewPortalText = lookUp({
  name: "previewPortalText",
  permission: "settings.manage",
  input: typed,
  async run() {
    return { data: { isPreviewed: true } };
  },
});

function refuseInvalidText(kind: PortalTextKind, { body, buttonText }: Omit<PortalText, "version">): void {
  const fields: Record<string, string[]> = {};
  const tooLong = bodyOf(kind).safeParse(body).error;
  if (tooLong) fields.body = tooLong.issues.map(({ message }) => message);
  const { required, standardButton } = portalTexts[kind];
  if (required !== undefined && body === "") fields.body = [required];
  if (standardButton !== "" && body !== "" && buttonText === "")
    fields.buttonText = ["Skriv, hvad der skal stå på knappen."];
  if (Object.keys(fields).length > 0) throw new Refusal("invalid", { text: "Teksten er ikke gemt.", fields });
}
