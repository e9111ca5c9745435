import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { ACTIVE } from "~/features/directory/activity";
import { insertClinic } from "~/features/directory/find-clinic.server";
import { paths } from "~/paths";
import { clinicForm, clinicStatus } from "./clinic.schema.server";
import { invalidateClinics } from "./invalidate-clinics.server";

export const readNewClinic = read({
  name: "readNewClinic",
  permission: "directory.manageAll",
  input: z.object({}),
  run: async () => ({}),
});

export const createClinic = change({
  name: "createClinic",
  permission: "directory.manageAll",
  idempotent: true,
  unexpectedErrorText: "Server error. Noget gik galt. Prøv igen senere.",
  input: z.object({ formKey: z.string().max(64), ...clinicForm, status: clinicStatus.default(ACTIVE) }),
  async run(context, { formKey: _once, ...clinic }) {
    const { tx, now, auditChange } = context;
    const id = await insertClinic(tx, clinic, now);
    auditChange([], `clinic ${id} made`);
    invalidateClinics(context);
    return { to: paths.clinic(id), flash: { tone: "success" as const, text: `${clinic.name} er oprettet.` } };
  },
});
