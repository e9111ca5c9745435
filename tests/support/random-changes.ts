import type { Person } from "~/access/actor";
import type { Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { cancelByPatient, undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { sendMessage } from "~/features/delivery/send-message.server";
import { mergeClinics } from "~/features/clinics/operations.server";
import { moveMerged, undoMerge } from "~/features/merging/operations.server";
import { mergeUsers } from "~/features/people/merge-users.server";
import { changeReferrer } from "~/features/referrals/details/operations.server";
import { editReferralDetails, editPlan } from "~/features/referrals/details/edit-referral.server";
import { writePlanLines } from "~/features/referrals/details/treatment-plan-lines.server";
import { statuses } from "~/features/referrals/model/statuses";
import { declineMaterial } from "~/features/referrals/material/answer-material.server";
import { askForMaterial } from "~/features/referrals/material/ask-for-material.server";
import { holdReferral } from "~/features/referrals/status/operations.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { setStatuses, undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { inTransaction } from "~db/connection.server";
import type { createRandom } from "~/demo/content/seeded-random.server";
import { markReferrals } from "~db/marked-rows.server";
import { trustedReferral } from "~/access/scope.server";
import { addDays } from "~/text/calendar";
import { localDate, showDay } from "~/text/dates";
import { aReferral } from "../factories/referrals";
import type { TestPortal } from "./test-portal";
import { withinChange } from "./within-change";

const SYSTEM = { kind: "system", job: "test" } as const;

interface Changed {
  portal: TestPortal;
  admin: Person;
  dentists: Person[];
  clinics: number[];
  types: number[];
  random: ReturnType<typeof createRandom>;
}

/** Random changes by people and jobs; the first sends a referral and precedes all others. */
export function randomChanges({
  portal,
  admin,
  dentists,
  clinics,
  types,
  random,
}: Changed): (() => Promise<unknown>)[] {
  const { pick, integer, chance } = random;
  const ids: number[] = [];

  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const seen = async (id: number) => ({ referralId: id, seenVersion: (await rowOf(id)).version });
  const seenStatus = async (id: number) => ({ referralId: id, seenVersion: (await rowOf(id)).statusVersion });
  const status = () => pick(statuses).value;
  const day = () => addDays(localDate(portal.clock.now()), integer(-20, 60));
  const some = () => [...new Set(Array.from({ length: 3 }, () => pick(ids)))];
  /** Refused changes change nothing and do not count. */
  const as = async (operation: Operation<any, any>, input: unknown, actor: Person | typeof SYSTEM = admin) => {
    try {
      return await portal.as(actor, operation, input);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };

  const unmerged = async () => {
    const rows = await portal.db.selectFrom("user").select("id").where("mergedIntoId", "is", null).execute();
    return dentists.filter(({ id }) => rows.some((row) => row.id === id));
  };
  const mergeForm = { status: 1, email: "samlet@eksempel.dk", confirmed: "on" };
  const mergeOf = (merged: number[]) => ({ keepId: merged[0], pick: merged.map(String) });

  return [
    async () =>
      ids.push(
        await aReferral(portal, pick(await unmerged()), {
          mobilePhone: "40 12 34 56",
          referenceType: chance(0.3) ? "1" : "0",
        }),
      ),
    async () => {
      const id = pick(ids);
      await as(setStatus, { ...(await seenStatus(id)), status: status(), isDeleteAttachments: "false" });
    },
    async () => {
      const picked = await Promise.all(some().map(async (id) => `${id}:${(await rowOf(id)).statusVersion}`));
      return as(setStatuses, { pick: picked, status: status() });
    },
    async () => {
      const newest = portal.db
        .selectFrom("massChange")
        .select("id")
        .where("undoneAt", "is", null)
        .orderBy("id", "desc");
      const massChangeId = (await newest.limit(1).executeTakeFirst())?.id;
      return massChangeId && as(undoStatuses, { massChangeId, to: "/management/overview" });
    },
    async () =>
      as(editPlan, {
        ...(await seen(pick(ids))),
        ...(chance(0.8) ? { operationDate: showDay(day()), operationTimeHours: "10", operationTimeMinutes: "0" } : {}),
        ...(chance(0.7) ? { treatmentType: pick(types) } : {}),
      }),
    async () =>
      as(editReferralDetails, {
        ...(await seen(pick(ids))),
        visitType: "simple",
        ...(chance(0.3) ? { makeTest: "on" } : {}),
      }),
    async () => as(changeReferrer, { ...(await seen(pick(ids))), referrerId: pick(dentists).id }),
    // A row of an imported file: new, moved or cancelled.
    async () => {
      const id = trustedReferral(pick(ids));
      const type = pick(types);
      const row = await rowOf(id);
      const lines = await portal.db.selectFrom("visitAppointment").select("id").where("referralId", "=", id).execute();
      await as(
        withinChange((context) => {
          const line = lines.length > 0 && chance(0.6) ? pick(lines) : null;
          return writePlanLines(context, {
            referral: { referralId: id, status: row.status },
            lines: [
              {
                lineId: line?.id ?? null,
                date: day(),
                time: "09:30",
                durationMinutes: 30,
                treatment: "Behandling",
                code: `C-${type}`,
                treatmentTypeId: type,
                isCancelled: line !== null && chance(0.4),
                surgeonId: null,
              },
            ],
            treatmentTypeOf: () => type,
            modifierId: admin.id,
            today: localDate(context.now),
          });
        }),
        {},
        SYSTEM,
      );
    },
    async () =>
      as(
        withinChange((context) => cancelByPatient(context, { referralId: pick(ids), source: "sms" })),
        {},
        SYSTEM,
      ),
    async () => as(undoCancellation, { referralId: pick(ids) }),
    async () =>
      as(sendCallUp, {
        referralId: pick(ids),
        patientAddress: "Åvej 1",
        patientZip: "8000",
        patientCity: "Aarhus",
        patientMobilePhone: "40 12 34 56",
        incallType: pick([1, 2, 3]),
      }),
    async () => as(sendMessage, { owner: "a", channel: pick<ChannelName>(["email", "sms", "eboks"]) }, SYSTEM),
    // No feature deletes sent referrals yet; one that does will mark them like this.
    async () => {
      const id = pick(ids);
      const deletedAt = (await rowOf(id)).deletedAt === null && chance(0.2) ? "2026-12-01T09:00:00.000Z" : null;
      await inTransaction(portal.db, async (tx) => {
        markReferrals(tx, [id]);
        await tx.updateTable("referral").set({ deletedAt }).where("id", "=", id).execute();
      });
    },
    // Merges two profiles or clinics and undoes it, with some rows moved in between.
    async () => {
      const two = [pick(dentists).id, pick(dentists).id];
      return as(mergeUsers, { ...mergeOf(two), firstName: "Åse", lastName: "Kjær", ...mergeForm });
    },
    async () => {
      const clinic = { name: "Samlet", address: "Åvej 1", zip: "8000", city: "Aarhus", phone: "10 00 00 01" };
      return (
        chance(0.3) &&
        as(mergeClinics, { ...mergeOf(chance(0.5) ? clinics : clinics.toReversed()), ...clinic, ...mergeForm })
      );
    },
    async () => {
      const runs = portal.db.selectFrom("mergeRun").select("id").where("state", "in", ["moving", "done"]);
      const run = await runs.orderBy("id", "desc").limit(1).executeTakeFirst();
      return run && chance(0.5) && as(undoMerge, { runId: run.id });
    },
    async () => as(moveMerged, {}, SYSTEM),
    async () =>
      as(holdReferral, {
        ...(await seenStatus(pick(ids))),
        ...(chance(0.7) ? { until: showDay(day()) } : { period: "ended" }),
      }),
    async () => as(askForMaterial, { ...(await seenStatus(pick(ids))), kinds: ["panorama", "photo"] }),
    async () => {
      const id = pick(ids);
      const lines = portal.db
        .selectFrom("materialLine")
        .innerJoin("materialRequest", "materialRequest.id", "materialLine.requestId")
        .select("materialLine.id")
        .where("materialRequest.referralId", "=", id);
      const line = await lines.orderBy("materialLine.id", "desc").limit(1).executeTakeFirst();
      return line && as(declineMaterial, { referralId: id, lineId: line.id, reply: "Er ikke taget" }, dentists[0]);
    },
  ];
}
