import type { DbOrTx } from "~db/connection.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { fillPlaceholders, noValues } from "~/features/delivery/templates/placeholders";
import { readText } from "~/features/delivery/templates/read-text.server";
import type { LetterReceiver } from "~/features/directory/find-letter-receiver.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";

interface Told {
  referralId: number;
  letterNumber: number;
  receiver: LetterReceiver;
  hasImages: boolean;
  isTest: boolean;
}

/**
 * The mail that tells a referrer of a discharge letter: links that fetch it after sign-in, and nothing about the patient, since a mail is
 * read on other screens than ours.
 */
export async function letterMail(
  db: DbOrTx,
  { config }: Pick<Portal, "config">,
  { referralId, letterNumber, receiver, hasImages, isTest }: Told,
) {
  const { subject, body } = (await readText(db, "dischargeLetter", "email"))!;
  const letterhead = await readLetterhead(db, config);
  const linkTo = (kind: "pdf" | "zip") =>
    config.publicOrigin + paths.mailedLetter(referralId, letterNumber, kind, receiver.id);
  const values = {
    ...noValues,
    henviser: receiver.name,
    henvisningsnr: String(referralId),
    klinik: letterhead.clinicName,
    telefon: letterhead.phone,
    brevlink: linkTo("pdf"),
    billedlink: hasImages ? linkTo("zip") : null,
  };
  const linkTexts: Record<string, string> = {
    "((brevlink))": "Hent udskrivningsbrevet",
    "((billedlink))": "Hent brevet med røntgenbilleder (ZIP)",
  };
  const paragraphs = body
    .split(/\n{2,}/)
    .filter((paragraph) => hasImages || !paragraph.includes("((billedlink))"))
    .map((paragraph) => {
      const text = linkTexts[paragraph.trim()];
      const filled = fillPlaceholders(paragraph, values);
      return text === undefined ? filled : { link: filled.trim(), text };
    });
  return renderMail({
    productName: letterhead.clinicName,
    subject: (isTest ? "TEST: " : "") + fillPlaceholders(subject, values),
    paragraphs,
  });
}
