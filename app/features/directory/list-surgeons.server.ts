import { z } from "zod";
import { read } from "~/access/operation.server";
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
