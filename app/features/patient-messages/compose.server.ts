import type { DbOrTx } from "~db/connection.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { messageKinds } from "~/features/delivery/message-kinds";
import type { MessageText, TemplateKind } from "~/features/delivery/templates/default-texts";
import {
  fillPlaceholders,
  missingValues,
  type PlaceholderName,
  type PlaceholderValues,
  placeholders,
  usedPlaceholders,
  noValues,
} from "~/features/delivery/templates/placeholders";
import { readTexts } from "~/features/delivery/templates/compose-mail.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findTreatment } from "~/features/referrals/store/treatment-store.server";
import { readLetterhead, type Letterhead } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { plainSms } from "~/text/sms";
import type { PatientContact } from "./ways";
import { showDay } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

type Reader = Pick<Portal, "config" | "secrets">;

export function contactOf({ secrets }: Pick<Portal, "secrets">, row: ReferralRow): PatientContact {
  return {
    cpr: sealedCpr.open(secrets, row),
    firstName: row.first_name,
    lastName: row.last_name,
    address: row.address,
    zip: row.zip,
    city: row.city,
    mobilePhone: row.mobile_phone,
    email: row.email,
    isWithoutEboks: row.patient_without_eboks === 1,
    isTest: row.is_test === 1,
  };
}

export interface ComposedMessage extends MessageText {
  channel: ChannelName;
  missing: PlaceholderName[];
  namesTime: boolean;
}

const TEST = "TEST: ";

/** Composes a kind's texts for a referral; channels that the kind cannot use are left out. */
export type Composer = (
  referral: ReferralRow,
  kind: TemplateKind,
  channels: readonly ChannelName[],
  options?: {
    /** Values besides the referral's, such as a generated link. */
    values?: Partial<PlaceholderValues> | undefined;
    text?: MessageText | undefined;
  },
) => Promise<ComposedMessage[]>;

/** Reads the letterhead and the texts of some kinds once, and each treatment once. */
export async function composerOf(db: DbOrTx, { config }: Reader, kinds: readonly TemplateKind[]): Promise<Composer> {
  const letterhead = await readLetterhead(db, config);
  const textOf = await readTexts(db, kinds);
  const treatments = new Map<number | null, ReturnType<typeof findTreatment>>();
  return async (referral, kind, channels, { values: extra, text } = {}) => {
    const { treatment_type_id: typeId } = referral;
    if (!treatments.has(typeId)) treatments.set(typeId, findTreatment(db, typeId));
    const treatment = await treatments.get(typeId)!;
    // Tests must be recognisable to any recipient.
    const mark = referral.is_test === 1 ? TEST : "";
    return channels.flatMap((channel) => {
      const used = text ?? textOf(kind, channel);
      if (used === null) return [];
      const { subject, body } = used;
      const values = { ...placeholderValues(channel, referral, treatment, letterhead), ...extra };
      return {
        channel,
        subject: subject === "" ? "" : mark + fillPlaceholders(subject, values),
        body: asSent(channel, (subject === "" ? mark : "") + fillPlaceholders(body, values)),
        missing: missingValues(`${subject}\n${body}`, values),
        namesTime: namesTime(kind, `${subject}\n${body}`),
      };
    });
  };
}

const OF_TIME: readonly PlaceholderName[] = ["dato", "klokkeslæt"];

function namesTime(kind: TemplateKind, text: string): boolean {
  const { tellsTime } = messageKinds[kind];
  return (
    tellsTime === "always" ||
    (tellsTime === "whenNamed" && usedPlaceholders(text).some((name) => OF_TIME.includes(name)))
  );
}

/** The preview equals what is sent: the outbox replaces typographic characters in SMS. */
const asSent = (channel: ChannelName, text: string) => (channel === "sms" ? plainSms(text).trim() : text);

export const missingValuesText = (missing: readonly PlaceholderName[]) =>
  `Mangler til teksten: ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}.`;

interface ReferralValues {
  first_name: string;
  operation_date: string | null;
  operation_hour: number | null;
  operation_minute: number | null;
  interpreter: string | null;
}

interface Treatment {
  name: string;
  recommendationLink: string | null;
}

/** Removes characters from a name that could form a link, header or markup. */
export const asWord = (name: string) =>
  name
    .replace(/[^\p{L}\p{M}' -]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

const longDay = new Intl.DateTimeFormat("da-DK", { dateStyle: "full", timeZone: "UTC" });

function dayIn(channel: ChannelName, day: string): string {
  return channel === "sms" ? showDay(day) : longDay.format(new Date(`${day}T12:00:00Z`));
}

/** Empty without an interpreter, so that one text serves all patients. */
function interpreterLine(interpreter: string | null): string {
  const word = asWord(interpreter ?? "");
  return word && `Vi har noteret, at du har brug for tolk: ${word}.`;
}

export function placeholderValues(
  channel: ChannelName,
  referral: ReferralValues,
  treatment: Treatment | null,
  letterhead: Letterhead,
): PlaceholderValues {
  const { operation_date: day, operation_hour: hour, operation_minute: minute } = referral;
  const link = treatment?.recommendationLink ?? null;
  return {
    ...noValues,
    fornavn: asWord(referral.first_name) || null,
    dato: day === null ? null : dayIn(channel, day),
    klokkeslæt: day === null || hour === null ? null : `${twoDigits(hour)}.${twoDigits(minute)}`,
    klinik: letterhead.clinicName,
    telefon: letterhead.phone,
    behandling: treatment?.name ?? null,
    tolk: interpreterLine(referral.interpreter),
    anbefaling: link?.startsWith("https://") ? link : null,
  };
}
