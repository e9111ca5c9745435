import type { readOpenReferral } from "./data.server";
import type { PageOf } from "~/http/runners/page.server";
import {
  describeForm,
  describePlan,
  type Milestone,
  milestonesOf,
} from "~/features/referrals/details/describe-referral";
import {
  appointmentTypeLabel,
  callUpNotice,
  callUpState,
  callUpTypeLabel,
  deliveryState,
  linkState,
  radiographExportState,
  WITHDRAWN_STATE,
} from "~/features/referrals/details/sent-items";
import { EXPORT_FAILED, FORCE_EXPORT, SEND_RADIOGRAPHS, visitTypes } from "~/features/referrals/model/referral";
import { notReceivedText } from "~/features/referrals/model/missing-texts";
import { kindOf, materialLabel } from "~/features/referrals/model/material-kinds";
import { nextSteps } from "~/features/referrals/model/next-steps";
import { namedStatuses, type StatusOption, visibleLabel } from "~/features/referrals/model/status";
import type { NextStep } from "~/features/referrals/model/statuses";
import { arrivalText, exposureText, sameImageLines } from "~/features/referrals/images/image-texts";
import { describeTeeth, otherPlannedText, otherTeethText, textsOnTeeth } from "~/features/referrals/model/teeth";
import { fileKinds, radiographTypeLabel } from "~/files/file-rules";
import { presentCallUp } from "~/components/call-up/call-up-panel";
import { presentLetters } from "~/components/discharge-letters/present-letters";
import { presentSmsThread } from "~/components/sms-thread/sms-thread";
import { presentWays } from "~/components/patient-message/message-ways";
import { QUEUED, UPLOADED } from "~/features/delivery/delivery-status";
import { shownPlanValues } from "~/features/referrals/details/plan-values";
import { appointmentWays, linkWays } from "~/features/patient-messages/ways";
import { atTime, showDate, showDateTime, showDay, showShortDateTime, showTime } from "~/text/dates";

const EBOKS = 3;

type Values = PageOf<typeof readOpenReferral>;
type Sections = Values["sections"];

export function presentReferral(values: Values) {
  const { referral, files, images, exportStatus, seesInternal, mayEdit, status } = values;
  const options = namedStatuses(values, seesInternal);
  return {
    ...values,
    letters: presentLetters(values.letters),
    statusLabel: visibleLabel(status, values),
    statusOptions: options,
    meaning: withUsualDays(values.meaning, values.usualTriageDays),
    lastSign: lastSignText(values),
    followUp: followUpText(values),
    nextSteps: mayEdit ? presentSteps(values, options, values.isUrgent) : [],
    timeToCome: values.timeToCome && presentTimeToCome(values.timeToCome, values.today),
    createdAt: showDateTime(values.createdAt),
    milestones: presentMilestones(milestonesOf(values)),
    modifiedAt: values.modifiedAt && showDateTime(values.modifiedAt),
    savedTime: values.modifiedAt && showTime(values.modifiedAt),
    patient: presentPatient(values.patient),
    referral: {
      ...referral,
      ...describeForm(referral, {
        hasApproval: files.some(({ kind }) => kind === "approval"),
        hasRadiographs: images.count > 0,
      }),
      visitType: seesInternal ? (visitTypes.find(({ value }) => value === referral.visitType)?.label ?? "–") : null,
    },
    referrer: { ...values.referrer, name: values.referrer.name ?? "", clinic: values.referrer.clinic ?? "" },
    plan: presentPlan(values.plan),
    teeth: presentTeeth(values),
    edit: values.edit && { ...values.edit, plan: values.edit.plan && presentPlanForm(values.edit.plan) },
    material: presentMaterial(values.material),
    otherReferrals: values.otherReferrals.map((other) => ({
      id: other.id,
      statusLabel: visibleLabel(other.status, values),
      sentOn: showDate(other.sentAt),
    })),
    earlierRequests: values.earlierRequests.map(({ id, referralId, requestedAt, isAnswered, kinds }) => ({
      id,
      referralId: referralId === values.id ? null : referralId,
      requestedOn: showDate(requestedAt),
      items: `${kinds.map((kind) => kindOf(kind).label).join(", ")}${isAnswered ? "" : " (ikke besvaret)"}`,
    })),
    images: {
      ...images,
      shown: images.shown.map(({ type, ...image }) => ({
        ...image,
        typeLabel: radiographTypeLabel(type),
        uploadedOn: showDate(image.uploadedAt),
        arrival: arrivalText(image, "short"),
        exposure: exposureText(image.takenOn, values.createdAt, "short"),
        same: sameImageLines(image.sameIn),
      })),
    },
    withheldImages: values.withheldImages.map(presentWithheld),
    notReceived: values.notReceived.map(notReceivedText),
    archive: seesInternal
      ? { state: radiographExportState(exportStatus, values.isArchiveSet), hasFailed: exportStatus === EXPORT_FAILED }
      : null,
    deletedFiles: values.deletedFiles.map(({ kind, deletedAt, purgeAfter, ...file }) => ({
      ...file,
      kindLabel: fileKinds[kind].label,
      deletedOn: showDate(deletedAt),
      lastDay: showDate(purgeAfter),
    })),
    messages: presentThread(values.messages),
    sections: presentSections(values.sections),
    toPatient: values.toPatient && {
      callUp: presentCallUp(values.toPatient.callUp),
      appointmentWays: presentWays(values.toPatient.appointmentWays, appointmentWays),
      links: presentLinks(values.toPatient.links),
      sms: presentSmsThread(values.toPatient.sms),
      answer: presentAnswer(values.toPatient.answer),
      /** Why bills cannot be sent; they use e-Boks only. */
      eboksObstacle: values.toPatient.callUp.ways.find(({ type }) => type === EBOKS)?.obstacle ?? null,
    },
    log: values.log.map((entry) => ({
      ...entry,
      at: showShortDateTime(entry.at),
      status: entry.status === null || entry.status < 0 ? null : visibleLabel(entry.status, values),
    })),
  };
}

interface ShownStep {
  step: NextStep;
  label: string;
  brief?: string;
}

function presentSteps(
  { status, timeToCome }: Values,
  options: readonly StatusOption[],
  isUrgent: boolean,
): ShownStep[] {
  return nextSteps(status, { isUrgent, hasTimeToCome: timeToCome !== null }).flatMap<ShownStep>((step) => {
    if (step === "callUp") return { step, label: "Send indkaldelse …" };
    if (step === "timeByPhone") return { step, label: "Har fået tid pr. telefon" };
    return options.flatMap(({ value, label, brief }) => (value === step ? [{ step, label, brief }] : []));
  });
}

const weekdays = ["søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"];
const DAY_MS = 86_400_000;

/** `mandag 30.11. kl. 11.30`, and how far ahead that is. */
function presentTimeToCome(moment: string, today: string) {
  const day = moment.slice(0, 10);
  const time = moment.endsWith(" 00:00") ? "" : ` ${atTime(moment.slice(11))}`;
  const days = (Date.parse(day) - Date.parse(today)) / DAY_MS;
  return {
    at: `${weekdays[new Date(day).getUTCDay()]} ${showDay(day).slice(0, 6)}${time}`,
    ahead: days === 0 ? "i dag" : days === 1 ? "i morgen" : `om ${days} dage`,
  };
}

function withUsualDays(meaning: string, days: number | null): string {
  if (days === null) return meaning;
  const within = days === 0 ? "samme dag" : `inden for ${days === 1 ? "1 dag" : `${days} dage`}`;
  return meaning.replace(/\.$/, `, typisk ${within}.`);
}

const signs: Readonly<Record<NonNullable<Values["lastSign"]>["what"], string>> = {
  received: "henvisningen er modtaget",
  status: "ny status",
  message: "ny besked",
  callUp: "patienten er indkaldt",
  appointment: "tiden er sat eller ændret",
  letter: "brev sendt",
};

const lastSignText = ({ lastSign }: Values): string | null =>
  lastSign && `Senest sket ${showDate(lastSign.at)}: ${signs[lastSign.what]}.`;

/** Tells the referrer by when the clinic does something, so that nobody has to call and ask. */
function followUpText({ nextDate, today }: Values): string | null {
  if (nextDate === null) return null;
  return nextDate < today
    ? `Klinikken skulle have fulgt op senest ${showDay(nextDate)}, og er mindet om det.`
    : `Klinikken følger op senest ${showDay(nextDate)}.`;
}

const presentMaterial = (material: Values["material"]) =>
  material && {
    ...material,
    requestedOn: showDate(material.requestedAt),
    completedOn: material.completedAt && showDate(material.completedAt),
    missing: material.lines.filter(({ answer }) => answer === "open").length,
    lines: material.lines.map((line) => ({
      ...line,
      label: materialLabel(line),
      takesDocuments: kindOf(line.kind).takesDocuments ?? false,
      answeredOn: line.answeredAt && showDate(line.answeredAt),
    })),
  };

const presentWithheld = ({ fileName, count, differences }: Values["withheldImages"][number]) => ({
  fileName,
  count,
  lines: differences.length > 0 ? differences.map(differenceLine) : ["Filen passer til henvisningen, som den er nu."],
});

function differenceLine({
  field,
  inFile,
  onReferral,
}: Values["withheldImages"][number]["differences"][number]): string {
  const day = (value: string | null) => (value === null ? "–" : showDay(value));
  if (field === "samePicture") return `Samme billede hos nr. ${inFile}.`;
  if (field === "nobody") return "Filen siger ikke, hvem den tilhører.";
  if (field === "cpr") return `CPR-nummer: filens er et andet end henvisningens ${onReferral ?? "–"}.`;
  if (field === "name") return `Navn: ${inFile ?? "–"} i filen, ${onReferral ?? "–"} i henvisningen.`;
  return `Fødselsdag: ${day(inFile)} i filen, ${day(onReferral)} i henvisningen.`;
}

/** The year is shown once, on the last day, unless they span several. */
function presentMilestones(milestones: Milestone[]) {
  const days = milestones.map(({ at }) => (at === null ? null : at.length === 10 ? showDay(at) : showDate(at)));
  const last = days.reduce((latest, day, index) => (day === null ? latest : index), 0);
  return milestones.map(({ label, time }, index) => {
    const day = days[index]!;
    const isShort = index < last && day?.endsWith(days[last]!.slice(6));
    return { label, time, on: isShort ? day!.slice(0, 6) : day };
  });
}

const presentPatient = ({ firstName, lastName, cpr, ...patient }: Values["patient"]) => ({
  ...patient,
  name: `${firstName} ${lastName}`.trim(),
  cpr: cpr ?? "–",
});

const presentPlan = (plan: Values["plan"]) => ({
  ...describePlan(plan),
  statusComment: plan.statusComment,
  flags: [...(plan.sendsRadiographs ? [SEND_RADIOGRAPHS] : []), ...(plan.forcesExport ? [FORCE_EXPORT] : [])],
});

/** The teeth of the plan, else of the referral, and what contradicts them. */
function presentTeeth({ plan, referral }: Values) {
  const teeth = plan.teeth ?? referral.teeth;
  return {
    text: teeth && `${teeth.length > ONE_TOOTH ? "Tænder" : "Tand"} ${describeTeeth(teeth)}`,
    warnings: [
      otherTeethText(referral.teeth, textsOnTeeth(referral)),
      otherPlannedText(plan.teeth, referral.teeth),
    ].filter((text) => text !== null),
  };
}
const ONE_TOOTH = 2;

const presentPlanForm = ({ values, ...form }: NonNullable<NonNullable<Values["edit"]>["plan"]>) => ({
  ...form,
  values: shownPlanValues(values),
});

const presentThread = (thread: Values["messages"]) => ({
  ...thread,
  items: thread.items.map(({ authorName, isFromClinic, createdAt, editedAt, ...message }) => ({
    ...message,
    author: isFromClinic ? `Klinikken, ${authorName}` : authorName,
    at: showDateTime(createdAt),
    editedAt: editedAt === null ? null : showDateTime(editedAt),
  })),
});

const sentAt = (moment: string | null) => (moment === null ? "Ingen afsendelsesdato" : showDateTime(moment));

const sinceOrSent = (status: number, createdAt: string, at: string | null) =>
  status === QUEUED || status === UPLOADED
    ? `siden ${showDateTime(at ?? createdAt)}`
    : at === null
      ? "Ingen afsendelsesdato"
      : `sendt ${showDateTime(at)}`;

function presentAnswer(answer: NonNullable<Values["toPatient"]>["answer"]) {
  if (answer === null) return null;
  const { isCancelled, daysBefore: days, at, source, word } = answer;
  const way = source === null ? "" : source === "sms" ? " pr. SMS" : " via link";
  const before = days === 0 ? "samme dag" : days === 1 ? "1 dag før" : `${days} dage før`;
  const text = `${isCancelled ? `Afbud ${before}` : "Bekræftet"} (${showDateTime(at)}${way})`;
  return { isCancelled, text, word };
}

const presentLinks = ({ ways, sent, goodUntil, fileCount, strangers }: NonNullable<Values["toPatient"]>["links"]) => ({
  fileCount,
  strangers: strangers.map(({ differences, ...file }) => ({ ...file, lines: differences.map(differenceLine) })),
  ways: presentWays(ways, linkWays),
  goodUntil: goodUntil && showDate(goodUntil),
  sent: sent.map(({ id, purpose, letterNumber, type, outcome, createdAt, sentAt: at }) => ({
    id,
    type: `${purpose === "radiographLink" ? "Røntgen" : "Brev"}${letterNumber === null ? "" : ` ${letterNumber}`}, ${linkWays.find(({ value }) => value === type)?.label ?? "–"}`,
    at: outcome === "queued" || outcome === "awaiting" ? `siden ${showDateTime(at ?? createdAt)}` : sentAt(at),
    state: linkState(outcome),
  })),
});

type BillingLine = NonNullable<Sections["billing"]>[number];

const presentSending = ({
  status,
  createdAt,
  sentAt: at,
  ...line
}: Pick<BillingLine, "status" | "createdAt" | "sentAt" | "isWithdrawn" | "withdrawnBecause">) => ({
  at: sinceOrSent(status, createdAt, at),
  state: line.isWithdrawn ? WITHDRAWN_STATE : deliveryState(status),
  detail: line.withdrawnBecause,
});

const presentSections = ({ appointments, callUpStatus, callUps, appointmentLetters, billing }: Sections) => ({
  appointments: appointments.map(({ date, time, ...line }) => ({
    ...line,
    date: time ? `${showDay(date)} ${time.replace(":", ".")}` : showDay(date),
  })),
  callUpNotice: callUpNotice[callUpStatus ?? 0] ?? null,
  callUps: callUps.map(({ id, type, status, sentAt: at, content }) => ({
    id,
    type: callUpTypeLabel(type),
    at: sentAt(at),
    state: callUpState(status),
    content,
  })),
  appointmentLetters: appointmentLetters.map((line) => ({
    id: line.id,
    type: appointmentTypeLabel(line.type),
    ...presentSending(line),
    canWithdraw: line.canWithdraw,
    content: line.content,
  })),
  billing: billing?.map((line) => ({
    id: line.id,
    isInvoice: line.kind === "invoice",
    type: line.kind === "invoice" ? "Faktura" : "Overslag",
    ...presentSending(line),
  })),
});
