import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { contactFields } from "~/features/referrals/details/save-contact.server";
import { updateCallUp } from "~/features/call-ups/send-call-up.server";
import { markFailureHandled } from "~/features/logs/handle-failure.server";
import { ageOn } from "~/text/cpr";
import { localDate } from "~/text/dates";
import type { SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import { callUpWay, queueCallUp, REFUSED_BY_EBOKS } from "./demo-call-ups.server";
import type { DemoProviders } from "./demo-providers.server";
import { callerOf, type Tale } from "./demo-scenario.server";

interface Scene {
  providers: DemoProviders;
  by: Person;
}

interface CallUpScene extends Scene {
  /** Referrals that no other story of the demo calls up. */
  waiting: { has(referralId: number): boolean };
}

type Channel = Parameters<typeof callUpWay>[0];

/** Answers of providers that leave a call-up for a person to follow up, each to a patient reached by that channel. */
const troubles: readonly { channel: Channel; answer: SendResult }[] = [
  { channel: "sms", answer: { outcome: "refused", detail: "GatewayAPI: EXPIRED", reason: "expired" } },
  { channel: "email", answer: { outcome: "refused", detail: "EMESSAGE 552", reason: "mailboxFull" } },
  { channel: "sms", answer: { outcome: "unknown", detail: "Udbyderen har ikke meldt tilbage" } },
  { channel: "email", answer: { outcome: "refused", detail: "EENVELOPE 550", reason: "noMailbox" } },
];

/**
 * Call-ups of today's patients as the page shows them: failed for each reason, one without an answer from the
 * distributor, and letters in a printed batch, an open one, and the next one.
 */
export async function* waitingCallUps({ providers, by, waiting }: CallUpScene): Tale {
  const { past } = providers;
  const next = async (needs: (row: Waiting) => boolean = () => true) =>
    (await findWaiting(past)).find((row) => waiting.has(row.id) && needs(row));
  const hasEboks = ({ patientWithoutEboks: without, birthDate }: Waiting) =>
    !without && (ageOn(birthDate, localDate(past.clock.now())) ?? 0) >= 18;
  const queue = async (row: Waiting | undefined, channel: Channel) => {
    if (row) await queueCallUp(providers, by, row.id, callUpWay(channel));
    return row !== undefined;
  };

  yield -2.7;
  const hidden = await next();
  if (await queue(hidden, "print")) {
    providers.register.set(cprOf(past, hidden!), { kind: "protected" });
    await queue(await next(isRecalled), "print");
    await queue(await next(isRecalled), "print");
    await providers.printBatch(by);
  }
  for (const [index, { channel, answer }] of troubles.entries()) {
    yield -2.5 + index / 4;
    if (await queue(await next(channel === "sms" ? hasMobile : hasEmail), channel))
      await providers.deliver(channel, answer);
  }
  yield -0.9;
  if (await queue(await next(hasEboks), "eboks")) await providers.deliver("eboks", REFUSED_BY_EBOKS);
  yield -0.8;
  const moved = await next(hasMobile);
  if (await queue(moved, "sms")) {
    const stays = contactFields.filter((field) => field !== "patientMobilePhone");
    await providers.as(by, updateCallUp, { referralId: moved!.id, patientMobilePhone: "", unchanged: stays });
    await providers.deliver("sms");
  }
  yield 0.4;
  if (await queue(await next(hasEboks), "eboks")) await providers.deliver("eboks", { outcome: "accepted", detail: "" });
  yield 0.6;
  await queue(await next(), "print");
  if (await queue(await next(isRecalled), "print")) await providers.makeBatch(by);
  yield 0.8;
  await queue(await next(), "print");
}

/** Staff handle failed messages once a week; those of the last four days still wait. */
export async function* followedUpFailures({ providers: { past }, by }: Scene, from: number): Tale {
  for (let when = from; when < -4; when += 5) {
    yield when;
    const failed = await past.db
      .selectFrom("outbox")
      .select("id")
      .where("outcome", "in", ["failed", "unknown"])
      .where("handledAt", "is", null)
      .execute();
    for (const { id } of failed)
      await execute(past, callerOf(by), markFailureHandled, plainInput({ messageId: id, note: "Ringet op" }));
  }
}

type Waiting = Awaited<ReturnType<typeof findWaiting>>[number];

const READY_FOR_RECALL = 14;
const isRecalled = ({ status }: Waiting) => status === READY_FOR_RECALL;
const hasMobile = ({ mobilePhone: mobile }: Waiting) => mobile !== null;
const hasEmail = ({ email }: Waiting) => email !== null;

const cprOf = ({ secrets }: Portal, row: Waiting) => sealedCpr.open(secrets, row) ?? "";

/** Patients on the first page of call-ups come first; urgent ones are called up by phone. */
const findWaiting = ({ db }: Portal) =>
  db
    .selectFrom("referral")
    .selectAll()
    .where("status", "in", [3, READY_FOR_RECALL])
    .where("callUpStatus", "is", null)
    .where("referenceType", "=", 0)
    .orderBy((eb) => eb.case().when("status", "=", READY_FOR_RECALL).then(1).else(0).end())
    .orderBy("id", "desc")
    .execute();
