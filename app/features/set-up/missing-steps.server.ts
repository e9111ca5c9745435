import { z } from "zod";
import type { Person } from "~/access/actor";
import { change } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import { channels } from "~/features/delivery/channels/index.server";
import { changeSettings, letterheadSettings, readSettings, SETTINGS } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { findWhatIsThere } from "./set-up-store.server";
import { type SetUpStep, setUpSteps } from "./set-up-steps";

const DISMISSED_STEPS = "setUpPutAway";
const settingNames = [letterheadSettings.address, DISMISSED_STEPS] as const;

interface Stored {
  there: Awaited<ReturnType<typeof findWhatIsThere>>;
  settings: Record<(typeof settingNames)[number], string>;
}

async function readStored(db: DbOrTx): Promise<Stored> {
  return { there: await findWhatIsThere(db), settings: await readSettings(db, settingNames) };
}

/** Missing steps are checked each time, so that they disappear at once; done ones are cached. */
async function readCached({ cache, db }: Pick<Portal, "cache" | "db">): Promise<Stored> {
  const [there, settings] = await Promise.all([
    cache.getUnless(
      "set-up",
      () => findWhatIsThere(db),
      (found) => Object.values(found).includes(false),
    ),
    cache.get(`${SETTINGS} set-up`, () => readSettings(db, settingNames)),
  ]);
  return { there, settings };
}

function missing(portal: Portal, { there, settings }: Stored): SetUpStep[] {
  const isSent = (name: "email" | "sms" | "eboks") => channels[name].gateway(portal).mode !== "notConfigured";
  const { production, personRegister } = portal.config;
  const isDone: Record<SetUpStep, boolean> = {
    email: isSent("email"),
    sms: isSent("sms"),
    eboks: isSent("eboks"),
    personRegister: !production || personRegister.url !== null,
    letterhead: settings[letterheadSettings.address] !== "",
    ...there,
  };
  return setUpSteps.filter((step) => !isDone[step]);
}

/** What the clinic must still set up, without dismissed steps; empty for those who cannot do it. */
export async function missingSteps(portal: Portal, person: Person): Promise<SetUpStep[]> {
  if (!can(person, "settings.setUp")) return [];
  const stored = await readCached(portal);
  const dismissed = stored.settings[DISMISSED_STEPS].split(",");
  return missing(portal, stored).filter((step) => !dismissed.includes(step));
}

export const putAwaySetUp = change({
  name: "putAwaySetUp",
  permission: "settings.setUp",
  input: z.object({}),
  async run(context) {
    const steps = missing(context.portal, await readStored(context.tx));
    await changeSettings(context, { [DISMISSED_STEPS]: steps.join(",") });
    context.auditChange([], `set-up list put away: ${steps.join(", ")}`);
    return { flash: { tone: "success" as const, text: "Listen er lagt væk." } };
  },
});
