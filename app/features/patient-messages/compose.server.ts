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
} from "~/features/delivery/templates/placeholders";
import { readText } from "~/features/delivery/templates/compose-mail.server";
import { findTreatment } from "~/features/referrals/store/treatment-store.server";
import { type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { readLetterhead } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { plainSms } from "~/text/sms";
import { placeholderValues } from "./patient-values.server";
import type { PatientContact } from "./ways";

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

/** The texts a patient would get by each channel; channels the kind cannot use are left out. */
export async function composeMessages(
  db: DbOrTx,
  portal: Reader,
  kind: TemplateKind,
  channels: readonly ChannelName[],
  referral: ReferralRow,
  extra: Partial<PlaceholderValues> = {},
  ownText?: MessageText,
): Promise<ComposedMessage[]> {
  const compose = await composerOf(db, portal, kind, channels, ownText);
  return compose(referral, extra);
}

export async function composerOf(
  db: DbOrTx,
  { config }: Reader,
  kind: TemplateKind,
  channels: readonly ChannelName[],
  ownText?: MessageText,
): Promise<(referral: ReferralRow, extra?: Partial<PlaceholderValues>) => Promise<ComposedMessage[]>> {
  const letterhead = await readLetterhead(db, config);
  const texts: (MessageText & { channel: ChannelName })[] = [];
  for (const channel of channels) {
    const text = ownText ?? (await readText(db, kind, channel));
    if (text !== null) texts.push({ ...text, channel });
  }
  const treatments = new Map<number | null, Awaited<ReturnType<typeof findTreatment>>>();
  return async (referral, extra = {}) => {
    const { treatment_type_id: typeId } = referral;
    if (!treatments.has(typeId)) treatments.set(typeId, await findTreatment(db, typeId));
    const mark = referral.is_test === 1 ? TEST : "";
    return texts.map(({ channel, subject, body }) => {
      const values = { ...placeholderValues(channel, referral, treatments.get(typeId) ?? null, letterhead), ...extra };
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
