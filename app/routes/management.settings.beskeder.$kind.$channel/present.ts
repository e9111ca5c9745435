import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { countSmsParts, plainSign, signName, type SmsParts } from "~/text/sms-parts";
import { asksForAnswer, isSenderName } from "~/text/sms-sender";

const numbers = ["nul", "én", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti"];
const inWords = (count: number) => numbers[count] ?? String(count);
const partsInWords = (count: number) => `${inWords(count)} ${count === 1 ? "del" : "dele"}`;
const quoted = (signs: readonly string[]) =>
  signs
    .map((sign) => `“${signName(sign)}”`)
    .reduce((list, sign, nth) => list + (nth === signs.length - 1 ? " og " : ", ") + sign);

export interface SmsCount {
  parts: number;
  /** '1 SMS-del' and '93 tegn af 160'. */
  title: string;
  detail: string;
  warning: { text: string; advice: string; canReplace: boolean } | null;
}

/** Length of a text as SMS for an invented patient. */
export function presentSms(text: string): SmsCount {
  const { parts, length, perPart, nonGsm } = countSmsParts(text);
  const without = countSmsParts([...text].map((sign) => (nonGsm.includes(sign) ? "-" : sign)).join(""));
  return {
    parts,
    title: parts === 1 ? "1 SMS-del" : `${parts} SMS-dele`,
    detail: parts <= 1 ? `${length} af ${perPart} tegn` : `${length} tegn, ${perPart} i hver del`,
    warning: nonGsm.length > 0 ? warningOf(nonGsm, { parts, perPart }, without) : null,
  };
}

type Size = Pick<SmsParts, "parts" | "perPart">;

function warningOf(nonGsm: readonly string[], { parts, perPart }: Size, without: Size): SmsCount["warning"] {
  const replaceable = nonGsm.filter((sign) => plainSign(sign) !== undefined);
  const isOne = nonGsm.length === 1;
  const cost =
    parts > without.parts
      ? `gør beskeden til ${partsInWords(parts)} i stedet for ${inWords(without.parts)}`
      : `giver kun plads til ${perPart} tegn i stedet for ${without.perPart}`;
  const text = `${isOne ? "Tegnet" : "Tegnene"} ${quoted(nonGsm)} ${cost}.`;
  if (replaceable.length === 0)
    return { text, advice: "Skriv det på en anden måde, hvis beskeden skal være kortere.", canReplace: false };
  const changed = replaceable.map((sign) => {
    const plain = plainSign(sign);
    return plain === "" ? "fjernet" : `til “${plain === " " ? "mellemrum" : plain}”`;
  });
  return {
    text,
    advice: `${quoted(replaceable)} bliver ${[...new Set(changed)].join(" og ")}, når beskeden sendes. Patienten ser ingen forskel.`,
    canReplace: true,
  };
}

/** Warns about an SMS that asks for an answer nobody can send. */
export function answerWarning(channel: ChannelName, sender: string, body: string): string | null {
  return channel === "sms" && isSenderName(sender) && asksForAnswer(body)
    ? `Afsenderen er et navn, “${sender}”, så patienten kan ikke svare på beskeden. Bed om et opkald i stedet.`
    : null;
}
