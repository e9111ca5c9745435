import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readPdfPage } from "~/features/referrals/details/operations.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true };

export const meta = pageTitle("Hent henvisning");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readPdfPage, { referralId: new URL(args.request.url).searchParams.get("id") });

export default function PdfVisit() {
  const { referralId, clinicName } = useLoaderData<typeof loader>();
  const href = paths.referralPdf(referralId);
  return (
    <PublicPage clinic={clinicName}>
      <meta httpEquiv="refresh" content={`0;url=${href}`} />
      <h1>Henvisning nr. {referralId}</h1>
      <p>
        <a className="btn btn-primary" href={href}>
          Hent PDF
        </a>
      </p>
      <p className="meta">Hvis filen ikke er begyndt at blive hentet efter 10 sekunder, så klik på knappen.</p>
    </PublicPage>
  );
}
