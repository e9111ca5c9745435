import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readKeptMail } from "~/features/delivery/read-mailbox.server";
import { runPage } from "~/http/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { Notice } from "~/ui/notice";
import { PublicPage } from "~/ui/public-page";

export const handle = { plain: true };

export const meta = pageTitle("Mailbox");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readKeptMail);

/** Development only: mail that was kept because no SMTP is set. The text form is shown; links in it work. */
export default function Mailbox() {
  const { delivers, mails } = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  return (
    <PublicPage clinic={settings?.clinicName ?? ""}>
      <h1>Udvikling: mails, der ikke er sendt</h1>
      <Notice kind="warn">
        {delivers ? "SMTP er indstillet: nye mails sendes og lægges ikke her." : "SMTP er ikke indstillet (SMTP_URL), så mails lægges i en mappe i stedet for at blive sendt."}
      </Notice>
      {mails.length === 0 && <p>Ingen data...</p>}
      {mails.map((mail) => (
        <article key={mail.key}>
          <h2>{mail.subject}</h2>
          <p className="meta">
            Til {mail.to} · {mail.at}
          </p>
          {mail.text.split("\n\n").map((part, index) => {
            const link = /^(.*): (https?:\/\/\S+)$/.exec(part);
            return <p key={index}>{link ? <a href={link[2]}>{link[1]}</a> : part}</p>;
          })}
          <hr />
        </article>
      ))}
    </PublicPage>
  );
}
