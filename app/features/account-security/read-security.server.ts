import { z } from "zod";
import { read, type ReadContext } from "~/access/operation.server";
import { secondFactorRule } from "~/access/second-factor-rule";
import { findSessionsOf } from "~/access/session-store.server";
import { returnPath } from "~/features/accounts/return-path.schema.server";
import { qrCode } from "~/features/second-factor/qr-code.server";
import { countUnusedCodes, findFactor, hasFactor } from "~/features/second-factor/factors.server";
import { totpAddress } from "~/features/second-factor/totp.server";
import { isoMoment } from "~/text/dates";
import { handleOf } from "./session-handle";

async function readSetUp({ db, person, portal }: ReadContext) {
  const pending = await findFactor(db, portal.secrets, person.id, "pending");
  if (pending === null) return null;
  const { secret } = pending;
  return { secret, qr: qrCode(totpAddress(secret, { issuer: portal.config.productName, account: person.userName })) };
}

async function readFactor(context: ReadContext) {
  const { db, person, portal } = context;
  const rule = secondFactorRule(portal.config.secondFactor, person.roles);
  if (rule === "off") return null;
  const active = await findFactor(db, portal.secrets, person.id, "active");
  return {
    isRequired: rule === "required",
    isOn: await hasFactor(db, person.id),
    since: active?.activatedAt ? isoMoment(active.activatedAt) : null,
    codesLeft: active === null ? 0 : await countUnusedCodes(db, active.id),
    setUp: await readSetUp(context),
  };
}

/** The part 'Sikkerhed' of the profile: the second factor (null if not available) and the person's sessions. */
export const readSecurity = read({
  name: "readSecurity",
  permission: "account.manage",
  input: z.object({}),
  async run(context) {
    const { db, person, caller, now } = context;
    const sessions = await findSessionsOf(db, person.id, now);
    return {
      userName: person.userName,
      factor: await readFactor(context),
      sessions: sessions.map(({ id, device, last_seen_at }) => ({
        handle: handleOf(id),
        deviceName: device,
        lastSeenAt: isoMoment(last_seen_at),
        isThis: id === caller.sessionId,
      })),
    };
  },
});

/** The page for setting up a required second factor; redirects anyone who need not. */
export const readSecondFactorPage = read({
  name: "readSecondFactorPage",
  permission: "signedIn",
  input: z.object({ to: returnPath }),
  async run(context, { to }) {
    if (!context.person.mustSetUpSecondFactor) return { redirectTo: to };
    return { userName: context.person.userName, setUp: await readSetUp(context), to };
  },
});
