import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { countSmsParts, plainSign } from "~/text/sms-parts";
import { asksForAnswer, isSenderName } from "~/text/sms-sender";

const numbers = ["nul", "én", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti"];
const inWords = (count: number) => numbers[count] ?? String(count);
const partsInWords = (count: number) => `${inWords(count)} ${count === 1 ? "del" : "dele"}`;
const quoted = (signs: readonly string[]) =>
  signs
    .map((sign) => `“${sign}”`)
    .reduce((list, sign, nth) => list + (nth === signs.length - 1 ? " og " : ", ") + sign);

export interface SmsCount {
  parts: number;
  /** '1 SMS-del' and '93 tegn af 160'. */
  title: string;
  detail: string;
  /** The signs that make it longer, with what can be done. */
  warning: { text: string; advice: string; canReplace: boolean } | null;
}

/** How long a text is as an SMS, for an invented patient. */
export function presentSms(text: string): SmsCount {
  const { parts, length, perPart, nonGsm } = countSmsParts(text);
  const without = countSmsParts([...text].map((sign) => (nonGsm.includes(sign) ? "-" : sign)).join("")).parts;
  return {
    parts,
    title: parts === 1 ? "1 SMS-del" : `${parts} SMS-dele`,
    detail: parts <= 1 ? `${length} af ${perPart} tegn` : `${length} tegn, ${perPart} i hver del`,
    warning: parts > without ? warningOf(nonGsm, parts, without) : null,
  };
}

function warningOf(nonGsm: readonly string[], parts: number, without: number): SmsCount["warning"] {
  const replaceable = nonGsm.filter((sign) => plainSign(sign) !== undefined);
  const isOne = nonGsm.length === 1;
  const text = `${isOne ? "Tegnet" : "Tegnene"} ${quoted(nonGsm)} gør beskeden til ${partsInWords(parts)} i stedet for ${inWords(without)}.`;
  if (replaceable.length === 0)
    return { text, advice: "Skriv det på en anden måde, hvis beskeden skal være kortere.", canReplace: false };
  const plain = replaceable.map((sign) => `“${plainSign(sign) === " " ? "mellemrum" : plainSign(sign)}”`);
  return {
    text,
    advice: `${quoted(replaceable)} bliver til ${[...new Set(plain)].join(" og ")}, når beskeden sendes. Patienten ser ingen forskel.`,
    canReplace: true,
  };
}

/** An SMS that asks for an answer which nobody can send. */
export function answerWarning(channel: ChannelName, sender: string, body: string): string | null {
  return channel === "sms" && isSenderName(sender) && asksForAnswer(body)
    ? `Afsenderen er et navn, “${sender}”, så patienten kan ikke svare på beskeden. Bed om et opkald i stedet.`
    : null;
}
