import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendMessage } from "~/features/delivery/send-message.server";
import { aReferral, copyOfRow } from "../../../tests/factories/referrals";
import { callUpsPortal } from "../../../tests/support/portals/call-ups-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readCallUpPreview, sendCallUps, withdrawCallUps } from "./call-up-many.server";

const MANY = 40;
const SMS = 2;

forEachDatabase("call-ups", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { rowOf, work, withGateway } = callUpsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });

  test("calling up several: names those left out, and withdraws the queued ones together", async () => {
    const second = await aReferral(portal, dentist, { mobilePhone: "50 12 34 56" });
    const without = await aReferral(portal, dentist);
    const nr = [referralId, second, without].join("-");
    const { patients } = await portal.as(admin, readCallUpPreview, { nr, type: SMS });
    expect(patients.map(({ id, obstacle }) => [id, obstacle])).toEqual([
      [referralId, null],
      [second, null],
      [without, "noMobilePhone"],
    ]);
    const { to } = await portal.as(admin, sendCallUps, { nr, incallType: SMS });
    expect(to).toBe(`/management/call-up-letters?indkaldt=${referralId}-${second}`);
    const { flash } = await portal.as(admin, withdrawCallUps, { nr: `${referralId}-${second}` });
    expect(flash!.text).toBe("2 indkaldelser er annulleret.");
    expect((await work("sms")).data).toEqual({ sent: false });
    await expect(portal.as(admin, withdrawCallUps, { nr })).rejects.toMatchObject({ name: "conflict" });
  });

  test("calling up several: pressed twice it is done once, and answered alike", async () => {
    const nr = String(await aReferral(portal, dentist, { mobilePhone: "50 12 34 57" }));
    const press = () => portal.as(admin, sendCallUps, { nr, incallType: SMS }, { formNonce: "one page" });
    const first = await press();
    expect(await press()).toEqual(first);
    await portal.as(admin, withdrawCallUps, { nr });
  });

  test("two workers send each message once, and each referral gets its next status", async () => {
    const template = await rowOf();
    const { rowKey: _key, cprEncrypted: _cpr, ...copy } = copyOfRow(template);
    const ids: number[] = [];
    for (let number = 0; number < MANY; number++) {
      const { insertId } = await portal.db.insertInto("referral").values(copy).executeTakeFirstOrThrow();
      ids.push(Number(insertId));
    }
    for (let start = 0; start < MANY; start += 100)
      await portal.as(admin, sendCallUps, { nr: ids.slice(start, start + 100).join("-"), incallType: SMS });
    const keys: string[] = [];
    const on = withGateway("sms", { outcome: "sent", detail: "" }, (message) =>
      keys.push((message as unknown as { key: string }).key),
    );
    const worker = async (owner: string) => {
      const lane = async (): Promise<void> => {
        const { data } = await on.as({ kind: "system", job: owner }, sendMessage, { owner, channel: "sms" });
        if (data?.sent) await lane();
      };
      await lane();
    };
    await Promise.all([worker("a"), worker("b")]);
    expect(keys).toHaveLength(MANY);
    expect(new Set(keys).size).toBe(MANY);
    const moved = await portal.db
      .selectFrom("referral")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("id", "in", ids)
      .where("status", "=", 5)
      .where("callUpStatus", "=", 3)
      .executeTakeFirstOrThrow();
    expect(Number(moved.count)).toBe(MANY);
  });
});
