import { z } from "zod";
import { type ChangeContext, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { invalidateClinics } from "~/features/clinics/invalidate-clinics.server";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { insertClinic } from "~/features/directory/find-clinic.server";
import { invalidateUsers, addUser } from "~/features/people/add-user.server";
import { flag } from "~/features/people/user.schema.server";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { paths } from "~/paths";
import { importKindNames } from "./import-columns";
import { type Plan, planImport } from "./plan-import.server";
import { DIRECTORY_FIELD, readImportFile } from "./staged-import.server";

/**
 * 'Importér': makes what the dry run said is new, all in one transaction, and sends new users their link where that was chosen. A form that
 * is sent twice imports once. Throws `invalid` where the file has gone, and `conflict` where it would do something else by now than was shown.
 */
export const importDirectory = external({
  name: "importDirectory",
  permission: "directory.manageAll",
  idempotent: true,
  input: z.object({
    formKey: z.string().max(64),
    kind: z.enum(importKindNames),
    digest: z.string().max(64),
    sendLinks: flag,
  }),
  prepare: ({ db, portal, person }, { formKey }) => readImportFile(db, portal.files, person.id, formKey),
  async run(context, { formKey, kind, digest, sendLinks }, file) {
    const { tx, person, portal, now, auditChange } = context;
    const plan = file && (await planImport(tx, kind, file.bytes));
    if (!plan || "error" in plan)
      throw new Refusal("invalid", { text: "Filen er her ikke længere. Vælg den igen; intet er importeret." });
    if (plan.digest !== digest)
      throw new Refusal("conflict", {
        text: "Portalen er ændret siden prøvekørslen, så intet er importeret. Se den nye prøvekørsel, og importér så.",
      });
    await makeAll(context, plan, sendLinks);
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: [DIRECTORY_FIELD] }, now);
    await discardStoredFiles(
      tx,
      staged.map(({ storedFileId }) => storedFileId),
      now,
    );
    const count = plan.clinics.length + plan.users.length;
    auditChange([], `${kind} imported from a file: ${count}`);
    return {
      to: kind === "klinikker" ? paths.clinics : paths.users,
      flash: { tone: "success" as const, text: resultText(plan, count, sendLinks, isChannelSet(portal, "email")) },
    };
  },
});

async function makeAll(context: ChangeContext, { clinics, users }: Plan, isInvited: boolean): Promise<void> {
  for (const clinic of clinics) await insertClinic(context.tx, clinic, context.now);
  for (const { clinicId, clinicName: _title, ...user } of users)
    await addUser(context, { ...user, isStaff: false, clinicIds: [clinicId], isInvited });
  invalidateClinics(context);
  invalidateUsers(context);
}

const MAILED = " De nye brugere får en mail med et link.";
const NOT_MAILED = " Mail er ikke indstillet, så der er ikke sendt noget link. Send det fra hver bruger, når det er.";

function resultText({ lines, users }: Plan, count: number, sendLinks: boolean, canMail: boolean): string {
  const left = lines.length - count;
  const made = `${count} af ${lines.length} linjer er importeret.`;
  const links = !sendLinks || users.length === 0 ? "" : canMail ? MAILED : NOT_MAILED;
  return `${made}${links}${left > 0 ? ` ${left} er sprunget over, som prøvekørslen sagde.` : ""}`;
}
