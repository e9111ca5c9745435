import { z } from "zod";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { ACTIVE } from "~/features/directory/activity";
import { clinicForm, clinicStatus } from "./clinic.schema.server";
import { findClinicInScope, updateClinicRow } from "./clinic-member-store.server";
import { invalidateClinics } from "./invalidate-clinics.server";

/**
 * 'Opdater Klinik'. Secretaries may change their own clinics except the status. An inactive clinic keeps its referrals
 * and is no longer offered. Throws `notInScope` and `conflict`.
 */
export const updateClinic = change({
  name: "updateClinic",
  permission: "directory.manage",
  input: z.object({
    clinicId: z.coerce.number().int(),
    /** Absent: the last write wins. */
    seenVersion: z.coerce.number().int().optional(),
    ...clinicForm,
    status: clinicStatus,
  }),
  async run(context, { clinicId, seenVersion, status, ...clinic }) {
    const { tx, actor, now, auditChange } = context;
    const row = await findClinicInScope(tx, actor, clinicId);
    if (!row) throw new Refusal("notInScope", { text: "Klinikken findes ikke, eller du har ikke adgang til den." });
    const setsStatus = can(actor, "directory.manageAll") && status !== undefined;
    if (setsStatus && status === ACTIVE && row.merged_into_id !== null)
      throw new Refusal("conflict", {
        text: "Klinikken er samlet med en anden og kan ikke gøres aktiv. Fortryd fusioneringen først.",
      });
    const seen = { id: row.id, version: seenVersion ?? row.version };
    if (!(await updateClinicRow(tx, seen, { ...clinic, status: setsStatus ? status : row.status }, now)))
      throw new Refusal("conflict", {
        text: "Klinikken er ændret, siden du åbnede den. Se, hvad der er gemt nu, og prøv igen.",
      });
    auditChange([], `clinic ${row.id} changed`);
    invalidateClinics(context);
    return { flash: { tone: "success" as const, text: "Klinikken er opdateret." } };
  },
});
