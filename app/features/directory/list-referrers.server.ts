import { z } from "zod";
import { read } from "~/access/operation.server";
import { findReferrers } from "./find-referrers.server";

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
