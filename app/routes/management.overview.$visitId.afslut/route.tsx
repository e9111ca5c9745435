import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { CLOSED, visibleLabel } from "~/features/referrals/model/status";
import { askClosing } from "~/features/referrals/status/operations.server";
import { ActionForm } from "~/http/forms/action-form";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { filePaths } from "~/features/referrals/file-paths";
import { FROM_LIST, paths } from "~/paths";
import { DialogPage } from "~/ui/feedback/dialog";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";

const presentClosing = ({ status, status16Label, ...closing }: SerializeFrom<typeof loader>) => ({
  ...closing,
  statusLabel: visibleLabel(status, { status16Label }),
});

export const meta = pageTitle(({ visitId }) => `Afslut henvisning nr. ${visitId}`);

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    askClosing,
    { referralId: args.params.visitId },
    { subject: ({ id, statusVersion }) => ({ fields: { referralId: id }, versions: { statusVersion } }) },
  );

export { clientLoader } from "~/http/forms/client-page";

export default function CloseReferral() {
  const { id, name, cpr, statusLabel, fileCount, files, purgeDays } = presentClosing(useLoaderData<typeof loader>());
  const { page, isOpen } = usePageBehind(id);
  const back = isOpen ? page : `${page}#r${id}`;
  const others = fileCount - files.reduce((sum, { slices }) => sum + slices, 0);
  return (
    <div id="afslut">
      <DialogPage
        title={`Skal filerne slettes, når nr. ${id} afsluttes?`}
        about={`${name} · ${cpr ?? "–"}`}
        closeTo={back}
      >
        <div className="stack-s">
          <p>
            Status er nu {statusLabel}. Der er {fileCount === 1 ? "1 fil" : `${fileCount} filer`} på henvisningen:
          </p>
          <ul className="divide-y divide-line [&>li]:flex [&>li]:items-center [&>li]:py-2" translate="no">
            {files.map((file) => (
              <li key={file.id}>
                <span className="flex flex-none items-center justify-center w-16 h-12 mr-3 rounded bg-tint text-ink2">
                  {file.isImage ? (
                    <img
                      src={filePaths.referralPreview(id, file.id, "thumb")}
                      alt=""
                      loading="lazy"
                      width={64}
                      height={48}
                      className="w-16 h-12 rounded object-contain"
                    />
                  ) : (
                    <Icon name="attach" />
                  )}
                </span>
                <span className="min-w-0 break-anywhere">{file.name}</span>
              </li>
            ))}
            {others > 0 && <li>{others === 1 ? "og 1 fil mere" : `og ${others} filer mere`}</li>}
          </ul>
          <p className="meta">
            Slettede filer kan hentes tilbage på henvisningen i {purgeDays} dage. Så fjernes de helt.
          </p>
          <div className="row">
            {[
              { answer: "false", label: "Nej, behold filerne", variant: "primary" as const },
              { answer: "true", label: "Ja, slet filerne", variant: "danger" as const },
            ].map(({ answer, label, variant }) => (
              <ActionForm
                key={answer}
                operation="setStatus"
                place={isOpen ? STATUS_FORM : undefined}
                action={page}
                preventScrollReset
              >
                <input type="hidden" name="status" value={CLOSED} />
                <input type="hidden" name="isDeleteAttachments" value={answer} />
                <input type="hidden" name="to" value={page} />
                <Button value="setStatus" variant={variant} data-likeliest={answer === "false" ? "" : undefined}>
                  {label}
                </Button>
              </ActionForm>
            ))}
            <ButtonLink to={back} preventScrollReset variant="plain">
              Annuller
            </ButtonLink>
          </div>
        </div>
      </DialogPage>
    </div>
  );
}

/** The page on which 'Afsluttet' was chosen: the open referral, or the list, in which another one may be open. */
function usePageBehind(referralId: number): { page: string; isOpen: boolean } {
  const query = new URLSearchParams(useLocation().search);
  const from = query.get(FROM_LIST);
  query.delete(FROM_LIST);
  const text = query.toString();
  const openId = Number(from);
  const path = from === null ? paths.referral(referralId) : openId > 0 ? paths.referral(openId) : paths.overview;
  return { page: text === "" ? path : `${path}?${text}`, isOpen: from === null };
}
