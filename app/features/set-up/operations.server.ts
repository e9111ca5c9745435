import type { Person } from "~/access/actor";
import { change, read, succeeded } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { DbOrTx } from "~db/connection.server";
import { channels } from "~/features/delivery/channels/index.server";
import { hourSettings } from "~/features/opening-hours/read-opening-hours.server";
import { changeSettings, letterheadSettings, readSettings, SETTINGS } from "~/features/settings/settings.server";
import { invented } from "~/config/config.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { findWhatIsThere } from "./set-up-store.server";
import { type ServerGap, serverGaps, type SetUp, type SetUpStep, setUpSteps } from "./set-up-steps";

const DISMISSED_STEPS = "setUpPutAway";
const settingNames = [letterheadSettings.address, ...hourSettings, DISMISSED_STEPS] as const;

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

function missing(portal: Portal, { there, settings }: Stored): SetUp["missing"] {
  const isSent = (name: "email" | "sms" | "eboks") => channels[name].gateway(portal).mode !== "notConfigured";
  const { production, personRegister, ...config } = portal.config;
  const isOwn = (...names: (keyof typeof invented)[]) =>
    !production || names.every((name) => config[name] !== invented[name]);
  const { referrals: _, ...steps } = there;
  const isDone: Record<SetUpStep | ServerGap, boolean> = {
    clinicName: isOwn("clinicName"),
    support: isOwn("supportEmail", "supportPhone"),
    sender: !isSent("email") || isOwn("mailFrom"),
    email: isSent("email"),
    sms: isSent("sms"),
    eboks: isSent("eboks"),
    personRegister: !production || personRegister.url !== null,
    letterhead: settings[letterheadSettings.address] !== "",
    openingHours: hourSettings.some((name) => settings[name] !== ""),
    ...steps,
  };
  return [...setUpSteps, ...serverGaps].filter((step) => !isDone[step]);
}

/** Missing steps of a new portal. None while all of them were put away, and none for those who may not set it up. */
export async function findSetUp(portal: Portal, person: Person): Promise<SetUp> {
  if (!can(person, "settings.setUp")) return { missing: [], isEmpty: false };
  const stored = await readCached(portal);
  const dismissed = stored.settings[DISMISSED_STEPS].split(",");
  const all = missing(portal, stored);
  return { missing: all.every((step) => dismissed.includes(step)) ? [] : all, isEmpty: !stored.there.referrals };
}

export const readSetUp = read({
  name: "readSetUp",
  permission: "settings.setUp",
  run: ({ portal, person }) => findSetUp(portal, person),
});

/** Hides the list until a further step is missing. */
export const putAwaySetUp = change({
  name: "putAwaySetUp",
  permission: "settings.setUp",
  async run(context) {
    const steps = missing(context.portal, await readStored(context.tx));
    await changeSettings(context, { [DISMISSED_STEPS]: steps.join(",") });
    context.auditChange([], `set-up list put away: ${steps.join(", ")}`);
    return { to: paths.overview, ...succeeded("Listen er lagt væk.") };
  },
});
