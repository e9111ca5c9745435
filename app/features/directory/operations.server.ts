import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findClinicChoices } from "./find-choices.server";
import { findClinic } from "./find-clinic.server";
import { findReferrers } from "./find-referrers.server";
import { findSurgeons } from "./find-surgeons.server";

/** The active surgeons (GET /Surgeons); staff choose among them. */
export const listSurgeons = read({
  name: "listSurgeons",
  permission: "referral.editSent",
  input: z.object({}),
  async run({ db }) {
    return { surgeons: (await findSurgeons(db)).map(({ id, name }) => ({ id, fullName: name })) };
  },
});

const ALL = 10_000;

/** Every referrer the caller may name (GET /Doctors). */
export const listReferrers = read({
  name: "listDoctors",
  permission: "referral.chooseReferrer",
  input: z.object({}),
  async run({ db, person }) {
    const referrers = await findReferrers(db, person, "", ALL);
    return { referrers: referrers.map(({ id, name, clinicName }) => ({ id, fullName: name, clinic: clinicName })) };
  },
});

export const listClinics = read({
  name: "listClinics",
  permission: "referral.read",
  input: z.object({}),
  async run({ db, person }) {
    return { clinics: (await findClinicChoices(db, person)).map(({ value, label }) => ({ id: value, name: label })) };
  },
});

/** A clinic's card. Throws `notInScope`, also for an inactive one. */
export const readClinic = read({
  name: "readClinic",
  permission: "referral.read",
  input: z.object({ clinicId: z.number().int() }),
  async run({ db, person }, { clinicId }) {
    const isOwn = (await findClinicChoices(db, person)).some(({ value }) => value === clinicId);
    const clinic = isOwn ? await findClinic(db, clinicId) : null;
    if (!clinic) throw new Refusal("notInScope", { text: "Klinikken findes ikke, eller du har ikke adgang til den." });
    const { id, name, address, city, zip, phone, fax } = clinic;
    return { id, name, address, city, zip, phone, fax };
  },
});
