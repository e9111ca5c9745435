import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { parseCpr } from "~/text/cpr";
import { cprOf } from "~/text/fields.server";
import type { Tx } from "~db/connection.server";
import {
  autosaveKeyOf,
  deleteAutosave,
  deleteAutosavesUnder,
  findAutosave,
  findDraftOfForm,
  formKeyFor,
  moveAutosaves,
  type TypedValues,
  upsertAutosave,
} from "~/features/referrals/store/wizard-store.server";
import { findEditable } from "~/features/referrals/store/referral-store.server";
import { FORM_FIELDS, hasPatientContent } from "./autosave-content";

const formKey = z.string().regex(/^[\w-]{1,64}$/);
const referralId = z.coerce.number().int().optional();
const copyId = z.coerce.number().int();

/**
 * Autosave of step 1: unvalidated text kept for this person under its CPR number (docs/decisions/0052). Changes no
 * referral. `data.savedAt` is the time if something was stored. Throws `notInScope`.
 */
export const saveAutosave = change({
  name: "saveAutosave",
  permission: "referral.write",
  input: z.looseObject({
    formKey,
    referralId,
    /** The number the text belongs to, since a half-typed one is not another patient's. */
    typedFor: z.string().optional(),
    continued: z.string().optional(),
  }),
  async run({ tx, person, portal, now }, form) {
    const values = underOneNumber(autosaveValues(form), form.typedFor);
    if (values === null) return { data: {} };
    const own = await formKeyFor(tx, person, portal.secrets, form.formKey, cprOf(values));
    if (await isSavedSince(tx, person, { ...form, formKey: own })) return { data: {} };
    const key = form.referralId === undefined ? own : autosaveKeyOf(form.referralId);
    if (form.continued) await deleteAutosavesUnder(tx, portal.secrets, person.id, key, null);
    if (form.referralId === undefined && !hasPatientContent(values)) {
      await deleteAutosavesUnder(tx, portal.secrets, person.id, key, cprOf(values));
      return { data: { savedAt: null } };
    }
    await upsertAutosave(tx, portal.secrets, {
      userId: person.id,
      formKey: key,
      referralId: form.referralId ?? null,
      values,
      now,
    });
    return { data: { savedAt: now.toISOString() } };
  },
});

/** Values under the number they were typed for; null if another patient's number is in the boxes now. */
function underOneNumber(values: TypedValues, typedFor: string | undefined): TypedValues | null {
  if (typedFor === undefined) return values;
  const [owner, standing] = [parseCpr(typedFor), cprOf(values)];
  if (standing !== null && standing !== owner) return null;
  return owner === null ? values : { ...values, cpr6: owner.slice(0, 6), cpr4: owner.slice(7) };
}

async function isSavedSince(
  tx: Tx,
  person: Person,
  form: { formKey: string; referralId?: number; seenVersion?: unknown },
): Promise<boolean> {
  if (form.referralId === undefined) return (await findDraftOfForm(tx, person, form.formKey)) !== null;
  const row = await findEditable(tx, person, form.referralId);
  return row.modifier_id === person.id && Number(form.seenVersion) < row.version;
}

function autosaveValues(form: Record<string, unknown>): TypedValues {
  const isText = (value: unknown): value is string | string[] =>
    typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
  return Object.fromEntries(
    Object.entries(form).filter(
      (entry): entry is [string, string | string[]] => !FORM_FIELDS.has(entry[0]) && isText(entry[1]),
    ),
  );
}

/** 'Kassér': deletes one unsaved copy. `referralId` is the page shown afterwards. */
export const discardAutosave = change({
  name: "discardAutosave",
  permission: "referral.write",
  input: z.object({ copyId, isShown: z.string().optional(), referralId }),
  async run({ tx, person }, form) {
    await deleteAutosave(tx, person.id, form.copyId);
    const flash = { tone: "info" as const, text: "Det, der ikke var gemt, er kasseret." };
    if (!form.isShown) return { flash };
    // Straight to the form, since a redirecting page would consume the message.
    return {
      to: form.referralId === undefined ? paths.newReferral(randomUUID()) : paths.wizardStep(form.referralId, 1),
      flash,
    };
  },
});

/** Opens a copy under another number as a new referral. Throws `notInScope`. */
export const openTyped = change({
  name: "openTyped",
  permission: "referral.write",
  input: z.object({ copyId }),
  async run({ tx, person, portal }, form) {
    const copy = await findAutosave(tx, portal.secrets, person.id, form.copyId);
    if (copy === null) throw new Refusal("notInScope");
    const own = randomUUID();
    await moveAutosaves(tx, copy.id, own);
    return { to: paths.newReferral(own) };
  },
});
