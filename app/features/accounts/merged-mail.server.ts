import type { Tx } from "~db/connection.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import type { Portal } from "~/portal.server";

interface MergedAccount {
  id: number;
  first_name: string;
  user_name: string;
  email: string;
}

/** Tells a person that their profile was merged and which user name to use. */
export async function mergedMail(
  tx: Tx,
  { config }: Pick<Portal, "config">,
  merged: MergedAccount,
  into: { user_name: string },
) {
  const { productName, supportEmail, supportPhone } = config;
  const mail = await composeMail(tx, "accountMerged", {
    config,
    values: {
      navn: merged.first_name,
      brugernavn: merged.user_name,
      samletprofil: into.user_name,
      portal: productName,
      support: supportEmail,
      supporttelefon: supportPhone,
    },
  });
  return { ...mail, kind: "accountMerged" as const, to: merged.email, userId: merged.id };
}
