import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { REMOVED_TEXT } from "~/features/maintenance/retention";
import { readLogMessage } from "~/features/logs/log-list.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { ButtonLink } from "~/ui/forms/button";
import { classNames } from "~/ui/layout/class-names";

export const meta = pageTitle("Forhåndsvisning");

export const shouldRevalidate = () => false;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readLogMessage, { messageId: args.params.messageId });

export { clientLoader } from "~/http/forms/client-page";

export default function LogMessage() {
  const { messageId, channel, subject, text, returned, isRemoved } = useLoaderData<typeof loader>();
  const closeTo = `${paths.logs}${useLocation().search}`;
  return (
    <div className="mb-4">
      <DialogPage
        wide
        title={channel === "email" ? "Forhåndsvisning af e-mail" : "Forhåndsvisning af SMS"}
        closeTo={closeTo}
      >
        <div className="stack">
          {returned.map((mail) => (
            <section key={mail}>
              <h3 className="mb-1">Kom retur på mailen</h3>
              <p className="lined p-3 border border-line rounded bg-ground break-anywhere">{mail}</p>
            </section>
          ))}
          {subject && (
            <p>
              <b>{subject}</b>
            </p>
          )}
          {text === null ? (
            <p>{isRemoved ? REMOVED_TEXT : "Beskeden kan ikke læses med den nuværende nøgle."}</p>
          ) : channel === "email" ? (
            <iframe
              sandbox=""
              src={paths.logMail(messageId)}
              title="E-mailens indhold"
              className={classNames(
                "block w-full border border-line rounded bg-white",
                returned.length > 0 ? "h-[30vh]" : "h-[56vh]",
              )}
            />
          ) : (
            <p className="lined p-3 border border-line rounded bg-ground">{text}</p>
          )}
          <p className="row">
            <ButtonLink to={closeTo} preventScrollReset variant="outline">
              Close
            </ButtonLink>
          </p>
        </div>
      </DialogPage>
    </div>
  );
}
