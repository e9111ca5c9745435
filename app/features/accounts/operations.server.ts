import { invalidateDirectory } from "~/features/directory/operations.server";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { mayUseSite, pageOfStep, pendingStep } from "~/access/authorise.server";
import { change, external, read, succeeded, keyedForm } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { tokenHash } from "~/access/secrets.server";
import { endSession, findSessionProvider, savePendingForm } from "~/access/session-store.server";
import { addFlash } from "~/access/sessions.server";
import { throttle } from "~/access/throttle.server";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import { findNewestText } from "~/features/portal-texts/portal-text-store.server";
import type { PortalText } from "~/features/portal-texts/portal-text-kinds";
import { asksForCode, consumeProof, readProof, recoveryNotice } from "~/features/second-factor/check-code.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { paths } from "~/paths";
import { NO_MOBILE_PHONE, personName, requiredLine } from "~/text/fields.server";
import { toE164 } from "~/text/phone";
import type { DbOrTx } from "~db/connection.server";
import { ownAccountEdit } from "./change-profile.server";
import { groupsOfSite, hasPasswordOn } from "./password-rule";
import { completeSignIn, openStep } from "./sign-in.server";
import { insertQuickProfile } from "./create-account.server";
import { returnPath, MAX_SEALED_LENGTH, sealInput, sentTo, typedValues } from "./sealed-input.server";
import { acceptConditions as storeAcceptance, findAccount, setChoice, updateMobilePhone } from "./store.server";

/** Names and contacts shown on every page, and whether the visitor uses the light edition. */
export const readPublicSettings = read({
  name: "readPublicSettings",
  permission: "public",
  input: z.object({ saveData: z.boolean() }),
  async run({ portal, actor }, { saveData }) {
    const { productName, clinicName, supportEmail, supportPhone, registerUrl } = portal.config;
    const isLight = saveData || (actor.kind === "person" && actor.lightEdition);
    return { productName, clinicName, supportEmail, supportPhone, registerUrl, isLight };
  },
});

/** An absent `shortcuts` switches them off, since an unticked box sends nothing. */
export const chooseShortcuts = change({
  name: "chooseShortcuts",
  permission: "account.manage",
  input: z.object({ shortcuts: z.literal("on").optional() }),
  async run({ tx, person }, { shortcuts }) {
    const isOn = shortcuts === "on";
    await setChoice(tx, person.id, { shortcutsOff: !isOn });
    return succeeded(isOn ? "Genvejstasterne er slået til." : "Genvejstasterne er slået fra.");
  },
});

/**
 * 'Gå videre, når status er sat': saves whether the next referral of the list opens once a status is set. An absent
 * `goesOn` switches it off, since an unticked box sends nothing.
 */
export const chooseGoingOn = change({
  name: "chooseGoingOn",
  permission: "referral.setStatus",
  input: z.object({ goesOn: z.literal("on").optional() }),
  async run({ tx, person }, { goesOn }) {
    const isOn = goesOn === "on";
    await setChoice(tx, person.id, { goesOn: isOn });
    return succeeded(
      isOn ? "Den næste henvisning åbnes af sig selv." : "Henvisningen bliver stående, når status er sat.",
    );
  },
});

/**
 * Creates a referrer's profile without choosing it for a referral (POST /Users/quick-profile). Repeating a key creates
 * one profile. `to` is `#` and its id.
 */
export const createQuickProfile = change({
  name: "createQuickProfile",
  permission: "referral.createReferrer",
  idempotent: true,
  input: keyedForm.extend({
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run(context, { firstName, lastName }) {
    const { tx, person, now, auditChange } = context;
    const id = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    invalidateDirectory(context);
    auditChange([], `referrer ${id} made`);
    return { to: `#${id}` };
  },
});

/** The secretaries' popup until closed in this session (GET /Umbraco/info-popup); null for others. */
export const readInfoPopup = read({
  name: "readInfoPopup",
  permission: "account.manage",
  async run({ db, person, caller }) {
    return { popup: await infoPopupFor(db, person, caller.flash?.infoPopupSeen === false) };
  },
});

/** The newest popup text; null for those who do not see it, have closed it, or when it is empty. */
export async function infoPopupFor(db: DbOrTx, person: Person, isOpen: boolean): Promise<PortalText | null> {
  if (!isOpen || !can(person, "account.readInfoPopup")) return null;
  const newest = await findNewestText(db, "infoPopup");
  return newest && newest.body !== "" ? newest : null;
}

/**
 * No error when signed out already. After a sign-in at a provider `to` is the page that also ends the provider's
 * session (POST /Account/SignOut).
 */
export const signOut = change({
  name: "signOut",
  permission: "public",
  async run({ tx, caller }) {
    const provider = caller.sessionId === null ? null : await findSessionProvider(tx, caller.sessionId);
    if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
    return { session: "ended" as const, to: provider ? `${paths.login}?ud=${provider.group}` : paths.login };
  },
});

/**
 * Ends this session at another person's form so that its owner can sign in. `sealed` carries the owner's text into the
 * sign-in form; null if it could not be kept.
 */
export const signOutForOpener = change({
  name: "signOutForOpener",
  permission: "public",
  input: z.object({ sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined) }),
  async run({ tx, caller }, { sealed = null }) {
    if (caller.sessionId !== null) await endSession(tx, caller.sessionId);
    return { session: "ended" as const, data: { sealed } };
  },
});

export const redirectToSignIn = read({
  name: "redirectToSignIn",
  permission: "public",
  async run() {
    return { redirectTo: paths.login };
  },
});

export const redirectToOverview = read({
  name: "redirectToOverview",
  permission: "signedIn",
  async run() {
    return { redirectTo: paths.overview };
  },
});

/** Answers an address that no page has. */
export const readUnknownPage = read({
  name: "readUnknownPage",
  permission: "signedIn",
  async run(): Promise<null> {
    throw new Refusal("notInScope", { text: "Adressen er skrevet forkert, eller siden er flyttet." });
  },
});

/** The sign-in page. Redirects somebody who is signed in; tells the ways of signing in at this site. */
export const readSignIn = read({
  name: "readSignIn",
  permission: "public",
  input: z.object({ to: returnPath }),
  async run({ actor, portal, caller }, { to }) {
    if (can(actor, "signedIn")) return { redirectTo: to };
    const { demo } = portal;
    const groups = groupsOfSite(caller.site).filter((group) => portal.identityProviders[group] !== null);
    return {
      canMail: isChannelSet(portal, "email"),
      providers: groups.map((group) => ({ group, label: portal.identityProviders[group]!.label })),
      hasPassword: hasPasswordOn(caller.site, portal.config),
      demo: demo && {
        accounts: demo.accounts.filter(({ role }) => mayUseSite({ kind: "person", roles: [role] }, caller.site)),
        patients: demo.patients,
      },
    };
  },
});

/**
 * The second sign-in step: a code of the app or a recovery code begins the session. Throws `signInExpired` if the first
 * step is too old or the password has changed, `wrongCode` (also for a used one) and `tooManyAttempts`.
 */
export const confirmSignIn = external({
  name: "confirmSignIn",
  permission: "public",
  input: z.object({
    step: z.string().max(4000),
    code: z.string({ error: "Skriv koden." }).trim().min(1, "Skriv koden.").max(40),
    sealed: z.string().max(MAX_SEALED_LENGTH).optional().catch(undefined),
  }),
  async prepare({ portal, caller, db, concerns, now }, { step: sealed, code }) {
    const step = openStep(portal.secrets, sealed, now);
    const user = step && (await findAccount(db, step.userId).catch(() => null));
    if (!step || !user || user.status !== 1 || !step.isStill(user.passwordHash)) throw new Refusal("signInExpired");
    concerns({ userId: user.id });
    const mayEnter = mayUseSite({ kind: "person", roles: user.roles }, caller.site);
    if (!mayEnter || !(await asksForCode(portal, user))) throw new Refusal("signInExpired");
    const proof = await readProof(portal, user.id, code, now);
    return { step, user, proof };
  },
  async run(context, { sealed = null }, { step, user, proof }) {
    const { tx, now, portal } = context;
    await consumeProof(tx, portal, proof, now);
    const provider = step.provider && { group: step.provider, hasSecondFactor: true };
    const entered = await completeSignIn(context, user, { to: step.to, sealed, provider });
    const text = await recoveryNotice(tx, proof);
    if (text !== null)
      await addFlash(tx, portal.secrets, {
        sessionId: tokenHash(entered.session.token),
        flash: { tone: "info", text },
      });
    return entered;
  },
});

/**
 * The newest conditions, or null if none were written. `isAccepted` is false while the person must still accept them;
 * until then only operations with the permission `signedIn` are allowed.
 */
export const readConditions = read({
  name: "readConditions",
  permission: "signedIn",
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

/**
 * Keeps a form that was sent before the terms were accepted, sealed for its owner, and redirects to the pending step.
 */
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

const testQueued = succeeded("Prøven er sat i kø. Nedenfor kan du følge den.");

/** Queues a test mail to one's own address, at most 20 tests an hour. Throws `tooManyAttempts`. */
export const sendTestEmail = external({
  name: "sendTestEmail",
  permission: "delivery.test",
  prepare: ({ portal, person }) => throttle(portal, "testMessage", String(person.id)),
  async run({ tx, outbox, person, portal: { config } }) {
    const mail = renderMail({
      productName: config.productName,
      subject: `Prøve fra ${config.productName}`,
      paragraphs: [
        `Hej ${person.firstName}.`,
        `Du har bedt om denne prøve. Når du læser den, kan ${config.productName} sende mails.`,
      ],
      answer: answerSentence(await readLetterhead(tx, config), "user"),
    });
    await outbox.email({ kind: "testMessage", to: person.email, userId: person.id, requestedBy: person.id, ...mail });
    return testQueued;
  },
});

/** Queues a test SMS and saves its number as one's own, at most 20 tests an hour. Throws `tooManyAttempts`. */
export const sendTestSms = external({
  name: "sendTestSms",
  permission: "delivery.test",
  edit: ownAccountEdit(({ mobilePhone }) => ({ mobilePhone: mobilePhone ?? "" })),
  input: z.object({
    mobilePhone: requiredLine(NO_MOBILE_PHONE, 40).refine((typed) => toE164(typed) !== null, NO_MOBILE_PHONE),
  }),
  prepare: ({ portal, person }) => throttle(portal, "testMessage", String(person.id)),
  async run({ tx, now, outbox, person, portal: { config } }, { mobilePhone }) {
    await updateMobilePhone(tx, person.id, mobilePhone, now);
    const text = `Prøve fra ${config.productName}: når du læser den, kan portalen sende SMS.`;
    await outbox.sms({
      kind: "testMessage",
      to: toE164(mobilePhone)!,
      userId: person.id,
      requestedBy: person.id,
      text,
    });
    return testQueued;
  },
});
