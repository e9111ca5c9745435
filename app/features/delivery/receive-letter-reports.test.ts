// @module-tag matrix
// @module-tag openssh
import { describe, expect, test } from "vitest";
import { caller, lettersPortal } from "../../../tests/support/portals/letters-portal";
import type { NetsSharePeer } from "../../../tests/support/peers/nets-share-peer";
import { refusing } from "../../../tests/support/refusing-trigger";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readLetterReports } from "./receive-reports.server";
import { settleOverdue } from "./settle-messages.server";

forEachDatabase("letters", (dialect) => {
  let peer: NetsSharePeer;
  let portal: TestPortal;
  const { queue, readReports, rowOf, logOf, letterIdOf, handedOver, report } = lettersPortal(
    dialect,
    (opened, netsShare) => {
      portal = opened;
      peer = netsShare;
    },
  );

  describe("reports", () => {
    test("a repeated or later report does not change a letter's final state", async () => {
      const { id, letterId } = await handedOver();
      const again = () => peer.report("same.report.xml", [{ letterId, status: "CONFIRMED" }]);
      again();
      await readReports();
      const whole = await rowOf(id);
      const lines = await logOf();
      again();
      await readReports();
      portal.clock.advance({ days: 3 });
      for (const [status, reason] of [["CONFIRMED"], ["REJECTED", "RECEIVER_NOT_FOUND"], ["RECEIVED"]] as const)
        await report(letterId, status, reason);
      expect(await rowOf(id)).toEqual(whole);
      expect(await logOf()).toEqual(lines);
      expect(peer.outbound()).toEqual([]);
    });

    test("without a receipt for two days it is a failure; a late receipt still counts", async () => {
      const { id, letterId } = await handedOver();
      portal.clock.advance({ hours: 49 });
      await portal.as(caller.actor, settleOverdue, {});
      expect(await rowOf(id)).toMatchObject({ outcome: "unknown", code: 9 });
      await report(letterId, "SOMETHING_NEW");
      expect((await rowOf(id)).outcome).toBe("unknown");
      await report(letterId, "CONFIRMED");
      expect(await rowOf(id)).toMatchObject({ outcome: "sent", code: 3 });
    });

    test("a report that cannot be written stays for the next run and stops no other", async () => {
      const [stuck, next] = [await handedOver(), await handedOver()];
      peer.report("1.report.xml", [{ letterId: stuck.letterId, status: "CONFIRMED" }]);
      peer.report("2.report.xml", [{ letterId: next.letterId, status: "CONFIRMED" }]);
      const mend = await refusing(portal, "update", "outbox", `old.id = ${stuck.id}`);
      await expect(readReports()).rejects.toThrow("on purpose");
      expect([(await rowOf(stuck.id)).outcome, (await rowOf(next.id)).outcome]).toEqual(["awaiting", "sent"]);
      await mend();
      await readReports();
      expect((await rowOf(stuck.id)).outcome).toBe("sent");
      expect(peer.outbound()).toEqual([]);
    });

    test("a message without a receipt that cannot be settled stops no other", async () => {
      const [stuck, next] = [await handedOver(), await handedOver()];
      portal.clock.advance({ hours: 49 });
      const mend = await refusing(portal, "update", "outbox", `old.id = ${stuck.id}`);
      await portal.as(caller.actor, settleOverdue, {});
      await mend();
      expect([(await rowOf(stuck.id)).outcome, (await rowOf(next.id)).outcome]).toEqual(["awaiting", "unknown"]);
    });

    test("a report of an unknown letter, database or channel changes nothing", async () => {
      const { id, letterId } = await handedOver();
      const before = await rowOf(id);
      const others = [
        `eboks-${id}-0123456789abcdef`,
        letterId.replace("eboks", "print"),
        letterId.replace("eboks", "fax"),
        `eboks-${id}-`,
        "eboks-999999-0123456789abcdef",
        "another system's",
        "",
      ];
      peer.report(
        "others.report.xml",
        others.map((each) => ({ letterId: each, status: "REJECTED" })),
      );
      await readReports();
      expect([await rowOf(id), peer.outbound()]).toEqual([before, []]);
    });

    test("leaves a truncated file until it is complete, and reads the others", async () => {
      const { id, letterId } = await handedOver();
      peer.writeReport("half.report.xml", `<report><message id="${letterId}"><status>CONF`);
      await report("eboks-999999-0123456789abcdef", "CONFIRMED");
      expect([peer.outbound(), (await rowOf(id)).outcome]).toEqual([["half.report.xml"], "awaiting"]);
      peer.report("half.report.xml", [{ letterId, status: "CONFIRMED" }]);
      await readReports();
      expect([peer.outbound(), (await rowOf(id)).outcome]).toEqual([[], "sent"]);
    });

    test("a report of more letters than fit in one transaction", async () => {
      const ids: number[] = [];
      for (let n = 0; n < 120; n += 1) ids.push(await queue());
      await portal.db.updateTable("outbox").set({ outcome: "awaiting", code: 2, attempts: 1 }).execute();
      const letters = [];
      for (const id of ids) letters.push({ letterId: await letterIdOf(id), status: "CONFIRMED" });
      peer.report("DK12345678_20261201.report.xml", letters);
      await readReports();
      expect(await portal.db.selectFrom("outbox").select("outcome").distinct().execute()).toEqual([
        { outcome: "sent" },
      ]);
    });

    test("keeps the file of a report that could not be stored", async () => {
      const { letterId } = await handedOver();
      peer.report("later.report.xml", [{ letterId, status: "CONFIRMED" }]);
      const broken = {
        ...portal,
        kindHooks: { ...portal.kindHooks, callUp: { onSettled: () => Promise.reject(new Error("on purpose")) } },
      };
      await expect(readLetterReports(broken, caller)).rejects.toThrow("on purpose");
      expect(peer.outbound()).toEqual(["later.report.xml"]);
      await readReports();
      expect(peer.outbound()).toEqual([]);
    });
  });
});
