import { z } from "zod";
import { inTransaction } from "~db/connection.server";
import { external, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { fileKinds, radiographTypes } from "~/features/images/file-rules";
import { claimHeldFiles } from "~/features/images/held-uploads.server";
import { toMoment } from "~/text/dates";
import { attachRadiographs, findUploadTarget } from "./attach-radiographs.server";
import { WIZARD_FAULT } from "./referral";

export const radiographType = z.coerce.number().int().refine((value) => radiographTypes.some((type) => type.value === value), "Vælg en billedtype.");

/** A form with images: which referral, whose held uploads, and the type chosen for them (0 to 4). */
export const radiographsInput = z.object({
  referralId: z.coerce.number().int(),
  formKey: z.string().max(64),
  radiographType: radiographType.default(0),
  /** Those that have one of their own, by held upload: the API names one for each file. */
  fileTypes: z.record(z.string(), radiographType).optional(),
});

export const radiographUploads = { radiographs: { kind: "radiograph" as const, maxBytes: fileKinds.radiograph.maxBytes, maxFiles: 40 } };

/**
 * Adds images to a referral, all of the type chosen for them (specification 2 §2.1, step 3). Those that are refused are named, one line
 * each, and the others stay. Throws `fileRefused`, `invalid` when there is no file, and `notInScope`.
 */
export const addRadiographs = external({
  name: "addRadiographs",
  faultText: WIZARD_FAULT,
  permission: "referral.write",
  input: radiographsInput,
  uploads: radiographUploads,
  async prepare(context, input) {
    const { added, refused, twins } = await keepArrived(context, "addRadiographs", input);
    const lines = [...refused, ...twins];
    if (lines.length > 0) throw filesRefused(lines, added);
    if (added === 0) throw new Refusal("invalid", { text: "Vælg en eller flere filer først.", fields: { radiographs: ["Vælg en eller flere filer."] } });
    return added;
  },
  async run({ touched }, { referralId }, added) {
    touched([referralId], `${added} files`);
    return { flash: { tone: "success" as const, text: added === 1 ? "Billedet er modtaget." : `${added} billeder er modtaget.` } };
  },
});

/** The refusal of some of a form's files: a sentence that counts them, and a line for each. */
export function filesRefused(lines: string[], added: number): Refusal {
  const count = lines.length === 1 ? "1 fil er ikke modtaget." : `${lines.length} filer er ikke modtaget.`;
  const rest = added === 0 ? "" : added === 1 ? " Den anden er modtaget." : ` De ${added} andre er modtaget.`;
  return new Refusal("fileRefused", { text: count + rest, fields: { radiographs: lines } });
}

/**
 * Hangs the form's held uploads on the referral, in a transaction of its own: what is refused beside them, or goes wrong later, must
 * not undo it. Answers a line for each file that was refused, and for each that was there before.
 */
export async function keepArrived(
  { portal, person, now, caller, actor }: ReadContext,
  operation: string,
  { referralId, formKey, radiographType: ofAll, fileTypes = {} }: z.output<typeof radiographsInput>,
): Promise<{ added: number; refused: string[]; twins: string[] }> {
  return inTransaction(portal.db, async (tx) => {
    const referral = await findUploadTarget(tx, person, referralId);
    const held = (await claimHeldFiles(tx, person.id, formKey, now)).filter((file) => file.kind === "radiograph");
    const outcomes = await attachRadiographs({ tx, actor, person, now }, referral, held.map((file) => ({ ...file, radiographType: fileTypes[file.id] ?? ofAll })));
    const added = outcomes.filter(({ refused }) => refused === null).length;
    const line = (file: { fileName: string }, text: string) => `${file.fileName}: ${text}`;
    const refused = [
      ...(caller.files?.refused ?? []).map((file) => line(file, file.text)),
      ...outcomes.filter((outcome) => outcome.refused !== null && !outcome.isTwin).map((outcome) => line(outcome.file, outcome.refused!)),
    ];
    const twins = outcomes.filter(({ isTwin }) => isTwin).map((outcome) => line(outcome.file, outcome.refused!));
    // A refused form has no audit row of its own, but these files stay.
    if (added > 0 && refused.length + twins.length > 0) await portal.audit.within(tx, { actor, operation, outcome: "done", referralIds: [referralId], detail: `${added} files` }, toMoment(now));
    return { added, refused, twins };
  });
}
