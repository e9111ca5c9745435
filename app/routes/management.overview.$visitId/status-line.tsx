import { Link, useLocation, useRouteLoaderData } from "@remix-run/react";
import { Fragment, useEffect, useRef, useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { neighbours, pageQuery } from "~/components/overview-list/overview-list";
import { callUpFormId } from "~/features/call-ups/call-up-form";
import { STATUS_FORM } from "~/components/status-form/row-save-state";
import { UndoForm } from "~/components/undo-form/undo-form";
import { AWAITING_MATERIAL, CLOSED, IN_TREATMENT, NOT_REACHED } from "~/features/referrals/model/statuses";
import type { Undo } from "~/http/forms/action-result";
import { filePaths } from "~/features/referrals/file-paths";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass, ButtonLink, EnterButton } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";
import { useFillsWindow } from "~/ui/layout/fills-window";
import { type OpenReferral, useListAround } from "./open-referral";
import { CALL_UP_PART, useEditPage, useThisPage } from "./edit-form";
import { Verbatim } from "~/ui/layout/translation";
import { atTime } from "~/text/dates";

interface RootData {
  flash: { id: string; tone: string; formId?: string; inPage?: true; text: string; undo?: Undo }[];
  goesOn: boolean;
}

const useShell = () => useRouteLoaderData<RootData>("routes/management");

export const useJustDone = (referralId: number) =>
  useShell()?.flash.find(({ formId, inPage }) => formId === `status-${referralId}` && !inPage);

export const StatusReturn = ({ here }: { here: string }) => <input type="hidden" name="to" value={here} />;

/** The next referral of the list, for people who go on once a status is set; not beside the viewer's images. */
export function NextAddress({ referralId, here }: { referralId: number; here: string }) {
  const list = useListAround();
  const isPage = useThisPage(referralId) === here;
  const next = useShell()?.goesOn && isPage && list ? neighbours(list, referralId).next : null;
  return next && <input type="hidden" name="next" value={next} />;
}

/** Message about the referral left by setting its status, until anything else is opened or done. */
export function useStatusBefore(referralId: number) {
  const before = useShell()?.flash.find(({ formId, inPage }) => inPage && formId?.startsWith("status-")) ?? null;
  const [arrived, setArrived] = useState({ id: before?.id, referralId });
  const isNew = arrived.id !== before?.id;
  if (isNew) setArrived({ id: before?.id, referralId });
  return isNew || arrived.referralId === referralId ? before : null;
}

interface StatusBeforeProps {
  before: NonNullable<ReturnType<typeof useStatusBefore>>;
  here: string;
}

export function StatusBefore({ before, here }: StatusBeforeProps) {
  const back = useThisPage(Number(before.formId?.slice(7)));
  return (
    <Notice
      kind="success"
      live
      action={
        before.undo && (
          <UndoForm undo={before.undo} action={here} here={back} variant="plain" fit="tight" data-shortcut="z" />
        )
      }
    >
      <Verbatim>{before.text}</Verbatim>
    </Notice>
  );
}

/** Whether the status was changed since the referral was opened here; its suggestions have no keys from then on. */
export function useStatusChanged({ id, statusVersion }: Pick<OpenReferral, "id" | "statusVersion">): boolean {
  const [opened, setOpened] = useState({ id, statusVersion });
  if (opened.id !== id) setOpened({ id, statusVersion });
  return opened.id === id && opened.statusVersion !== statusVersion;
}

export function StatusLine({ referral, hasKeys }: { referral: OpenReferral; hasKeys: boolean }) {
  const here = useThisPage(referral.id);
  const done = useJustDone(referral.id);
  return (
    <div className="ref-line ref-next" aria-live="polite">
      {done && <StatusSaved referral={referral} done={done} here={here} />}
      {!done && (referral.mayEdit ? <Source referral={referral} /> : <Course referral={referral} />)}
      <NextSteps referral={referral} here={here} isDone={done !== undefined} hasKeys={hasKeys} />
      <WriteLetter referral={referral} />
      <a
        className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
        href={paths.referralPdf(referral.id)}
        target="_blank"
        rel="noreferrer"
      >
        <Icon name="pdf" size={18} className="mr-1.5" />
        PDF
      </a>
    </div>
  );
}

/** During treatment and after it the letter to the referrer is the next thing to write. */
function WriteLetter({ referral: { id, status, letters } }: { referral: OpenReferral }) {
  const { search } = useLocation();
  if (letters.manage === null || letters.isDeclined || (status !== IN_TREATMENT && status !== CLOSED)) return null;
  const newest = letters.letters[0];
  const number = newest?.letterFile === null ? newest.number : letters.manage.nextNumber;
  return (
    <ButtonLink
      to={filePaths.writeLetter(id, number, search)}
      icon="edit"
      size="small"
      variant={newest?.letterFile ? "plain" : "outline"}
    >
      Skriv brev
    </ButtonLink>
  );
}

function Source({ referral: { createdAt, ediId, referrer, timeToCome } }: { referral: OpenReferral }) {
  return (
    <p className="ref-source">
      Modtaget {createdAt}
      {ediId && ` · EDI ${ediId}`}
      {referrer.name && (
        <>
          {" · "}
          <b translate="no">{referrer.name}</b>
        </>
      )}
      {referrer.clinic && (
        <>
          , <Verbatim>{referrer.clinic}</Verbatim>
        </>
      )}
      {timeToCome && (
        <>
          {" · "}
          <span className="table:whitespace-nowrap">
            <b>Tid {timeToCome.at}</b> {timeToCome.ahead}
          </span>
        </>
      )}
    </p>
  );
}

function Course({ referral: { id, milestones, letters } }: { referral: OpenReferral }) {
  const letter = letters.letters.find(({ letterFile }) => letterFile !== null);
  return (
    <div className="ref-source">
      <ol className="course">
        {milestones.map(({ label, on, time }) => (
          <li key={label}>
            {label} {on} {time}
          </li>
        ))}
      </ol>
      {letter && !letters.isDeclined && (
        <a data-file href={filePaths.letter(id, letter.number, "pdf")} className="font-semibold">
          Hent udskrivningsbrev
        </a>
      )}
    </div>
  );
}

export function StatusMeaning({ referral }: { referral: OpenReferral }) {
  const { status, meaning, lastSign, followUp, material, plan, clinicPhone, letters, mayEdit } = referral;
  if (mayEdit || !meaning) return null;
  const hasLetter = !letters.isDeclined && letters.letters.some(({ letterFile }) => letterFile !== null);
  return (
    <Notice kind={status === AWAITING_MATERIAL || status === NOT_REACHED ? "warn" : "info"}>
      {meaning}
      {status === AWAITING_MATERIAL && material && (
        <>
          {" "}
          <a href="#materiale">Se listen</a>
        </>
      )}
      {status === NOT_REACHED && clinicPhone && (
        <>
          {" "}
          Telefon <span className="whitespace-nowrap">{clinicPhone}</span>.
        </>
      )}
      {plan.statusComment && ` ${plan.statusComment}`}
      {lastSign && ` ${lastSign}`}
      {followUp && ` ${followUp}`}
      {status === CLOSED && hasLetter && (
        <>
          {" "}
          <a href="#udskrivningsbrev">Udskrivningsbrevet</a> ligger herunder.
        </>
      )}
    </Notice>
  );
}

interface NextStepsProps {
  referral: OpenReferral;
  here: string;
  isDone: boolean;
  hasKeys: boolean;
}

export function NextSteps({ referral, here, isDone, hasKeys }: NextStepsProps) {
  const { edit: ask } = useEditPage(referral.id, "materiale");
  const { edit: callUp } = useEditPage(referral.id, CALL_UP_PART);
  // The viewer lacks the form of the call-up, whose button 'pr. telefon' is.
  const isViewer = useFillsWindow();
  const steps = referral.nextSteps.filter(({ step }) => !(isViewer && step === "timeByPhone"));
  if (steps.length === 0) return null;
  const first = isDone || referral.timeToCome ? (["outline"] as const) : (["primary", "outline"] as const);
  return (
    <ActionForm
      // Remounted with the status version that the buttons carry.
      key={referral.statusVersion}
      operation="setStatus"
      place={STATUS_FORM}
      others={["undoStatuses"]}
      showsErrors
      action={here}
      className="ref-suggested"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="setStatus" />
      <StatusReturn here={here} />
      <NextAddress referralId={referral.id} here={here} />
      <span className="meta">Næste skridt</span>
      {steps.map(({ step, label, brief }, index) => {
        const variant = first[index] ?? "plain";
        const numbered = { "data-step": index + 1, "data-shortcut": hasKeys ? index + 1 : undefined };
        if (step === "timeByPhone")
          return (
            <Fragment key={step}>
              {/* This button stands before the call-up form, so Enter in the form would press it. */}
              <EnterButton does="operation" form={callUpFormId(referral.id)} />
              <Button
                form={callUpFormId(referral.id)}
                value="callUpByPhone"
                size="small"
                variant={variant}
                {...numbered}
              >
                {label}
              </Button>
            </Fragment>
          );
        // Material must be listed first: its form sets the status.
        if (step === AWAITING_MATERIAL && referral.edit?.material) return null;
        return step === "callUp" || step === AWAITING_MATERIAL ? (
          <Link
            key={step}
            to={step === "callUp" ? callUp : ask}
            title={brief && label}
            className={buttonClass({ size: "small", variant })}
            preventScrollReset={step !== "callUp"}
            {...numbered}
          >
            {brief ?? label}
          </Link>
        ) : (
          <Button
            key={step}
            name="status"
            value={step}
            size="small"
            title={brief && label}
            variant={variant}
            {...numbered}
          >
            {brief ?? label}
          </Button>
        );
      })}
    </ActionForm>
  );
}

export function StatusSaved({
  referral,
  done,
  here,
}: {
  referral: OpenReferral;
  done: RootData["flash"][number];
  here: string;
}) {
  const isSaved = done.tone === "success";
  return (
    <>
      <p className={classNames("status-saved inline-flex items-center m-0", isSaved && "tone-ok text-tone")}>
        {isSaved && <Icon name="done" className="mr-1.5" />}
        {isSaved ? <b>{referral.statusLabel}</b> : done.text}
        {isSaved && (
          <>
            {referral.savedTime && (
              <span className="meta ml-2 whitespace-nowrap">gemt {atTime(referral.savedTime)}</span>
            )}
            <span className="sr-only"> {done.text}</span>
          </>
        )}
      </p>
      {done.undo && (
        <UndoForm undo={done.undo} action={here} here={here} variant="plain" fit="tight" data-shortcut="z" />
      )}
      <GoOn key={done.undo?.fields.massChangeId ?? done.text} openId={referral.id} isPrimary={isSaved} />
    </>
  );
}

/** Link to the next referral, focused so that Enter continues; back to the list at its end. */
export function GoOn({ openId, isPrimary }: { openId: number; isPrimary: boolean }) {
  const list = useListAround();
  const link = useRef<HTMLAnchorElement>(null);
  // On phones the sticky names may cover it.
  useEffect(() => {
    link.current?.focus({ preventScroll: true });
    link.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const next = list && neighbours(list, openId).next;
  const left = list ? list.total - Number(list.rows.some(({ id, hasLeft }) => id === openId && !hasLeft)) : 0;
  return (
    <Link
      ref={link}
      id="naeste"
      to={next ?? (list ? `${paths.overview}?${pageQuery(list, list.page)}` : paths.overview)}
      rel={next ? "next" : undefined}
      state={{ pressed: "head" }}
      className={buttonClass({ variant: isPrimary ? "primary" : "outline", size: "small" })}
    >
      <span>{next ? `Næste (${showCount(left)} tilbage)` : "Til oversigten"}</span>
      <Icon name="right" size={18} className="ml-2" />
    </Link>
  );
}
