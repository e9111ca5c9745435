// @module-tag matrix
import { beforeAll, expect, test } from "vitest";
import { addHours } from "date-fns";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { stepOf } from "../../../tests/support/portals/killed-portal";
import type { GatewayApiPeer } from "../../../tests/support/peers/gatewayapi-peer";
import { remindersPortal, SYSTEM } from "../../../tests/support/portals/reminders-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

const LONG = 300_000;

forEachDatabase("reminders", (dialect) => {
  let portal: TestPortal;
  let gatewayApi: GatewayApiPeer;
  let env: Record<string, string>;
  const { patient, timeIs, within, job, queued, arrivedAt } = remindersPortal(dialect, (opened) => {
    ({ portal, gatewayApi, env } = opened);
  });
  let child: string;
  beforeAll(async () => {
    child = await buildChild();
  });

  test.each([
    ["spring", "2026-03-30", "2026-03-26T05:00:00.000Z", "2026-03-31"],
    ["autumn", "2026-10-26", "2026-10-22T05:00:00.000Z", "2026-10-27"],
  ])(
    "run 50 times by two processes across %s: one SMS for each reminder and time",
    async (_, day, begin, later) => {
      portal.clock.set(begin);
      const [stays, moves, cancels, early] = [
        await patient(`${day} 10:15`),
        await patient(`${day} 11:30`),
        await patient(`${day} 12:00`),
        await patient(`${day} 07:00`),
      ];
      const at = Array.from({ length: 50 }, (__, nth) => addHours(new Date(begin), nth * 2 + 1).toISOString());
      const both = async (moments: string[]) => {
        const plan = { now: moments[0]!, dieBefore: null, steps: [{ does: "sendDueReminders" as const, at: moments }] };
        for (const { errors } of await Promise.all([1, 2].map(() => runChild(child, portal.config, plan, env))))
          expect(errors).toBe("");
      };
      await both(at.slice(0, 28));
      expect(gatewayApi.deliveries).toHaveLength(4);
      portal.clock.set(at[28]!);
      await timeIs(moves.id, `${later} 09:00`);
      await within((context) => cancelByPatient(context, { referralId: cancels.id, source: "sms" }));
      await both(at.slice(28));
      const ofReminders = ({ number }: { number: number }) =>
        arrivedAt(number).map(({ message }) =>
          / (\d\d)\.(\d\d)\.\d{4} kl\. (\d\d\.\d\d)/.exec(message)?.slice(1).join(" "),
        );
      const [dd, ll] = [day.slice(8), later.slice(8)];
      const mm = day.slice(5, 7);
      expect(ofReminders(stays)).toEqual([`${dd} ${mm} 10.15`, `${dd} ${mm} 10.15`]);
      expect(ofReminders(early)).toEqual([`${dd} ${mm} 07.00`, `${dd} ${mm} 07.00`]);
      expect(ofReminders(moves)).toEqual([`${dd} ${mm} 11.30`, `${ll} ${mm} 09.00`, `${ll} ${mm} 09.00`]);
      expect(ofReminders(cancels).filter(Boolean)).toEqual([`${dd} ${mm} 12.00`]);
      expect(new Set(gatewayApi.deliveries.map(({ reference }) => reference)).size).toBe(gatewayApi.deliveries.length);
    },
    LONG,
  );

  test(
    "a process killed before any statement leaves one SMS all the same",
    async () => {
      const steps = [{ does: "sendDueReminders" as const, at: ["2026-12-02T10:00:00.000Z"] }];
      const run = (dieBefore: number | null) =>
        runChild(child, portal.config, { now: "2026-12-02T10:00:00.000Z", dieBefore, steps }, env);
      const first = await patient("2026-12-03 10:15");
      const { statements } = await run(null);
      expect(arrivedAt(first.number)).toHaveLength(1);
      for (let n = 2; n < Math.min(statements!, 36); n += stepOf(dialect)) {
        await portal.db.updateTable("referral").set({ operationDate: null }).execute();
        const { id, number } = await patient("2026-12-03 10:15");
        expect((await run(n)).signal).toBe("SIGKILL");
        portal.clock.set("2026-12-02T10:10:00.000Z");
        await job();
        while ((await portal.as(SYSTEM, sendMessage, { owner: "fresh", channel: "sms" })).data?.sent === true);
        const rows = (await queued()).filter((row) => row.id === id);
        expect(rows).toHaveLength(1);
        expect([rows[0]!.outcome === "sent" ? 1 : 0, 1]).toContain(arrivedAt(number).length);
      }
    },
    LONG,
  );
});
