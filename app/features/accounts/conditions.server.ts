import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { pageOfStep, pendingStep } from "~/access/pending-step.server";
import { Refusal } from "~/access/refusal";
import { savePendingForm } from "~/access/session-store.server";
import { findNewestText } from "~/features/portal-texts/operations.server";
import { returnPath } from "./return-path.schema.server";
import { sealInput, sentTo, typedValues } from "./sealed-input.server";
import { acceptConditions as storeAcceptance } from "./user-store.server";

/** The conditions that a dentist or secretary must accept. */
export const readConditions = read({
  name: "readConditions",
  permission: "signedIn",
  input: z.object({}),
  async run({ db, person }) {
    const conditions = await findNewestText(db, "conditions");
    return { conditions, isAccepted: !person.mustAcceptConditions };
  },
});

/**
 * Records which version was accepted; a newer one asks again. Without a version the newest is accepted (POST
 * /Doctors/conditions). Throws `conflict` if the version is not the newest, or there is none.
 */
export const acceptConditions = change({
  name: "acceptConditions",
  permission: "signedIn",
  input: z.object({ version: z.number().int().optional(), to: returnPath }),
  async run({ tx, person, now }, { version, to }) {
    const newest = await findNewestText(tx, "conditions");
    if (!newest || newest.version !== (version ?? newest.version))
      throw new Refusal("conflict", { text: "Betingelserne er ændret imens. Læs den nye udgave." });
    await storeAcceptance(tx, person.id, newest.version, now);
    return { to };
  },
});

export const sealFormUntilAccepted = change({
  name: "sealFormUntilAccepted",
  permission: "signedIn",
  input: typedValues,
  async run({ tx, person, caller, portal, now }, values) {
    const to = sentTo(values);
    await savePendingForm(tx, caller.sessionId ?? "", sealInput(portal.secrets, person.id, to, values, now));
    return { to: pageOfStep(pendingStep(person) ?? "conditionsNotAccepted", to) };
  },
});
