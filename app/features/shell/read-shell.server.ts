import { randomUUID } from "node:crypto";
import { z } from "zod";
import { personName } from "~/access/actor";
import { read, wholeNumber } from "~/access/operation.server";
import { pendingStep } from "~/access/authorise.server";
import { can } from "~/access/permissions";
import { bestEffortWrite } from "~/access/best-effort-write.server";
import type { ShownOnce } from "~/access/sessions.server";
import { clearShownOnce } from "~/access/session-store.server";
import { channels } from "~/features/delivery/channels/index.server";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { missingAppointmentFile } from "~/features/appointments/operations.server";
import { readEdiWaiting } from "~/features/edi/list/edi-waiting.server";
import { readCopyMoment } from "~/features/copies/operations.server";
import { readDiskState } from "~/files/staging/upload-quota.server";
import type { Portal } from "~/portal.server";
import { infoPopupFor } from "~/features/accounts/operations.server";
import { restoreSealed } from "~/features/accounts/sealed-input.server";
import { BROWSER_WARNING_COOKIE } from "~/features/accounts/shell-choices.server";
import { readSendingProgress } from "~/features/delivery/read-messages.server";
import { newestChange } from "~/features/messages/message-store.server";

const NOTHING: ShownOnce = { messages: [], pendingForm: null, infoPopupSeen: true, showCallUpStats: false };

/**
 * Data of every page's frame under /management. Flash messages and restored input are shown once, so reading consumes
 * them.
 */
export const readShell = read({
  name: "readShell",
  permission: "signedIn",
  input: z.object({ userAgent: z.string(), cookies: z.string() }),
  async run({ db, person, portal, caller, now }, { userAgent, cookies }) {
    const once = caller.flash ?? NOTHING;
    // Restored input waits until the person's pending step is done and its page can be shown.
    const step = pendingStep(person);
    const restoresInput = once.pendingForm !== null && step === null;
    const shown = [
      once.messages.length > 0 && ("flashSealed" as const),
      restoresInput && ("restoredInput" as const),
    ].filter((what) => what !== false);
    if (shown.length > 0)
      await bestEffortWrite(portal, "shown once", () => clearShownOnce(db, caller.sessionId ?? "", shown));
    // In parallel, so that cached answers share one query for changes of other processes.
    const [infoPopup, missingFile, copyMadeAt, ediWaiting] = await Promise.all([
      infoPopupFor(db, person, !once.infoPopupSeen && step === null),
      missingAppointmentFile(portal, person, now),
      can(person, "site.staff") ? readCopyMoment(portal) : null,
      readEdiWaiting({ db, portal, person }),
    ]);
    return {
      personId: person.id,
      name: personName(person),
      readAt: now.toISOString(),
      roles: person.roles,
      isLight: person.lightEdition,
      hasShortcuts: person.hasShortcuts,
      goesOn: person.goesOn,
      pendingStep: step,
      flash: once.messages,
      restored: restoresInput ? restoreSealed(portal.secrets, person.id, once.pendingForm ?? "", now) : null,
      infoPopup,
      // Links directly to a new form, saving a redirect on slow connections (docs/decisions/0022).
      newFormKey: randomUUID(),
      missingAppointmentFile: missingFile,
      ediWaiting,
      /** For staff: the moment of the copy this portal was restored from while nothing runs; otherwise null. */
      copyMadeAt,
      fileTrouble: can(person, "site.staff") ? await fileTrouble(portal) : null,
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

/** Whether the browser is older than those supported: Chrome 80, iOS 12.2 and equivalents. */
export function isOldBrowser(userAgent: string): boolean {
  if (/MSIE |Trident\//.test(userAgent)) return true;
  return (
    isBelow(userAgent, /Edge\/(\d+)/, 80) ||
    isBelow(userAgent, /Chrom(?:e|ium)\/(\d+)/, 80) ||
    isBelow(userAgent, /Firefox\/(\d+)/, 78) ||
    isBelow(userAgent, /(?:iPhone|iPad|CPU) OS (\d+_\d+)/, 12.2) ||
    (userAgent.includes(" Safari/") && isBelow(userAgent, /Version\/(\d+\.\d+)/, 12.1))
  );
}

function isBelow(userAgent: string, pattern: RegExp, min: number): boolean {
  const found = pattern.exec(userAgent)?.[1];
  return found !== undefined && Number(found.replace("_", ".")) < min;
}

/**
 * The shell's poll every 10 seconds (GET /Account): who is signed in; for an open referral also its newest message and
 * the progress of its sendings.
 */
export const readAccount = read({
  name: "readAccount",
  permission: "signedIn",
  input: z.object({ visitId: wholeNumber.positive().nullish().catch(null) }),
  async run({ person, db, portal, now }, { visitId }) {
    const { id, formerIds, firstName, lastName, roles } = person;
    return {
      id,
      formerIds,
      fullName: personName(person),
      firstName,
      lastName,
      role: roles[0] ?? null,
      roles,
      showAppointmentFileNotUploadedAlert: (await missingAppointmentFile(portal, person, now)) === "late",
      ...(visitId
        ? {
            visitId,
            newestMessageAt: await newestChange(db, person, visitId),
            sendings: await readSendingProgress(db, person, visitId),
          }
        : {}),
    };
  },
});
