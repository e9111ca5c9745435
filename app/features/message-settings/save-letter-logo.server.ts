import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { change, type ChangeContext, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { drawLogo, LOGO_SETTING } from "~/features/letters/letter-layout.server";
import { changeSettings } from "~/features/settings/change-settings.server";
import { findSetting } from "~/features/settings/read-setting.server";
import { uploadOf } from "~/files/file-rules";
import { storeLogo } from "~/files/store-letter.server";
import { claimStagedFiles, findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles, insertStoredFile } from "~/files/stored-file-store.server";

/** Replaces the clinic's logo on letters. Throws `fileRefused`, and `invalid` for a picture no letter can show. */
export const saveLetterLogo = external({
  name: "saveLetterLogo",
  permission: "settings.manage",
  idempotent: true,
  uploads: { letterLogo: uploadOf("logo") },
  input: z.object({ formKey: z.string().max(64) }),
  async prepare({ portal, db, person, caller }, { formKey }) {
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
    const refuse = (text: string) =>
      new Refusal("invalid", { text: "Logoet er ikke gemt.", fields: { letterLogo: [text] } });
    const file = (await findStagedFiles(db, person.id, formKey, "letterLogo")).at(-1);
    if (!file) throw refuse("Vælg en PNG- eller JPEG-fil.");
    const picture = await drawLogo(portal, file.storedFileId, `person ${person.id}`);
    if (picture === null) throw refuse("Billedet kan ikke åbnes. Gem det igen som PNG eller JPEG.");
    return storeLogo(portal, file.fileName, picture);
  },
  async run(context, { formKey }, drawn) {
    const { tx, person, now } = context;
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["letterLogo"] }, now);
    await discardStoredFiles(
      tx,
      staged.map(({ storedFileId }) => storedFileId),
      now,
    );
    await replaceLogo(context, String(await insertStoredFile(tx, drawn, now)));
    return { flash: { tone: "success" as const, text: "Logoet er gemt." } };
  },
});

/** Returns to the clinic's name or the configured logo. */
export const removeLetterLogo = change({
  name: "removeLetterLogo",
  permission: "settings.manage",
  input: z.object({}),
  async run(context) {
    await replaceLogo(context, "");
    return { flash: { tone: "success" as const, text: "Logoet er fjernet." } };
  },
});

async function replaceLogo(context: ChangeContext, storedFileId: string): Promise<void> {
  const before = await findSetting(context.tx, LOGO_SETTING);
  await changeSettings(context, { [LOGO_SETTING]: storedFileId });
  if (before !== null && before !== storedFileId) await discardStoredFiles(context.tx, [Number(before)], context.now);
  context.auditChange([], storedFileId === "" ? "logo removed" : `logo ${storedFileId}`);
}
