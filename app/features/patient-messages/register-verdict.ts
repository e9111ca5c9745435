import {
  type ChannelName,
  type FailureReason,
  NOT_CONFIGURED,
  PROTECTED_ADDRESS,
  RECEIVER_UNKNOWN,
} from "~/features/delivery/delivery-outcome";
import type { NotNow } from "~/features/delivery/port";
import { hasNoAddress, type PersonAnswer } from "~/gateways/person-register/port";
import type { Portal } from "~/portal.server";

const DISAPPEARED = "70";
const EMIGRATED = "80";
const DEAD = "90";

/** Register states of patients whom no channel reaches. */
const gone: Readonly<Record<string, { detail: string; reason: FailureReason }>> = {
  [DISAPPEARED]: { detail: "Patienten er registreret som forsvundet i CPR-registret", reason: "disappeared" },
  [EMIGRATED]: { detail: "Patienten er udrejst ifølge CPR-registret", reason: "emigrated" },
  [DEAD]: { detail: "Patienten er død ifølge CPR-registret", reason: "dead" },
};

export const isGone = (reason: string | null) => Object.values(gone).some((each) => each.reason === reason);

const ASK_AGAIN_MINUTES = 15;

/**
 * What the register's answer means for a message: nothing to the dead and those who have left, no letter to a protected
 * or missing address, and waiting while the register is silent. Null allows sending. The register is asked at every
 * sending and its answer is not stored.
 */
export function registerVerdict(
  channel: ChannelName,
  answer: PersonAnswer,
  { config, personRegister }: Pick<Portal, "config" | "personRegister">,
): NotNow | null {
  // Without a register nothing is checked: everything is sent outside production, no letters in production.
  if (!personRegister.isReal && answer.kind === "notFound")
    return config.production && channel === "print"
      ? {
          outcome: "failed",
          detail: "CPR-registret er ikke indstillet",
          reason: "registerNotConfigured",
          code: NOT_CONFIGURED,
        }
      : null;
  switch (answer.kind) {
    case "found": {
      const why = gone[answer.status];
      if (why !== undefined) return { outcome: "failed", ...why, code: RECEIVER_UNKNOWN };
      return channel === "print" && hasNoAddress(answer)
        ? {
            outcome: "failed",
            detail: "Patienten har ingen fast adresse i CPR-registret",
            reason: "noAddress",
            code: RECEIVER_UNKNOWN,
          }
        : null;
    }
    case "protected":
      return channel === "print"
        ? { outcome: "failed", detail: "Adressen er hemmelig", code: PROTECTED_ADDRESS }
        : null;
    case "notFound":
      return {
        outcome: "failed",
        detail: "CPR-nummeret findes ikke i CPR-registret",
        reason: "noSuchCpr",
        code: RECEIVER_UNKNOWN,
      };
    case "unavailable":
      return {
        outcome: "wait",
        detail: "CPR-registret svarer ikke",
        reason: "registerSilent",
        minutes: ASK_AGAIN_MINUTES,
      };
  }
}
