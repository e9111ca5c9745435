import type { DbOrTx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { LetterReceiver } from "~/features/directory/find-letter-receiver.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";

interface LetterValues {
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
  { referralId, letterNumber, receiver, hasImages, isTest }: LetterValues,
) {
  const letterhead = await readLetterhead(db, config);
  const linkTo = (kind: "pdf" | "zip") =>
    config.publicOrigin + paths.mailedLetter(referralId, letterNumber, kind, receiver.id);
  return composeMail(db, "dischargeLetter", {
    config,
    isFromClinic: true,
    isTest,
    values: {
      henviser: receiver.name,
      henvisningsnr: String(referralId),
      klinik: letterhead.clinicName,
      telefon: letterhead.phone,
      brevlink: linkTo("pdf"),
      billedlink: hasImages ? linkTo("zip") : null,
    },
  });
}
