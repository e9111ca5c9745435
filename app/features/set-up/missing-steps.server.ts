import { z } from "zod";
import type { Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import { channels } from "~/features/delivery/channels/index.server";
import { changeSettings } from "~/features/settings/change-settings.server";
import type { Portal } from "~/portal.server";
import { findWhatIsThere, DISMISSED_STEPS } from "./set-up-store.server";
import { type SetUpStep, setUpSteps } from "./set-up-steps";

async function missing(portal: Portal, db: DbOrTx): Promise<{ steps: SetUpStep[]; dismissedSteps: string[] }> {
  const isSent = (name: "email" | "sms" | "eboks") => channels[name].gateway(portal).mode !== "notConfigured";
  const { production, personRegister } = portal.config;
  const { there, dismissedSteps } = await findWhatIsThere(db);
  const isDone: Record<SetUpStep, boolean> = {
    email: isSent("email"),
    sms: isSent("sms"),
    eboks: isSent("eboks"),
    // Outside production test persons are what is meant.
    personRegister: !production || personRegister.url !== null,
    ...there,
  };
  return { steps: setUpSteps.filter((step) => !isDone[step]), dismissedSteps };
}

/** What the clinic has still to do before it can use the portal, but for what it has put away; nothing for whoever cannot do it. */
export async function missingSteps(portal: Portal, person: Person): Promise<SetUpStep[]> {
  if (!can(person, "settings.manage")) return [];
  const { steps, dismissedSteps } = await missing(portal, portal.db);
  return steps.filter((step) => !dismissedSteps.includes(step));
}

/** 'Læg væk': nobody is told again of what is missing now. */
export const putAwaySetUp = change({
  name: "putAwaySetUp",
  permission: "settings.manage",
  input: z.object({}),
  async run(context) {
    const { steps } = await missing(context.portal, context.tx);
    await changeSettings(context, { [DISMISSED_STEPS]: steps.join(",") });
    context.auditChange([], `set-up list put away: ${steps.join(", ")}`);
    return { flash: { tone: "success" as const, text: "Listen er lagt væk." } };
  },
});
