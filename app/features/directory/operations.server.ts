import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName } from "~/text/names";
import { tellApart, type ToldApart } from "~/text/tell-apart";
import { findActiveClinics, findSurgeonRows, findUserToWriteTo, findClinic } from "./store.server";
import { z } from "zod";
import { type ChangeContext, read } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { Refusal } from "~/access/refusal";
import { findReferrers } from "./find-referrers.server";

export type DirectoryChoice = ToldApart;

export function invalidateDirectory({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(COUNTS, "choices of"));
}

/** Active clinics by name: all for staff, otherwise one's own (GET /Clinics/active-only). */
export async function findClinicChoices(db: DbOrTx, person: Person): Promise<DirectoryChoice[]> {
  const rows = await findActiveClinics(db, can(person, "directory.seeAll") ? "all" : person.clinicIds);
  return tellApart(rows.map(({ id, name, ...row }) => ({ value: id, label: name, apart: addressLine(row) })));
}

const addressLine = ({ address, zip, city }: { address: string; zip: string; city: string }) =>
  [address, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");

export async function findSurgeonChoices(db: DbOrTx, chosenId: number | null = null): Promise<DirectoryChoice[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return tellApart(rows.map((row) => ({ value: row.id, label: fullName(row), apart: row.email })));
}

export async function findSurgeons(
  db: DbOrTx,
  chosenId: number | null = null,
): Promise<{ id: number; name: string }[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return rows.map((row) => ({ id: row.id, name: fullName(row) }));
}

/** Surgeons that a referral can be given to (GET /Surgeons). */
export const listSurgeons = read({
  name: "listSurgeons",
  permission: "referral.editSent",
  async run({ db }) {
    return { surgeons: (await findSurgeons(db)).map(({ id, name }) => ({ id, fullName: name })) };
  },
});

const ALL = 10_000;

/** Referrers whom the person may choose, at most 10,000. */
export const listReferrers = read({
  name: "listDoctors",
  permission: "referral.chooseReferrer",
  async run({ db, person }) {
    const referrers = await findReferrers(db, person, "", ALL);
    return { referrers: referrers.map(({ id, name, clinicName }) => ({ id, fullName: name, clinic: clinicName })) };
  },
});

export const listClinics = read({
  name: "listClinics",
  permission: "referral.read",
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

export interface LetterReceiver {
  id: number;
  name: string;
  email: string;
  isActive: boolean;
  wantsEdi: boolean;
  ediId: string | null;
}

export async function findLetterReceiver(db: DbOrTx, referrerId: number | null): Promise<LetterReceiver | null> {
  const user = referrerId === null ? undefined : await findUserToWriteTo(db, referrerId);
  return user === undefined
    ? null
    : {
        id: user.id,
        name: fullName(user),
        email: user.email.trim(),
        isActive: user.status === 1,
        ediId: user.edi_dentist_id,
        wantsEdi: user.send_ending_letters_via_edi === 1 && Boolean(user.edi_dentist_id),
      };
}

export async function findPersonEmail(db: DbOrTx, personId: number | null): Promise<string | null> {
  return personId === null ? null : ((await findUserToWriteTo(db, personId))?.email ?? null);
}
