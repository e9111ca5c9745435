import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Person } from "~/access/actor";
import { importRows } from "~/features/appointments/import-appointments.server";
import { importStatuses } from "~/features/appointments/import-rules";
import { readAppointmentFile, startImport, uploadAppointments } from "~/features/appointments/operations.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";

import { aClinic, aPerson } from "../../factories/people";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

interface Begun {
  portal: TestPortal;
  admin: Person;
  dentist: Person;
  surgeon: Person;
}

export const head = "CPR;Navn;Mobil;E-mail;Dato;Tid;Varighed;Kode;Behandler;Status";
export const SYSTEM = { kind: "system", job: "worker" } as const;

/** A line at 08:30 with code OP-48. */
export const lineOf = (cpr: string, date: string, status = "") => `${cpr};;;;${date};08:30;30;OP-48;;${status}\n`;

export const ofNobody = (count: number) =>
  Array.from({ length: count }, (_, nth) => lineOf(`610181-${1000 + nth}`, "17.12.2026")).join("");

/** A portal with the codes OP-48 and OP-49, and an admin's actions on appointment files. */
export function appointmentsPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let uploads = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await portal.db
      .insertInto("treatmentType")
      .values({
        name: "Operation",
        nameSort: "operation",
        externalAppointmentIds: "OP-48, OP-49",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .execute();
    begun({ portal, admin, surgeon, dentist });
  });
  afterAll(() => portal.close());

  /** Uploads a file as the page does; returns its id. */
  async function upload(content: string | Buffer): Promise<number> {
    const formKey = `upload-${++uploads}`;
    const file = path.join(os.tmpdir(), `${process.pid}-${dialect}-${formKey}.csv`);
    await writeFile(file, content);
    const result = await storeUpload(portal, file, "tider.csv", "appointments", { requestedBy: "test" });
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(admin, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: "AppointmentFile", kind: "appointments" }],
    });
    const { to } = await portal.as(admin, uploadAppointments, { formKey });
    return Number(to?.split("/").at(-1));
  }
  const read = (fileId: number) => portal.as(admin, readAppointmentFile, { fileId, page: 1 });
  return {
    upload,
    read,
    shown: async (fileId: number) => (await read(fileId)).rows.map((row) => importStatuses[row.status]!.label),
    /** 'Importér' with answers to the dry run's questions, and the worker's steps. */
    async importAll(fileId: number, answers: object = {}) {
      await portal.as(admin, startImport, { fileId, ...answers });
      while ((await portal.as(SYSTEM, importRows, {})).data?.imported !== 0);
    },
  };
}
