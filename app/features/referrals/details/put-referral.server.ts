import { followIdentity } from "~/features/referrals/archive/follow-identity.server";
import { z } from "zod";
import { type ChangeContext, external, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { detailsPart, patientPart, planPart } from "~/features/referrals/details/edit-referral.schema.server";
import {
  detailsColumns,
  followPlan,
  patientColumns,
  planColumns,
  saveEdit,
} from "~/features/referrals/details/edit-referral.server";
import { refuseTakenEmail } from "~/features/referrals/wizard/save-referrer.server";
import { detailsValues, eboksValue, patientValues, planValues } from "./form-values.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { applyStatus, statusValue } from "~/features/referrals/status/set-status.server";

const parts = z.intersection(z.intersection(patientPart, detailsPart), planPart);

/**
 * Combines the three forms of the expanded row with the status, all or nothing (PUT /Visits). Absent fields stay; empty
 * ones are cleared. Throws what `editPatient`, `editReferralDetails`, `editPlan` and `setStatus` throw.
 */
export const putReferral = external({
  name: "saveVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    seenVersion: z.number().int().optional(),
    /** Form fields as typed; a checkbox is `on` or absent. */
    fields: z.record(z.string(), z.string().optional()),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
  }),
  async prepare(context, { referralId, fields }) {
    const form = readForm(await findReferral(context.db, context.actor, referralId), fields, context);
    await refuseTakenEmail(context, form);
  },
  async run(context, { referralId, seenVersion, fields, status, deleteFiles }) {
    const { tx, actor } = context;
    const locked = await lockReferral(tx, actor, referralId);
    const form = readForm(locked, fields, context);
    await saveEdit(
      context,
      { referralId, seenVersion: seenVersion ?? locked.version },
      {
        event: "Henvisningens oplysninger er rettet",
        also: async (before) => {
          await followIdentity(context, before);
          return followPlan(context, { ...form, referralId });
        },
      },
      async (row) => ({
        ...(await patientColumns(context, row, form)),
        ...detailsColumns(form),
        ...(await planColumns(context, row, form)),
      }),
    );
    if (status === undefined || status === locked.status) return {};
    await applyStatus(context, {
      referralId,
      status,
      seenVersion: locked.status_version,
      isDeleteAttachments: deleteFiles ? "true" : "false",
    });
    return {};
  },
});

function readForm(
  row: ReferralRow,
  fields: Record<string, string | undefined>,
  { portal }: Pick<ReadContext | ChangeContext, "portal">,
): z.output<typeof parts> {
  const named = Object.fromEntries(Object.keys(fields).map((name) => [name, fields[name] || undefined]));
  const plan = planValues(row);
  const standing = {
    ...patientValues(portal.secrets, row),
    ...eboksValue(row),
    ...detailsValues(row),
    ...plan,
    price: plan.price.replace(".", ","),
  };
  const parsed = parts.safeParse({ ...filledIn(standing), ...named });
  if (parsed.success) return parsed.data;
  const texts: Record<string, string[]> = {};
  for (const issue of parsed.error.issues) (texts[String(issue.path[0] ?? "")] ??= []).push(issue.message);
  throw new Refusal("invalid", { fields: texts });
}

const filledIn = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
