import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { sendMessage } from "~/features/delivery/send-message.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import type { SendResult } from "~/gateways/sending/port";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { aReferral } from "../../factories/referrals";
import { answeringGateway } from "../delivery/answering-gateway";
import { portalWithPeople } from "./portal-with-people";
import type { Dialect, TestPortal } from "../test-portal";

export const contact = {
  patientAddress: "Åvej 1",
  patientZip: "8000",
  patientCity: "Aarhus",
  patientMobilePhone: "40 12 34 56",
};

interface Begun {
  portal: TestPortal;
  admin: Person;
  dentist: Person;
  referralId: number;
}

/** A portal with a new referral and an empty outbox before each test; the functions concern that referral. */
export function callUpsPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
    await statusIs(3);
    begun({ portal, admin, dentist, referralId });
  });

  const rowOf = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  async function statusIs(status: number) {
    const { statusVersion: seenVersion } = await rowOf();
    await portal.as(admin, setStatus, { referralId, status, seenVersion, isDeleteAttachments: "false" });
  }
  const send = (incallType: number, changes: object = {}) =>
    portal.as(admin, sendCallUp, { referralId, ...contact, incallType, ...changes });
  const work = (channel: ChannelName, on: TestPortal = portal) =>
    on.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });
  const callUp = async () => (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.callUp;

  /** The portal with a gateway that answers like this. */
  const withGateway = (
    channel: "sms" | "eboks",
    result: SendResult,
    onSend: (message: { to: string }) => void = () => undefined,
  ): TestPortal =>
    ({ ...portal, [channel]: answeringGateway(result, (message) => onSend(message as { to: string })) }) as TestPortal;

  return { rowOf, statusIs, send, work, callUp, withGateway };
}
