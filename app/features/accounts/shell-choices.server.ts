import { z } from "zod";
import { change } from "~/access/operation.server";
import { returnPath } from "./return-path.schema.server";
import { setLightEdition } from "./user-store.server";

/** 'Let udgave': pages without any script, for this person until he changes it back. */
export const chooseLightEdition = change({
  name: "chooseLightEdition",
  permission: "signedIn",
  input: z.object({ light: z.enum(["on", "off"]), to: returnPath }),
  async run({ tx, person }, { light, to }) {
    await setLightEdition(tx, person.id, light === "on");
    return { to };
  },
});

/** Hides the secretaries' info popup for the rest of the session (specification 1 §6). */
export const closeInfoPopup = change({
  name: "closeInfoPopup",
  permission: "signedIn",
  input: z.object({ to: returnPath }),
  async run({ tx, caller }, { to }) {
    await tx.updateTable("session").set({ info_popup_seen: 1 }).where("id", "=", caller.sessionId ?? "").execute();
    return { to };
  },
});

export const BROWSER_WARNING_COOKIE = "browser-warning-seen";
const ONE_DAY_SECONDS = 86_400;

/** Hides the old-browser warning for a day (specification 1 §1). */
export const closeBrowserWarning = change({
  name: "closeBrowserWarning",
  permission: "signedIn",
  input: z.object({ to: returnPath }),
  async run(_context, { to }) {
    return { to, remember: { name: BROWSER_WARNING_COOKIE, maxAgeSeconds: ONE_DAY_SECONDS } };
  },
});
