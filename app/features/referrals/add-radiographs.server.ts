import { z } from "zod";
import type { ChangeContext } from "~/access/operation.server";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { allowedExtensions, extensionOf, fileKinds, type RadiographType, radiographTypes, WRONG_TYPE_TEXT } from "~/features/images/file-rules";
import { claimHeldFiles } from "~/features/images/held-uploads.server";
import { paths } from "~/paths";
import { attachFiles, refreshRadiographMark } from "./referral-file-store.server";
import { findEditable } from "./referral-store.server";

/** A referral's step 3 with files: which referral, whose held uploads, and the type chosen for them (0 to 4). */
export const radiographsInput = z.object({
  referralId: z.coerce.number().int(),
  formKey: z.string().max(64),
  radiographType: z.coerce.number().int().refine((value) => radiographTypes.some((type) => type.value === value), "Vælg en billedtype.").default(0),
});

export const radiographUploads = { radiographs: { kind: "radiograph" as const, maxBytes: fileKinds.radiograph.maxBytes, maxFiles: 40 } };

/** Adds images to a draft, all of the type chosen for them (specification 2 §2.1, step 3). Those refused are named; the others stay. */
export const addRadiographs = change({
  name: "addRadiographs",
  permission: "referral.write",
  input: radiographsInput,
  uploads: radiographUploads,
  async run(context, input) {
    const { added, refused } = await attachHeldRadiographs(context, input);
    context.touched([input.referralId]);
    const to = paths.wizardStep(input.referralId, 3);
    if (refused.length > 0) return { to, flash: { tone: "error" as const, text: refused.join(" ") } };
    if (added === 0) throw new Refusal("invalid", { text: "Vælg en eller flere filer først.", fields: { radiographs: ["Vælg en eller flere filer."] } });
    return { to, flash: { tone: "success" as const, text: added === 1 ? "Billedet er modtaget." : `${added} billeder er modtaget.` } };
  },
});

/** Claims the form's held uploads for the referral; a file whose type does not go with its extension is refused by name. */
export async function attachHeldRadiographs(
  { tx, person, now, caller }: Pick<ChangeContext, "tx" | "person" | "now" | "caller">,
  { referralId, formKey, radiographType }: z.output<typeof radiographsInput>,
): Promise<{ added: number; refused: string[] }> {
  await findEditable(tx, person, referralId);
  const held = await claimHeldFiles(tx, person.id, formKey);
  const allowed: readonly string[] = allowedExtensions("radiograph", radiographType as RadiographType);
  const fits = held.filter((file) => file.kind === "radiograph" && allowed.includes(extensionOf(file.fileName) ?? ""));
  const refused = (caller.files?.refused ?? []).map((file) => `${file.fileName}: ${file.text}`);
  for (const file of held) if (!fits.includes(file)) refused.push(`${file.fileName}: ${WRONG_TYPE_TEXT} Vælg en anden billedtype.`);
  await attachFiles(tx, referralId, fits.map((file) => ({ ...file, radiographType })), person.id, now);
  await refreshRadiographMark(tx, referralId);
  return { added: fits.length, refused };
}
