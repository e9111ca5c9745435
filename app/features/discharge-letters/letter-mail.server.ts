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

/** Mail to the referrer with links that require sign-in and no patient data, since mail may be read by others. */
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
