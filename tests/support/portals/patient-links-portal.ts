import { afterAll, beforeAll, beforeEach } from "vitest";
import type { LinkPurpose, Person } from "~/access/actor";
import { patientCaller } from "~/access/patient-links.server";
import type { Operation } from "~/access/operation.server";
import { readDevOutbox } from "~/features/delivery/dev-outbox.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { sendRadiographLink } from "~/features/patient-links/operations.server";
import { aRadiograph } from "../../factories/radiographs";
import { aReferral } from "../../factories/referrals";
import { portalWithPeople } from "./portal-with-people";
import type { Dialect, TestPortal } from "../test-portal";

export const SMS = 1;
export const closed = { name: "linkExpired" };

/** What `begun` is handed before each test. */
interface Begun {
  portal: TestPortal;
  admin: Person;
  dentist: Person;
  /** A referral of the test's own, whose patient has a mobile phone. */
  referralId: number;
}

/** A portal without messages and with a new referral before each test of one file; what is answered here is about that referral. */
export function patientLinksPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("throttle").execute();
    await portal.db.deleteFrom("outbox").execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    begun({ portal, admin, dentist, referralId });
  });

  const addImage = (fileName: string, type: 0 | 4 = 0) => aRadiograph(portal, dentist, referralId, fileName, type);

  const send = (messageType: number, more: object = {}) =>
    portal.as(admin, sendRadiographLink, { referralId, messageType, ...more });
  const work = (channel: "sms" | "eboks") =>
    portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });
  /** What goes to people; the images themselves go to the archive. */
  const messages = async () =>
    (await portal.as({ kind: "anonymous" }, readDevOutbox, {})).messages.filter(({ channel }) => channel !== "archive");
  /** The token in the newest message. */
  const token = async () => /\?tk=([\w-]+)/.exec((await messages())[0]?.text ?? "")?.[1] ?? "";
  async function open<I, O>(operation: Operation<I, O>, withToken: string, input: object = {}): Promise<O> {
    const purpose = operation.permission.replace("patient.", "") as LinkPurpose;
    const { actor } = await patientCaller(
      portal,
      { token: withToken, purpose },
      { site: "public", address: "192.0.2.1" },
    );
    return portal.as(actor, operation, input);
  }

  return { addImage, send, work, messages, token, open };
}
