import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import { contactFields } from "~/features/referrals/details/save-contact.server";
import { updateCallUp } from "~/features/call-ups/operations.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { callUpWay, REFUSED_BY_EBOKS, queueCallUp } from "./demo-call-ups.server";
import type { DemoProviders } from "./demo-providers.server";
import type { StoryClock } from "./demo-scenario";

const HANDLED_AFTER_DAYS = 4;

interface Scene {
  past: Portal;
  providers: DemoProviders;
  clock: StoryClock;
  by: Person;
}

/**
 * Call-ups of today's patients as the page shows them: failed for each reason, one without an answer from the
 * distributor, and letters in a printed batch, an open one, and the next one.
 */
export async function addWaitingCallUps(scene: Scene): Promise<void> {
  const { past, providers, clock, by } = scene;
  const today = clock.at;
  await markHandled(past, by, today);
  const waiting = await findWaiting(past);
  const next = (needs: (row: Waiting) => boolean = () => true) => {
    const index = waiting.findIndex(needs);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const hoursAgo = (hours: number) => clock.set(new Date(today.getTime() - hours * 3_600_000));
  const queue = async (row: Waiting | undefined, channel: Parameters<typeof callUpWay>[0]) => {
    if (row) await queueCallUp(providers, by, row.id, callUpWay(channel));
    return row !== undefined;
  };

  hoursAgo(70);
  const hidden = next();
  if (await queue(hidden, "print")) {
    providers.protectedCprs.add(sealedCpr.open(past.secrets, hidden!) ?? "");
    await queue(next(isRecalled), "print");
    await queue(next(isRecalled), "print");
    await providers.printBatch(by);
  }
  hoursAgo(46);
  if (await queue(next(hasEboks), "eboks")) await providers.deliver("eboks", REFUSED_BY_EBOKS);
  const moved = next(({ mobile_phone: mobile }) => mobile !== null);
  if (await queue(moved, "sms")) {
    const stays = contactFields.filter((field) => field !== "patientMobilePhone");
    await providers.as(by, updateCallUp, { referralId: moved!.id, patientMobilePhone: "", unchanged: stays });
    await providers.deliver("sms");
  }
  hoursAgo(3);
  if (await queue(next(hasEboks), "eboks")) await providers.deliver("eboks", { outcome: "accepted", detail: "" });
  // With a real print provider waiting letters would be sent to invented people.
  if (past.print.mode === "batch") {
    hoursAgo(2);
    await queue(next(), "print");
    if (await queue(next(isRecalled), "print")) await providers.makeBatch(by);
    hoursAgo(1);
    await queue(next(), "print");
  }
  clock.at = today;
}

async function markHandled({ db }: Portal, by: Person, today: Date): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ handled_at: toMoment(today), handled_by: by.id, handled_note: "Ringet op" })
    .where("outcome", "=", "failed")
    .where("created_at", "<", toMoment(new Date(today.getTime() - HANDLED_AFTER_DAYS * 86_400_000)))
    .execute();
}

type Waiting = Awaited<ReturnType<typeof findWaiting>>[number];

const READY_FOR_RECALL = 14;
const isRecalled = ({ status }: Waiting) => status === READY_FOR_RECALL;
const hasEboks = ({ patient_without_eboks: without }: Waiting) => without === 0;

/** Patients on the first page of call-ups come first. */
const findWaiting = ({ db }: Portal) =>
  db
    .selectFrom("referral")
    .selectAll()
    .where("status", "in", [1, 3, READY_FOR_RECALL])
    .where("call_up_status", "is", null)
    .orderBy((eb) => eb.case().when("status", "=", READY_FOR_RECALL).then(1).else(0).end())
    .orderBy("id", "desc")
    .execute();
