import { expect, test } from "vitest";
import type { Actor, Person } from "~/access/actor";
import { writeMessage } from "~/features/messages/operations.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { holdReferral } from "~/features/referrals/status/operations.server";
import { aReferral } from "../../../../tests/factories/referrals";
import { callUpsPortal } from "../../../../tests/support/portals/call-ups-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { findLastSigns } from "./next-date-store.server";
import { findReferral, findReferrals } from "./referral-store.server";

const SMS = 2;

forEachDatabase("the last sign of life of a referral", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { rowOf, statusIs, send, work } = callUpsPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId } = begun);
  });

  const patient = (): Actor => ({
    kind: "patientToken",
    referralId,
    purpose: "radiographLink",
    letterNumber: null,
    operationMoment: null,
  });
  async function signFor(reader: Actor) {
    const row = await findReferral(portal.db, admin, referralId);
    return (await findLastSigns(portal.db, reader, [row])).get(referralId);
  }
  /** An hour later; returns the moment. */
  function later(): string {
    portal.clock.advance({ minutes: 60 });
    return portal.clock.now().toISOString();
  }

  test("is the latest of what its reader may know", async () => {
    expect(await signFor(dentist)).toEqual({ what: "received", at: "2026-12-01T09:00:00.000Z" });
    const triaged = { what: "status", at: later() };
    await statusIs(2);
    expect(await signFor(dentist)).toEqual(triaged);
    const calledUp = { what: "callUp", at: later() };
    await send(SMS);
    expect(await signFor(dentist)).toEqual(triaged);
    await work("sms");
    expect([await signFor(dentist), await signFor(patient())]).toEqual([calledUp, calledUp]);
    const written = { what: "message", at: later() };
    await portal.as(dentist, writeMessage, { referralId, formKey: "asked", text: "Patienten har spurgt til tiden." });
    expect([await signFor(dentist), await signFor(patient())]).toEqual([written, calledUp]);
    const timed = { what: "appointment", at: later() };
    const { version } = await rowOf();
    await portal.as(admin, editPlan, { referralId, seenVersion: version, operationDate: "14.01.2027" });
    expect([await signFor(dentist), await signFor(patient())]).toEqual([timed, timed]);
  });

  test("is no hold, no edit of the same time, and no change that hides TU-status", async () => {
    const plan = async (surgeonComment: string) =>
      portal.as(admin, editPlan, {
        referralId,
        seenVersion: (await rowOf()).version,
        operationDate: "14.01.2027",
        surgeonComment,
      });
    const timed = { what: "appointment", at: later() };
    await plan("Kort blødning");
    later();
    await plan("Kort blødningstid");
    const { statusVersion: seenVersion } = await rowOf();
    await portal.as(admin, holdReferral, { referralId, seenVersion, until: "04.01.2027" });
    expect(await signFor(dentist)).toEqual(timed);
    const treated = { what: "status", at: later() };
    await statusIs(6);
    expect(await signFor(dentist)).toEqual(treated);
    const inTu = { what: "status", at: later() };
    await statusIs(10);
    expect([await signFor(dentist), await signFor(patient()), await signFor(admin)]).toEqual([treated, treated, inTu]);
    later();
    await statusIs(6);
    expect(await signFor(dentist)).toEqual(treated);
    const closed = { what: "status", at: later() };
    await statusIs(7);
    expect(await signFor(dentist)).toEqual(closed);
  });

  test("is read for many referrals at once, and for none", async () => {
    const other = { what: "status", at: later() };
    await statusIs(2);
    const ids = [referralId, await aReferral(portal, dentist)];
    const rows = await findReferrals(portal.db, admin, ids);
    const received = { what: "received", at: other.at };
    expect([...(await findLastSigns(portal.db, dentist, rows))]).toEqual([
      [ids[0], other],
      [ids[1], received],
    ]);
    expect(await findLastSigns(portal.db, dentist, [])).toEqual(new Map());
  });
});
