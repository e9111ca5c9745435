import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { visibleLabel } from "~/features/referrals/model/status";
import { closingReasons, NO_REASON } from "~/features/referrals/model/closing";
import { showMoment } from "~/features/referrals/model/operation-moment";
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
import { RadioGroup } from "~/ui/forms/choices";
import { SelectField, TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";

const presentQuestion = ({ status, asked, status16Label, ...question }: SerializeFrom<typeof loader>) => ({
  ...question,
  asked,
  statusLabel: visibleLabel(status, { status16Label }),
  askedLabel: visibleLabel(asked, { status16Label }),
});

type Question = ReturnType<typeof presentQuestion>;

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

const titleOf = ({ id, asked, askedLabel, fileCount }: Question) => {
  if (fileCount > 0) return `Skal filerne slettes, når nr. ${id} afsluttes?`;
  return asked === CLOSED ? `Skal nr. ${id} afsluttes?` : `Skal nr. ${id} sættes til ${askedLabel}?`;
};

export default function AskStatus() {
  const question = presentQuestion(useLoaderData<typeof loader>());
  const { id, name, cpr, asked, askedLabel, statusLabel, isUntriaged, fileCount, facts } = question;
  const goOn = asked === CLOSED ? "Afslut" : `Sæt ${askedLabel} alligevel`;
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
        <ActionForm
          operation="setStatus"
          place={isOpen ? STATUS_FORM : undefined}
          action={page}
          opened={openedWith(facts)}
          showsErrors={isOpen}
          enter="nothing"
          preventScrollReset
          className="stack"
        >
          <input type="hidden" name="status" value={asked} />
          <input type="hidden" name="to" value={page} />
          <OpenEnds question={question} />
          {asked === CLOSED && <Reasons question={question} />}
          {isUntriaged && (
            <TextField id="reason" name="reason" label="Begrundelse" maxLength={300} autoComplete="off" />
          )}
          {fileCount > 0 ? <FilesOf closing={question} /> : <p>Status er nu {statusLabel}.</p>}
          <div className="row">
            {answers.map(({ answer, label, variant }) => (
              <Button
                key={answer}
                name="isDeleteAttachments"
                value={answer}
                variant={variant}
                data-likeliest={answer === "false" && !isUntriaged ? "" : undefined}
              >
                {label}
              </Button>
            ))}
            <ButtonLink to={back} preventScrollReset variant="plain">
              Annuller
            </ButtonLink>
          </div>
        </ActionForm>
      </DialogPage>
    </div>
  );
}

function OpenEnds({ question }: { question: Question }) {
  const { id, isUnanswered, isUntriaged, hasCallUp, timeToCome, lacksLetter } = question;
  return (
    <>
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
      {hasCallUp && <Notice kind="warn">En indkaldelse er i kø og bliver ikke sendt.</Notice>}
      {lacksLetter && (
        <Notice
          kind="info"
          action={
            <ButtonLink to={`${paths.referral(id)}#udskrivningsbrev`} size="small">
              Skriv brev
            </ButtonLink>
          }
        >
          Der er intet udskrivningsbrev.
        </Notice>
      )}
      {timeToCome !== null && (
        <RadioGroup
          id="time"
          name="time"
          label={`Patienten har en tid ${showMoment(timeToCome)}`}
          choices={times}
          defaultValue="keep"
          segmented
        />
      )}
    </>
  );
}

const times = [
  { value: "keep", label: "Behold tiden" },
  { value: "cancel", label: "Aflys tiden" },
];

function Reasons({ question: { reason, others } }: { question: Question }) {
  const usual = closingReasons.filter(({ value }) => value !== "duplicate");
  const duplicates = others.map((id) => ({ value: `duplicate:${id}`, label: `Dublet af nr. ${id}` }));
  return (
    <SelectField
      id="closedBecause"
      name="closedBecause"
      label="Hvorfor afsluttes den?"
      choices={[...usual, ...duplicates]}
      empty={NO_REASON}
      defaultValue={reason ?? ""}
    />
  );
}

function FilesOf({ closing }: { closing: Question }) {
  const { id, statusLabel, fileCount, files, unarchived, purgeDays } = closing;
  const unnamed = unarchived.count - unarchived.names.reduce((sum, { count }) => sum + count, 0);
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
      {unarchived.count > 0 && (
        <Notice
          kind="warn"
          title={
            unarchived.count === 1
              ? "1 billede er ikke i billedarkivet"
              : `${unarchived.count} billeder er ikke i billedarkivet`
          }
        >
          <p className="break-anywhere" translate="no">
            {unarchived.names.map(({ name }) => name).join(", ")}
            {unnamed > 0 && ` og ${unnamed} til`}
          </p>
          {unarchived.count === 1 ? "Slettes det, fjernes det" : "Slettes de, fjernes de"} helt efter {purgeDays} dage.
        </Notice>
      )}
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
