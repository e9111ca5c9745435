import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Actor, Role } from "~/access/actor";
import type { CommandResult, Site } from "~/access/caller";
import { findSession } from "~/access/sessions.server";
import { saveExternalIdentity } from "~/features/people/update-user.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { aPerson } from "../../factories/people";
import { CLIENT_ID, CLIENT_SECRET, type IdentityProviderPeer, startIdentityProvider } from "../peers/identity-provider";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { issueToken } from "~/features/accounts/access-token-store.server";
import { findAccount } from "~/features/accounts/store.server";
import {
  beginExternalSignIn,
  confirmExternalBinding,
  finishExternalSignIn,
} from "~/features/accounts/external-sign-in.server";
import { resetPassword } from "~/features/accounts/passwords.server";

export const anonymous: Actor = { kind: "anonymous" };
export const PASSWORD = "Hvidtjoern7Kost";
export const ADMIN = "https://klinik.eksempel.dk";
export const PUBLIC = "https://www.henvis.eksempel.dk";
export const returnTo = { staff: `${ADMIN}/login/ekstern/personale`, referrers: `${PUBLIC}/login/ekstern/henvisere` };
export const bindingIn = ({ data }: CommandResult) =>
  data?.binding as { step: string; name: string; userName: string } | undefined;
export type Group = keyof typeof returnTo;
export const siteOf: Record<Group, Site> = { staff: "staff", referrers: "public" };

/** A portal with a provider of its own for each group, and people who come back from it. */
export function externalSignIn(dialect: Dialect) {
  let peer: IdentityProviderPeer;
  let portal: TestPortal;
  let count = 0;

  beforeAll(async () => {
    peer = await startIdentityProvider(Object.values(returnTo));
    const settings = (prefix: string) => ({
      [`${prefix}_ISSUER`]: peer.issuer,
      [`${prefix}_CLIENT_ID`]: CLIENT_ID,
      [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
      [`${prefix}_LABEL`]: "Log ind med Region Midtjylland",
    });
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: ADMIN, PUBLIC_ORIGIN: PUBLIC, ...settings("OIDC_STAFF"), ...settings("OIDC_REFERRER") },
    });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  const asConfigured = () => structuredClone({ ...portal.config.signIn });
  let configured: ReturnType<typeof asConfigured>;
  beforeAll(() => {
    configured = asConfigured();
  });
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    portal.config.signIn = { ...configured };
    portal.config.secondFactor = { staff: "optional", referrers: "optional" };
    for (const table of ["throttle", "session", "outbox"] as const) await portal.db.deleteFrom(table).execute();
  });

  const nameAs = (admin: Actor, userId: number, externalIdentity: string) =>
    portal.as(admin, saveExternalIdentity, { userId, externalIdentity, currentPassword: PASSWORD });

  /** Somebody here whose account at the provider has a name, as an administrator filled it in. */
  async function somebody({ role = "Admin" as Role, named = true, password = true } = {}) {
    const name = `ekstern${++count}`;
    const person = await aPerson(portal, { role, userName: `lokal${count}`, ...(password && { password: PASSWORD }) });
    const admin = await aPerson(portal, { role: "Admin", password: PASSWORD });
    if (named) await nameAs(admin, person.id, name.toUpperCase());
    return { person, admin, name };
  }
  const sits = (name: string, more: Partial<Parameters<IdentityProviderPeer["sits"]>[0]> = {}) =>
    peer.sits({ subject: `subject-${name}`, ...more, claims: { preferred_username: name, ...more.claims } });

  const begin = (group: Group, to: string | null = null, link = "") =>
    portal.as(
      anonymous,
      beginExternalSignIn,
      { group, returnAddress: returnTo[group], to, link },
      { site: siteOf[group] },
    );
  const finish = (group: Group, answer: string, round: string, site = siteOf[group]) =>
    portal.as(anonymous, finishExternalSignIn, { group, answer, round }, { site });
  const comeBack = async (group: Group = "staff", to: string | null = null, link = "") => {
    const { address, round } = await begin(group, to, link);
    return finish(group, await peer.walk(address), round);
  };
  const confirm = (done: CommandResult, site: Site) =>
    portal.as(anonymous, confirmExternalBinding, { step: bindingIn(done)!.step }, { site });
  /** Signs in, and confirms the binding when it is asked for. */
  async function enter(group: Group = "staff", to: string | null = null, link = "") {
    const done = await comeBack(group, to, link);
    return bindingIn(done) ? confirm(done, siteOf[group]) : done;
  }
  const personOf = async (done: Awaited<ReturnType<typeof enter>>) => {
    const { token } = done.session as { token: string };
    return (await findSession(portal, token, portal.clock.now(), portal.config.secondFactor))!.person;
  };
  /** Proves the address by choosing a password with a mailed link. */
  async function forEmail({ id, userName }: { id: number; userName: string }, to: string) {
    expect((await findAccount(portal.db, id)).email).toBe(to);
    const now = portal.clock.now();
    const token = await issueToken(portal.db, { purpose: "passwordReset", userId: id, now, minutes: 60 });
    const newPassword = "Grøn kaffekop på månen 7";
    const chosen = { userName, token, newPassword, repeatPassword: newPassword };
    await portal.as(anonymous, resetPassword, chosen, { site: "staff" });
  }
  const mailedTo = async () => {
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "accountChanged").execute();
    return rows.map((row) => unsealMessage(portal.secrets, row).to);
  };
  const refusal = (text: string) => ({ name: "wrongCredentials", text });
  return {
    get portal() {
      return portal;
    },
    get peer() {
      return peer;
    },
    get configured() {
      return configured;
    },
    nameAs,
    somebody,
    sits,
    begin,
    finish,
    comeBack,
    confirm,
    enter,
    personOf,
    forEmail,
    mailedTo,
    refusal,
  };
}
