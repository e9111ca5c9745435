import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { paths } from "~/paths";
import { showTime, toMoment } from "~/text/dates";
import type { Tx } from "~db/connection.server";
import { findDraftOfForm, findEditable } from "./referral-store.server";
import { forgetTypedInput, keepTypedInput, type TypedValues, typedKeyOf } from "./typed-input-store.server";

const formKey = z.string().regex(/^[\w-]{1,64}$/);
const referralId = z.coerce.number().int().optional();
/** Of the form, not of the patient. */
const NOT_TYPED = new Set(["intent", "formId", "formKey", "referralId"]);

/**
 * Autosave of step 1 (issue 3, The walk): what stands in the form, half-typed and unchecked, kept on the server for this person alone.
 * It changes no referral. Answers `found.savedAt`, a time of day in Copenhagen. Throws `notInScope`.
 */
export const keepTyped = change({
  name: "keepTyped",
  permission: "referral.write",
  input: z.looseObject({ formKey, referralId }),
  async run({ tx, person, portal, now }, form) {
    if (await isSavedSince(tx, person, form)) return { found: {} };
    const key = form.referralId === undefined ? form.formKey : typedKeyOf(form.referralId);
    await keepTypedInput(tx, portal.secrets, { userId: person.id, formKey: key, referralId: form.referralId ?? null, values: typedValues(form), now });
    return { found: { savedAt: showTime(toMoment(now)) } };
  },
});

/** An autosave that the form's own saving has overtaken on the way must not bring back what is saved already. */
async function isSavedSince(tx: Tx, person: Person, form: { formKey: string; referralId?: number; version?: unknown }): Promise<boolean> {
  if (form.referralId === undefined) return (await findDraftOfForm(tx, person, form.formKey)) !== null;
  const row = await findEditable(tx, person, form.referralId);
  return row.modifier_id === person.id && Number(form.version) < row.version;
}

function typedValues(form: Record<string, unknown>): TypedValues {
  const isText = (value: unknown): value is string | string[] => typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
  return Object.fromEntries(Object.entries(form).filter((entry): entry is [string, string | string[]] => !NOT_TYPED.has(entry[0]) && isText(entry[1])));
}

/** 'Kassér': forgets what was typed and not saved, and shows what is saved, or an empty form. */
export const dropTyped = change({
  name: "dropTyped",
  permission: "referral.write",
  input: z.object({ formKey, referralId }),
  async run({ tx, person }, form) {
    await forgetTypedInput(tx, person.id, [form.referralId === undefined ? form.formKey : typedKeyOf(form.referralId)]);
    // Straight to a form of its own: the message would be shown, and lost, by a page that only leads on.
    return { to: form.referralId === undefined ? paths.newReferral(randomUUID()) : paths.wizardStep(form.referralId, 1), flash: { tone: "info" as const, text: "Det, der ikke var gemt, er kasseret." } };
  },
});
