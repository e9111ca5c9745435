import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { CLOSED, visibleLabel } from "~/features/referrals/model/status";
import { askClosing } from "~/features/referrals/status/operations.server";
import { ActionForm } from "~/http/forms/action-form";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Verbatim } from "~/ui/layout/translation";

const presentClosing = ({ status, status16Label, ...closing }: SerializeFrom<typeof loader>) => ({
  ...closing,
  statusLabel: visibleLabel(status, { status16Label }),
});

export const meta = pageTitle("Afslut henvisning");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    askClosing,
    { referralId: new URL(args.request.url).searchParams.get("nr") },
    { subject: ({ id, statusVersion }) => ({ fields: { referralId: id }, versions: { statusVersion } }) },
  );

export const clientLoader = keepPageOnNetworkError;

export default function CloseReferral() {
  const { id, name, statusLabel, fileNames, purgeDays } = presentClosing(useLoaderData<typeof loader>());
  const list = useListBehind();
  return (
    <DialogPage
      title={`Skal filerne slettes, når nr. ${id} afsluttes?`}
      about={name}
      closeTo={`${paths.overview}${list}#r${id}`}
    >
      <div className="stack-s">
        <p>
          <Verbatim>{name}</Verbatim> er nu {statusLabel}.{" "}
          {fileNames.length === 1 ? "Der er 1 fil" : `Der er ${fileNames.length} filer`} på henvisningen:
        </p>
        <ul className="divide-y divide-line [&>li]:py-2" translate="no">
          {fileNames.map((fileName, index) => (
            <li key={index}>{fileName}</li>
          ))}
        </ul>
        <p className="meta">
          Slettede filer kan hentes tilbage på henvisningen i {purgeDays} dage. Så fjernes de helt.
        </p>
        <div className="row">
          {[
            { answer: "false", label: "Nej, behold filerne", variant: "primary" as const },
            { answer: "true", label: "Ja, slet filerne", variant: "danger" as const },
          ].map(({ answer, label, variant }) => (
            <ActionForm key={answer} operation="setStatus" action={`${paths.overview}${list}`} preventScrollReset>
              <input type="hidden" name="status" value={CLOSED} />
              <input type="hidden" name="isDeleteAttachments" value={answer} />
              <Button name="intent" value="setStatus" variant={variant}>
                {label}
              </Button>
            </ActionForm>
          ))}
          <ButtonLink to={`${paths.overview}${list}#r${id}`} preventScrollReset variant="plain">
            Annuller
          </ButtonLink>
        </div>
      </div>
    </DialogPage>
  );
}

function useListBehind(): string {
  const query = new URLSearchParams(useLocation().search);
  query.delete("nr");
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
