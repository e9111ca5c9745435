import { randomUUID } from "node:crypto";
import { z } from "zod";
import { personName } from "~/access/actor";
import { read } from "~/access/operation.server";
import { pendingStep } from "~/access/pending-step.server";
import { can } from "~/access/permissions";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import { type ShownOnce } from "~/access/sessions.server";
import { clearShownOnce } from "~/access/session-store.server";
import { channels } from "~/features/delivery/channels/index.server";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { isAppointmentFileMissing } from "~/features/appointments/read-appointments.server";
import { readCopyMoment } from "~/features/copies/copy-state.server";
import { readDiskState } from "~/files/staging/upload-quota.server";
import type { Portal } from "~/portal.server";
import { isOldBrowser } from "./old-browser";
import { infoPopupFor } from "~/features/accounts/read-info-popup.server";
import { restoreSealed } from "~/features/accounts/sealed-input.server";
import { BROWSER_WARNING_COOKIE } from "~/features/accounts/shell-choices.server";

const NOTHING: ShownOnce = { messages: [], pendingForm: null, infoPopupSeen: true, showCallUpStats: false };

/**
 * What every page under /management shows around its content. Messages and restored input are shown once, so reading them
 * here forgets them.
 */
export const readShell = read({
  name: "readShell",
  permission: "signedIn",
  input: z.object({ userAgent: z.string(), cookies: z.string() }),
  async run({ db, person, portal, caller, now }, { userAgent, cookies }) {
    const once = caller.flash ?? NOTHING;
    // Until what comes first is done the form it belongs to is not shown, so it keeps waiting.
    const step = pendingStep(person);
    const restoresInput = once.pendingForm !== null && step === null;
    const shown = [
      once.messages.length > 0 && ("flash_sealed" as const),
      restoresInput && ("restored_input" as const),
    ].filter((what) => what !== false);
    if (shown.length > 0)
      await bestEffortWrite(portal, "shown once", () => clearShownOnce(db, caller.sessionId ?? "", shown));
    // Asked together, so that what is cached asks once what other processes have changed.
    const [infoPopup, appointmentAlert, copyMadeAt] = await Promise.all([
      infoPopupFor(db, person, !once.infoPopupSeen && step === null),
      isAppointmentFileMissing(portal, person, now),
      can(person, "site.staff") ? readCopyMoment(portal) : null,
    ]);
    return {
      personId: person.id,
      name: personName(person),
      roles: person.roles,
      isLight: person.lightEdition,
      hasShortcuts: person.hasShortcuts,
      pendingStep: step,
      flash: once.messages,
      restored: restoresInput ? restoreSealed(portal.secrets, person.id, once.pendingForm ?? "", now) : null,
      infoPopup,
      // The tab leads straight to a form of its own: one answer less to wait for on a slow connection (docs/decisions/0022).
      newFormKey: randomUUID(),
      appointmentAlert,
      /** When the copy was made that this portal is, and nothing runs by itself; null to who is not staff, and where it is none. */
      copyMadeAt,
      /** What staff must know of the place for files; null where all is well, and to who is not staff. */
      fileTrouble: can(person, "site.staff") ? await fileTrouble(portal) : null,
      /** Channels whose messages stay on this machine: staff are notified on every page. */
      trialChannels: can(person, "patientMessage.send")
        ? channelNames.filter((name) => channels[name].gateway(portal).mode === "embedded")
        : [],
      showOldBrowserWarning: isOldBrowser(userAgent) && !cookies.includes(`${BROWSER_WARNING_COOKIE}=`),
    };
  },
});

async function fileTrouble({ files, config }: Portal): Promise<"away" | "full" | "nearlyFull" | null> {
  if (files.isAway()) return "away";
  const disk = await readDiskState(config.dataDir);
  return disk === "ok" ? null : disk;
}
