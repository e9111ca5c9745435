import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { sendAppointmentLetter } from "~/features/appointment-letters/operations.server";
import { sendBill } from "~/features/billing/send-bill.server";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { appointmentWays, callUpWays } from "~/features/patient-messages/ways";
import { contactFields } from "~/features/referrals/details/save-contact.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import type { SendResult } from "~/gateways/sending/port";
import { type DemoPatient, isReplacementCpr } from "./content/people.server";
import type { Random } from "./content/seeded-random.server";
import { letterPdf } from "./demo-documents.server";
import type { DemoProviders } from "./demo-providers.server";
import { callerOf, type Story } from "./demo-scenario.server";

type CallUpWay = (typeof callUpWays)[number];
type AppointmentWay = (typeof appointmentWays)[number];

export const REFUSED_BY_EBOKS: SendResult = { outcome: "refused", detail: "RECEIVER_NOT_ACTIVE", code: 4 };

const refusals: Record<CallUpWay["channel"], SendResult> = {
  email: { outcome: "refused", detail: "EENVELOPE 550", reason: "noMailbox" },
  sms: { outcome: "refused", detail: "GatewayAPI: UNDELIVERABLE", reason: "unreachable" },
  eboks: REFUSED_BY_EBOKS,
  print: { outcome: "refused", detail: "" },
};

export const callUpWay = (channel: CallUpWay["channel"]) => callUpWays.find((way) => way.channel === channel)!;

export function queueCallUp(providers: DemoProviders, by: Person, referralId: number, way: CallUpWay): Promise<void> {
  return providers.as(by, sendCallUp, { referralId, incallType: way.value, unchanged: contactFields });
}

/** Calls a patient up, in one of ten cases after a way that failed. */
export async function callUp(story: Story, referralId: number): Promise<void> {
  const { providers, clock, random, patient, staff } = story;
  const by = staff.admin;
  const way = random.chance(0.03) ? callUpWay("print") : chooseWay(random, waysTo(callUpWays, patient));
  const mayHaveEboks = !patient.isChild && !isReplacementCpr(patient.cpr);
  const isUnknownToEboks = !patient.hasEboks && mayHaveEboks && !(await isMarked(story, referralId));
  const failing = isUnknownToEboks && random.chance(0.5) ? callUpWay("eboks") : random.chance(0.04) ? way : null;
  if (failing !== null && failing.channel !== "print" && (failing.channel !== "eboks" || !patient.hasEboks)) {
    await queueCallUp(providers, by, referralId, failing);
    await providers.deliver(failing.channel, refusals[failing.channel]);
    clock.pass(10);
  }
  await queueCallUp(providers, by, referralId, way);
  await arrive(providers, by, way.channel);
}

/** Whether an earlier letter has shown that the patient is not in e-Boks. */
async function isMarked({ past: { db } }: Story, referralId: number): Promise<boolean> {
  const row = await db
    .selectFrom("referral")
    .select("patientWithoutEboks")
    .where("id", "=", referralId)
    .executeTakeFirstOrThrow();
  return row.patientWithoutEboks;
}

export function chooseWay(random: Random, ways: CallUpWay[]): CallUpWay {
  const eboks = ways.find(({ channel }) => channel === "eboks");
  if (eboks && random.chance(0.5)) return eboks;
  return random.pick(ways);
}

async function arrive(providers: DemoProviders, by: Person, channel: CallUpWay["channel"]): Promise<void> {
  await (channel === "print" ? providers.printBatch(by) : providers.deliver(channel));
}

export function waysTo<Way extends CallUpWay | AppointmentWay>(ways: readonly Way[], patient: DemoPatient): Way[] {
  const reached = { email: patient.email, sms: patient.mobilePhone, eboks: patient.hasEboks, print: null };
  const open = ways.filter(({ channel }) => Boolean(reached[channel]));
  return open.length > 0 ? open : ways.filter(({ channel }) => channel === "print");
}

/** Sends the planned time to the patient, and a bill to most of those with e-Boks. */
export async function sendTime(story: Story, referralId: number): Promise<void> {
  const { providers, random, patient, staff } = story;
  const by = staff.admin;
  const way = random.pick(waysTo<AppointmentWay>(appointmentWays, patient));
  await providers.as(by, sendAppointmentLetter, { referralId, appointmentType: way.value });
  const isRefused = way.channel !== "print" && random.chance(0.03);
  if (isRefused) await providers.deliver(way.channel, refusals[way.channel]);
  else await arrive(providers, by, way.channel);
  if (patient.hasEboks && !(isRefused && way.channel === "eboks")) await bill(story, by, referralId);
}

const refusedBills: readonly SendResult[] = [
  { outcome: "refused", detail: "INVALID_DATE", code: 7 },
  { outcome: "refused", detail: "INTERNAL_ERROR", code: 9 },
];

async function bill(
  { past, providers, random, case: filled, patient }: Story,
  by: Person,
  referralId: number,
): Promise<void> {
  const billKind = random.pick(["invoice", "offer"] as const);
  const title = billKind === "invoice" ? "Faktura" : "Overslag";
  const formKey = `demo-bill-${referralId}`;
  const folder = path.join(past.config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, formKey);
  await writeFile(
    file,
    await letterPdf([
      title,
      `${patient.firstName} ${patient.lastName}`,
      `${filled.treatment.name}: ${filled.treatment.price} kr.`,
    ]),
  );
  const result = await storeUpload(past, file, `${title}.pdf`, "bill", { requestedBy: "demo" });
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo bill: ${result.refused}`);
  await execute(
    past,
    callerOf(by),
    stageUploads,
    plainInput({ formKey, files: [{ ...result.accepted, field: "bill", kind: "bill" }] }),
  );
  await providers.as(by, sendBill, { referralId, formKey, billKind });
  await providers.deliver("eboks", random.chance(0.03) ? random.pick(refusedBills) : undefined);
}
