import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "./return-path";
import { newestText } from "./text-store.server";
import { acceptConditions as storeAcceptance } from "./user-store.server";

/** The conditions that a dentist or secretary must accept (specification 1 §6). */
export const readConditions = read({
  name: "readConditions",
  permission: "signedIn",
  input: z.object({}),
  async run({ db, person }) {
    const conditions = await newestText(db, "conditions");
    return { conditions, isAccepted: !person.mustAcceptConditions };
  },
});

/** Records which version was accepted and when; a newer version asks again. Throws `conflict` when it is not the newest. */
export const acceptConditions = change({
  name: "acceptConditions",
  permission: "signedIn",
  input: z.object({ version: z.number().int(), to: z.string().max(4000).optional() }),
  async run({ tx, person, now }, { version, to }) {
    const newest = await newestText(tx, "conditions");
    if (newest?.version !== version) throw new Refusal("conflict", { text: "Betingelserne er ændret imens. Læs den nye udgave." });
    await storeAcceptance(tx, person.id, version, now);
    return { to: safeReturn(to) };
  },
});
