import { z } from "zod";
import { change, type ChangeContext, external, read, type ReadContext, succeeded } from "~/access/operation.server";
import { endSession, endSessionsOf, findSessionsOf } from "~/access/session-store.server";
import { mailAccountChange } from "~/features/accounts/account-mail.server";
import {
  countUnusedCodes,
  deleteFactors,
  findFactor,
  hasFactor,
  activatePending,
  insertPending,
  replaceCodes,
  consumeTotpStep,
} from "~/features/second-factor/second-factor-store.server";
import { Refusal } from "~/access/refusal";
import { findByUserName, findAccount } from "~/features/accounts/store.server";
import { askOwnPassword, ownPassword } from "~/features/accounts/passwords.server";
import { paths } from "~/paths";
import { line } from "~/text/fields.server";
import { secondFactorRule } from "~/access/sessions.server";
import { returnPath } from "~/features/accounts/sealed-input.server";
import {
  qrCode,
  totpAddress,
  asksForCode,
  consumeProof,
  hashRecoveryCodes,
  newRecoveryCodes,
  type Proof,
  readProof,
  showRecoveryCode,
  wrongCode,
  newTotpSecret,
  stepOfCode,
} from "~/features/second-factor/check-code.server";
import { throttle } from "~/access/throttle.server";

const withPassword = z.object({ currentPassword: ownPassword });
/** Asks for a code as well as the password, so that nobody who knows the password and finds an open session can remove the factor. */
const withCode = withPassword.extend({ code: z.string().max(40).default("") });
const MISSING_PASSWORD = "Skriv din adgangskode.";

const onwards = z.object({ onTo: returnPath.optional() });
const backTo = ({ onTo }: z.output<typeof onwards>) =>
  onTo === undefined ? paths.security() : `${paths.setUpSecondFactor}?to=${encodeURIComponent(onTo)}`;

/** Available before any other permission. Throws `notAllowed` and `passwordMustChange`. */
function refuseOthers({ person, portal }: Pick<ReadContext, "person" | "portal">): void {
  if (secondFactorRule(portal.config.secondFactor, person.roles) === "off") throw new Refusal("notAllowed");
  if (person.mustChangePassword) throw new Refusal("passwordMustChange");
}

const askPassword = (context: ReadContext, { currentPassword }: z.output<typeof withPassword>) =>
  askOwnPassword(context, currentPassword, MISSING_PASSWORD);

/** Throws `wrongCurrentPassword` and `wrongCode`. Null where no second factor is in use. */
async function askPasswordAndCode(
  context: ReadContext,
  { currentPassword, code }: z.output<typeof withCode>,
): Promise<Proof | null> {
  await askPassword(context, { currentPassword });
  const { portal, person, now } = context;
  return (await asksForCode(portal, person)) ? readProof(portal, person.id, code, now) : null;
}

async function newCodes() {
  const codes = newRecoveryCodes();
  return { codes, hashes: await hashRecoveryCodes(codes) };
}

const restart = () =>
  new Refusal("conflict", {
    text: "Opsætningen er udløbet eller begyndt forfra et andet sted. Begynd igen her.",
    to: paths.security(),
  });

/**
 * Creates a key for a second factor or for another phone. The present factor stays in use until the new one is
 * confirmed, and its code is required. Throws `wrongCurrentPassword` and `wrongCode`.
 */
export const beginSecondFactor = external({
  name: "beginSecondFactor",
  permission: "signedIn",
  input: withCode.extend(onwards.shape),
  prepare(context, input) {
    refuseOthers(context);
    return askPasswordAndCode(context, input);
  },
  async run({ tx, person, portal, now }, input, proof) {
    if (proof) await consumeProof(tx, portal, proof, now);
    await insertPending(tx, portal.secrets, { userId: person.id, secret: newTotpSecret() }, now);
    return { to: backTo(input) };
  },
});

/** Verifies the app's first code. `data.codes` are the recovery codes, shown only this once. Throws `wrongCode`. */
export const checkSecondFactor = external({
  name: "checkSecondFactor",
  permission: "signedIn",
  input: onwards.extend({ code: z.string({ error: "Skriv koden fra appen." }).max(40) }),
  async prepare(context, { code }) {
    const { portal, db, person, now } = context;
    refuseOthers(context);
    await throttle(portal, "secondFactor", String(person.id));
    const factor = await findFactor(db, portal.secrets, person.id, { pendingAt: now });
    if (factor === null) throw restart();
    const step = stepOfCode(factor.secret, code, now);
    if (step === null) throw wrongCode("Koden er ikke rigtig. Skriv den, der står i appen nu.");
    return { factorId: factor.id, step, ...(await newCodes()) };
  },
  async run({ tx, portal }, _input, { factorId, step, codes, hashes }) {
    if (!(await consumeTotpStep(tx, factorId, step))) throw wrongCode("Koden er brugt. Vent på den næste i appen.");
    await replaceCodes(tx, portal.secrets, factorId, hashes);
    return { data: { codes: codes.map(showRecoveryCode) } };
  },
});

/**
 * 'Jeg har gemt koderne': activates the factor. All other sessions end, because they began without it. Notifies the
 * person by mail.
 */
export const activateSecondFactor = change({
  name: "activateSecondFactor",
  permission: "signedIn",
  input: onwards,
  async run(context, { onTo }) {
    const { tx, person, caller, now } = context;
    refuseOthers(context);
    if (!(await activatePending(tx, person.id, now))) throw restart();
    await endSessionsOf(tx, person.id, caller.sessionId);
    await mailAccountChange(context, await findAccount(tx, person.id), ["secondFactor"]);
    return {
      to: onTo ?? paths.security(),
      ...succeeded("Totrinslogin er slået til. Du er logget ud alle andre steder."),
    };
  },
});

/** 'Slå fra', where it is not required. Throws `notAllowed`, `wrongCurrentPassword` and `wrongCode`. */
export const endSecondFactor = external({
  name: "endSecondFactor",
  permission: "account.secondFactor",
  input: withCode,
  async prepare(context, input) {
    const { portal, person } = context;
    if (secondFactorRule(portal.config.secondFactor, person.roles) === "required") throw new Refusal("notAllowed");
    const proof = await askPasswordAndCode(context, input);
    return { account: await findAccount(context.db, context.person.id), proof };
  },
  async run(context, _input, { account, proof }) {
    const { tx, portal, now } = context;
    if (proof) await consumeProof(tx, portal, proof, now);
    if (await deleteFactors(tx, account.id)) await mailAccountChange(context, account, ["secondFactor"]);
    return { to: paths.security(), ...succeeded("Totrinslogin er slået fra.") };
  },
});

/**
 * Ten new recovery codes in `data.codes`, shown once; the former become invalid. Throws `wrongCurrentPassword` and
 * `wrongCode`, and `conflict` without a factor.
 */
export const renewRecoveryCodes = external({
  name: "renewRecoveryCodes",
  permission: "account.secondFactor",
  input: withCode,
  async prepare(context, input) {
    refuseOthers(context);
    const proof = await askPasswordAndCode(context, input);
    if (proof === null) throw new Refusal("conflict", { text: "Totrinslogin er ikke slået til." });
    return { proof, ...(await newCodes()) };
  },
  async run({ tx, portal, now }, _input, { proof, codes, hashes }) {
    await consumeProof(tx, portal, proof, now);
    await replaceCodes(tx, portal.secrets, proof.factorId, hashes);
    return { data: { codes: codes.map(showRecoveryCode) } };
  },
});

/** Ends a user's second factor and sessions and notifies them by mail. False if they had none. */
export async function endFactorOf(
  context: Pick<ChangeContext, "tx" | "portal" | "outbox" | "now">,
  owner: { id: number; firstName: string; email: string },
): Promise<boolean> {
  if (!(await deleteFactors(context.tx, owner.id))) return false;
  await endSessionsOf(context.tx, owner.id, null);
  await mailAccountChange(context, owner, ["secondFactor"]);
  return true;
}

/**
 * Command line: for an only administrator who has lost their phone. Throws `accountUnknown`, and `conflict` if there is
 * none to end.
 */
export const resetSecondFactor = change({
  name: "resetSecondFactor",
  permission: "system",
  input: z.object({ userName: line.min(1) }),
  async run(context, { userName }) {
    const account = await findByUserName(context.tx, userName);
    if (account === null) throw new Refusal("accountUnknown");
    context.concerns({ userId: account.id });
    if (!(await endFactorOf(context, account)))
      throw new Refusal("conflict", { text: "Kontoen har ikke totrinslogin." });
    return {};
  },
});

/** Ends one of one's other sessions by its handle; no effect if it has ended. Throws `wrongCurrentPassword`. */
export const endOwnSession = external({
  name: "endOwnSession",
  permission: "account.manage",
  input: withPassword.extend({ session: z.string().max(64) }),
  prepare: askPassword,
  async run({ tx, person, caller, now }, { session }) {
    const others = (await findSessionsOf(tx, person.id, now)).filter(({ id }) => id !== caller.sessionId);
    const ended = others.find(({ id }) => handleOf(id) === session);
    if (ended) await endSession(tx, ended.id);
    return { to: paths.security(), ...succeeded("Du er logget ud der.") };
  },
});

/** Keeps the present session. Throws `wrongCurrentPassword`. */
export const endOtherSessions = external({
  name: "endOtherSessions",
  permission: "account.manage",
  input: withPassword,
  prepare: askPassword,
  async run({ tx, person, caller }) {
    await endSessionsOf(tx, person.id, caller.sessionId);
    return { to: paths.security(), ...succeeded("Du er logget ud alle andre steder.") };
  },
});

async function readSetUp({ db, person, portal, now }: ReadContext) {
  const pending = await findFactor(db, portal.secrets, person.id, { pendingAt: now });
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
    since: active?.activatedAt ?? null,
    codesLeft: active === null ? 0 : await countUnusedCodes(db, active.id),
    setUp: await readSetUp(context),
  };
}

/** The part 'Sikkerhed' of the profile: the second factor (null if not available) and the person's sessions. */
export const readSecurity = read({
  name: "readSecurity",
  permission: "account.manage",
  async run(context) {
    const { db, person, caller, now } = context;
    const sessions = await findSessionsOf(db, person.id, now);
    return {
      userName: person.userName,
      factor: await readFactor(context),
      sessions: sessions.map(({ id, device, lastSeenAt }) => ({
        handle: handleOf(id),
        deviceName: device,
        lastSeenAt,
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

/** A prefix of the session id that tells one person's sessions apart. */
const handleOf = (sessionId: string) => sessionId.slice(0, 16);
