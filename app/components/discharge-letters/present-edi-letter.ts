import { addHours } from "date-fns";
import type { SerializeFrom } from "@remix-run/node";
import type { OpenLetters } from "~/features/discharge-letters/read-discharge-letters.server";
import { showDateTime } from "~/text/dates";
import type { Toned } from "~/ui/lists/chip";

type Values = SerializeFrom<OpenLetters>;
type EdiSending = NonNullable<Values["letters"][number]["edi"]>;

interface EdiLine {
  state: Toned;
  sentences: string[];
}

const partLabels = { letter: "Brevet", attachment: "PDF-filen" } as const;

/** The EDI state of a letter in words, including the fallback when it does not get through. */
export function ediLine(
  edi: EdiSending | null,
  { isEdiSet, receiptHours }: Pick<NonNullable<Values["manage"]>, "isEdiSet" | "receiptHours">,
): EdiLine {
  if (edi === null)
    return {
      state: { label: isEdiSet ? "EDI: Ikke sendt" : "EDI: Ikke indstillet", tone: "info", icon: "info" },
      sentences: ["Brevet går som e-mail."],
    };
  const { outcome, detail, sentAt, receipts } = edi;
  const receiptSentences = receipts.map(({ part, isPositive, at }) =>
    isPositive
      ? `${partLabels[part]} er modtaget ${showDateTime(at)}.`
      : `${partLabels[part]} er afvist ${showDateTime(at)}.`,
  );
  const notice = detail ? [ended(detail)] : [];
  switch (outcome) {
    case "queued":
      return { state: { label: "EDI: I kø", tone: "info", icon: "clock" }, sentences: receiptSentences };
    case "awaiting":
      return {
        state: { label: "EDI: Venter på kvittering", tone: "info", icon: "clock" },
        sentences: [
          ...(sentAt === null ? [] : [`Afleveret ${showDateTime(sentAt)}.`]),
          ...notice,
          ...receiptSentences,
          ...(sentAt === null || edi.mail === "sent"
            ? []
            : [`Uden kvittering går brevet som e-mail ${showDateTime(addHours(sentAt, receiptHours).toISOString())}.`]),
        ],
      };
    case "sent":
      return receiptSentences.length > 0
        ? { state: { label: "EDI: Modtaget", tone: "ok", icon: "done" }, sentences: [...receiptSentences, ...notice] }
        : // No acknowledgement was received, or the letter was kept here.
          {
            state: { label: "EDI: Sendt", tone: "ok", icon: "sent" },
            sentences: notice,
          };
    case "withdrawn":
      return { state: { label: "EDI: Annulleret", tone: "info", icon: "delete" }, sentences: [] };
    case "failed":
    case "unknown":
      return {
        state: {
          label: failedLabel(edi),
          tone: "warn",
          icon: "failed",
        },
        sentences: [...(detail === null ? [] : [ended(detail)]), ...receiptSentences, mailSentence(edi.mail)],
      };
  }
}

function failedLabel({ outcome, sentAt, receipts }: EdiSending): string {
  if (receipts.some(({ isPositive }) => !isPositive)) return "EDI: Afvist";
  return outcome === "failed" && sentAt === null ? "EDI: Ikke sendt" : "EDI: Ikke modtaget";
}

const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

function mailSentence(mail: EdiSending["mail"]): string {
  if (mail === "sent") return "Brevet er sendt som e-mail.";
  return mail === "queued" || mail === "awaiting" ? "Brevet går som e-mail." : "Brevet er ikke sendt som e-mail.";
}
