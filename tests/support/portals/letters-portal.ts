import { afterAll, beforeAll, beforeEach } from "vitest";
import { execute, plainInput } from "~/access/operation.server";
import { readLetterReports } from "~/features/delivery/receive-reports.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { aLetterFile } from "../../factories/letters";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { type NetsSharePeer, startNetsSharePeer } from "../peers/nets-share-peer";

export const caller = systemCaller("test");
type Letters = "eboks" | "print";

/** A portal that sends its letters by a provider's peer, for the tests of one file, with an empty outbox before each of them. */
export function lettersPortal(dialect: Dialect, opened: (portal: TestPortal, peer: NetsSharePeer) => void) {
  let peer: NetsSharePeer;
  let portal: TestPortal;
  let storedFileId: number;
  let referralId: number;
  beforeAll(async () => {
    peer = await startNetsSharePeer();
    portal = await createTestPortal(dialect, { env: peer.env });
    // What a call-up asks before it leaves is its own matter.
    portal.kindHooks = { ...portal.kindHooks, callUp: {} };
    storedFileId = await aLetterFile(portal, `%PDF-1.7 ${"Kære Åse. ".repeat(10_000)}`);
    referralId = await aReferral(
      portal,
      await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }),
    );
    opened(portal, peer);
  });
  afterAll(async () => {
    await portal.close();
    await peer.stop();
  });
  beforeEach(async () => {
    peer.reset();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["outbox", "outboxAttempt", "deliveryEvent", "visitLog"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const queue = (channel: Letters = "eboks") =>
    portal.db.transaction().execute((tx) =>
      portal.outboxIn(tx)[channel]({
        kind: "callUp",
        to: channel === "eboks" ? "251248-9996" : "Åse Øst\nÅvej 1\n8000 Aarhus C",
        title: "Indkaldelse",
        text: "Kære Åse",
        storedFileId,
        referralId,
      }),
    );
  const workOnce = async (channel: Letters = "eboks", on: Portal = portal) =>
    (await execute(on, caller, sendMessage, plainInput({ owner: "a", channel }))).data;
  const readReports = () => readLetterReports(portal, caller);
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = () => portal.db.selectFrom("visitLog").select(["event", "logType"]).orderBy("id").execute();
  const letterIdOf = async (id: number, channel: Letters = "eboks") =>
    `${channel}-${id}-${(await rowOf(id)).rowKey!.slice(0, 16)}`;

  async function handedOver(channel: Letters = "eboks") {
    const id = await queue(channel);
    await workOnce(channel);
    peer.receiveShipments();
    await readReports();
    return { id, letterId: await letterIdOf(id, channel) };
  }
  let reports = 0;
  async function report(letterId: string, status: string, reason?: string) {
    peer.report(`DK12345678_${(reports += 1)}.report.xml`, [{ letterId, status, ...(reason ? { reason } : {}) }]);
    await readReports();
  }

  return { queue, workOnce, readReports, rowOf, logOf, letterIdOf, handedOver, report };
}
