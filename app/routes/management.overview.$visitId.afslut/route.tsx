import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { visibleLabel } from "~/features/referrals/model/status";
import { CLOSED } from "~/features/referrals/model/statuses";
import { askStatus } from "~/features/referrals/status/operations.server";
import { ActionForm } from "~/http/forms/action-form";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { filePaths } from "~/features/referrals/file-paths";
import { ASKED_STATUS, FROM_LIST, paths } from "~/paths";
import { openedWith } from "~/text/control-values";
import { DialogPage } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";

const presentQuestion = ({ status, asked, status16Label, ...question }: SerializeFrom<typeof loader>) => ({
  ...question,
  asked,
  statusLabel: visibleLabel(status, { status16Label }),
  askedLabel: visibleLabel(asked, { status16Label }),
});

export const meta = pageTitle(({ visitId }) => `Afslut henvisning nr. ${visitId}`);

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    askStatus,
    {
      referralId: args.params.visitId,
      status: new URL(args.request.url).searchParams.get(ASKED_STATUS) ?? undefined,
    },
    { subject: ({ id }) => ({ fields: { referralId: id } }) },
  );

export { clientLoader } from "~/http/forms/client-page";

const ANSWERS = [
  { answer: "false", label: "Nej, behold filerne", variant: "primary" },
  { answer: "true", label: "Ja, slet filerne", variant: "danger" },
] as const;

const titleOf = ({ id, asked, askedLabel, fileCount }: ReturnType<typeof presentQuestion>) => {
  if (fileCount > 0) return `Skal filerne slettes, når nr. ${id} afsluttes?`;
  return asked === CLOSED ? `Skal nr. ${id} afsluttes?` : `Skal nr. ${id} sættes til ${askedLabel}?`;
};

export default function AskStatus() {
  const question = presentQuestion(useLoaderData<typeof loader>());
  const { id, name, cpr, asked, askedLabel, statusLabel, isUnanswered, isUntriaged, fileCount, facts } = question;
  const goOn = asked === CLOSED ? "Afslut alligevel" : `Sæt ${askedLabel} alligevel`;
  const answers = fileCount > 0 ? ANSWERS : ([{ answer: "false", label: goOn, variant: "primary" }] as const);
  const { page, isOpen } = usePageBehind(id);
  const back = isOpen ? page : `${page}#r${id}`;
  return (
    <div id="afslut">
      <DialogPage
        title={titleOf(question)}
        about={
          <>
            {name} · <span className="whitespace-nowrap">{cpr ?? "–"}</span>
          </>
        }
        closeTo={back}
      >
        <div className="stack-s">
          {isUnanswered && (
            <Notice
              kind="warn"
              action={
                <ButtonLink to={`${paths.referral(id)}#beskeder`} size="small">
                  Læs og besvar
                </ButtonLink>
              }
            >
              En besked fra henviseren er ikke besvaret.
            </Notice>
          )}
          {isUntriaged && <Notice kind="warn">Henvisningen haster, og ingen har visiteret den.</Notice>}
          {fileCount > 0 ? <FilesOf closing={question} /> : <p>Status er nu {statusLabel}.</p>}
          <div className={classNames("row", isUntriaged && "!items-end")}>
            {answers.map(({ answer, label, variant }) => (
              <ActionForm
                key={answer}
                operation="setStatus"
                place={isOpen ? STATUS_FORM : undefined}
                action={page}
                opened={openedWith(facts)}
                showsErrors={isOpen}
                enter="nothing"
                preventScrollReset
              >
                <input type="hidden" name="status" value={asked} />
                <input type="hidden" name="isDeleteAttachments" value={answer} />
                <input type="hidden" name="to" value={page} />
                {isUntriaged && fileCount === 0 && (
                  <TextField name="reason" label="Begrundelse" maxLength={300} autoComplete="off" />
                )}
                <Button
                  value="setStatus"
                  className={isUntriaged && fileCount === 0 ? "mt-3" : undefined}
                  variant={variant}
                  data-likeliest={answer === "false" && !isUntriaged ? "" : undefined}
                >
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

function FilesOf({ closing }: { closing: ReturnType<typeof presentQuestion> }) {
  const { id, statusLabel, fileCount, files, purgeDays } = closing;
  const others = fileCount - files.reduce((sum, { slices }) => sum + slices, 0);
  return (
    <>
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
      <p className="meta">Slettede filer kan hentes tilbage på henvisningen i {purgeDays} dage. Så fjernes de helt.</p>
    </>
  );
}

/** The page on which 'Afsluttet' was chosen: the open referral, or the list, in which another one may be open. */
function usePageBehind(referralId: number): { page: string; isOpen: boolean } {
  const query = new URLSearchParams(useLocation().search);
  const from = query.get(FROM_LIST);
  query.delete(FROM_LIST);
  query.delete(ASKED_STATUS);
  const text = query.toString();
  const openId = Number(from);
  const path = from === null ? paths.referral(referralId) : openId > 0 ? paths.referral(openId) : paths.overview;
  return { page: text === "" ? path : `${path}?${text}`, isOpen: from === null };
}
