import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import type { Portal } from "~/portal.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import {
  type GatewayApiPeer,
  receiptEvent,
  type SignedEvent,
  SMS_TOKEN,
  startGatewayApiPeer,
  WEBHOOK_SECRET,
} from "../peers/gatewayapi-peer";

export const system: Caller = { actor: { kind: "system", job: "test" }, site: "inside", address: "", sessionId: null };

/** What `opened` is handed. */
interface Opened {
  portal: TestPortal;
  peer: GatewayApiPeer;
  /** A referral that each SMS is about. */
  referralId: number;
}

/** A portal that sends its SMS by a provider's peer, for the tests of one file, with an empty outbox before each of them. */
export function smsPortal(dialect: Dialect, opened: (what: Opened) => void) {
  let peer: GatewayApiPeer;
  let portal: TestPortal;
  let referralId: number;
  beforeAll(async () => {
    peer = await startGatewayApiPeer();
    portal = await createTestPortal(dialect, {
      env: { SMS_URL: peer.url, SMS_TOKEN, SMS_WEBHOOK_SECRET: WEBHOOK_SECRET, SMS_SENDER: "Kirurgerne" },
    });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist);
    opened({ portal, peer, referralId });
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "outboxAttempt", "deliveryEvent", "throttle"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const queue = (text = "Kære Åse, æøå.") =>
    portal.db
      .transaction()
      .execute((tx) => portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", text, referralId }));
  const workOnce = async (on: Portal = portal) =>
    (await execute(on, system, sendMessage, plainInput({ owner: "a", channel: "sms" }))).data;
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  /** As the webhook does it: the signature first, then the operation. */
  async function receiveEvent({ body, signature }: SignedEvent) {
    const event = portal.sms.readEvent!(Buffer.from(body), new Headers({ signature }), portal.clock.now());
    if (typeof event === "string") return event;
    await portal.as(system.actor, receiveSmsEvent, event);
    return "taken";
  }
  const receipt = (id: number, status: string, more: { eventId?: string; at?: Date; secret?: string } = {}) =>
    receiveEvent(receiptEvent(`outbox-${id}`, status, { at: portal.clock.now(), ...more }));
  async function handedOver() {
    const id = await queue();
    await workOnce();
    return id;
  }

  return { queue, workOnce, rowOf, receiveEvent, receipt, handedOver };
}
