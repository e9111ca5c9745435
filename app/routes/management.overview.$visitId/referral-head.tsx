import { Link, useLocation, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { neighbours, type OverviewList, pageQuery } from "~/components/overview-list/overview-list";
import { CaveMarks, TextMentions } from "~/components/cave/cave-marks";
import { PickBox } from "~/components/picked-rows/picked-rows";
import { rowSaveState, STATUS_FORM, type ShellMemory, useLastSent } from "~/components/status-form/row-save-state";
import { StatusForm } from "~/components/status-form/status-form";
import { onHoldText, silentText } from "~/features/referrals/model/missing-texts";
import { toTellText } from "~/features/referrals/model/told-time";
import { otherNameText } from "~/features/referrals/model/name-question";
import { ActionForm } from "~/http/forms/action-form";
import { guard } from "~/http/forms/unsaved-forms";
import { useFormErrors, useSettledActionData, usePageTicket } from "~/http/forms/use-action-result";
import { useSubmitForm } from "~/http/forms/use-submit-form";
import { paths } from "~/paths";
import { openedWith } from "~/text/control-values";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { Tabs } from "~/ui/layout/tabs";
import { Verbatim } from "~/ui/layout/translation";
import { Chip, StatusChip, Tag } from "~/ui/lists/chip";
import { type OpenReferral, useList, useListAround } from "./open-referral";
import {
  NextAddress,
  StatusBefore,
  StatusLine,
  StatusMeaning,
  StatusReturn,
  type useStatusBefore,
} from "./status-line";
import { EditLink, useThisPage } from "./edit-form";

const step = buttonClass({ size: "small", fit: "tight" });

function Neighbours({ referralId }: { referralId: number }) {
  const list = useList();
  const { state, search } = useLocation();
  const pressed = (state as { pressed?: string } | null)?.pressed;
  // A form opened by the address takes the focus itself.
  const isEditing = new URLSearchParams(search).has("ret");
  const nav = useRef<HTMLElement>(null);
  const arrivedAt = useRef<number>();
  useEffect(() => {
    // Opening something in the same referral takes the focus itself.
    const isNew = arrivedAt.current !== referralId;
    arrivedAt.current = referralId;
    if (!isNew || isEditing || document.activeElement !== document.body || !nav.current) return;
    const head = nav.current.closest("header");
    const like = head?.querySelector<HTMLElement>(pressed ? `[rel="${pressed}"]` : ".c-open a");
    like?.focus({ preventScroll: true });
    // Phones have no row arrow.
    if (document.activeElement === document.body)
      head?.querySelector<HTMLElement>("h1, h2")?.focus({ preventScroll: true });
  }, [referralId, pressed, isEditing]);
  if (!list) return null;
  const { previous, next } = neighbours(list, referralId);
  return (
    <nav ref={nav} className="ref-steps" aria-label="Gå i listen">
      {list.active.length > 0 && !list.isMore && (
        <span className="text-ink2 text-label whitespace-nowrap print:hidden">{showCount(list.total)} tilbage</span>
      )}
      <Step to={previous} rel="prev">
        Forrige
      </Step>
      <Step to={next} rel="next">
        Næste
      </Step>
    </nav>
  );
}

function Step({ to, rel, children }: { to: string | null; rel: "prev" | "next"; children: string }) {
  if (to === null) return null;
  return (
    <Link className={step} to={to} rel={rel} data-shortcut={rel === "next" ? "j" : "k"} state={{ pressed: rel }}>
      {children}
    </Link>
  );
}

function CloseReferral({ list, referralId }: { list: OverviewList; referralId: number }) {
  return (
    <span className="c-open print:hidden">
      <a
        className="mark"
        href={`${paths.overview}?${pageQuery(list, list.page)}#r${referralId}`}
        aria-expanded
        data-keep-scroll=""
      >
        <Icon name="up" />
        <span className="sr-only">Luk nr. {referralId}</span>
      </a>
    </span>
  );
}

function SectionLinks({ referral }: { referral: OpenReferral }) {
  return (
    <div className="px-4 desk:hidden print:hidden">
      <Tabs
        label="Afsnit"
        tabs={[
          { to: "#billeder", label: "Billeder", count: referral.images.count },
          { to: "#beskeder", label: "Beskeder", ...countOf(referral.messages.newCount) },
          { to: "#patient", label: "Patient" },
          { to: "#henvisning", label: "Henvisning" },
          { to: "#plan", label: "Plan" },
          ...(referral.files.length > 0 ? [{ to: "#filer", label: "Filer", count: referral.files.length }] : []),
          { to: "#indkaldelse", label: "Indkaldelse", ...countOf(referral.sections.callUps.length) },
          { to: "#udskrivningsbrev", label: "Udskrivningsbrev", ...countOf(referral.letters.letters.length) },
          ...(referral.mayEdit ? [{ to: "#log", label: "Log", count: referral.log.length }] : []),
        ]}
      />
    </div>
  );
}

const countOf = (count: number) => (count > 0 ? { count } : {});

/**
 * Sticky head: the referral's list row, and below it its source or the last action. On phones names are at the top and
 * status at the bottom.
 */
export function ReferralHead({
  referral,
  before,
  hasKeys,
}: {
  referral: OpenReferral;
  hasKeys: boolean;
  before: ReturnType<typeof useStatusBefore>;
}) {
  const list = useList();
  const here = useThisPage(referral.id);
  const row = list?.rows.find(({ id }) => id === referral.id);
  const refused = [...useFormErrors(STATUS_FORM), ...useFormErrors("sendStatus"), ...useFormErrors("holdReferral")];
  useEffect(() => guard(STATUS_FORM, "query"), []);
  return (
    <>
      <header className="ref-head">
        <div className="ref-line">
          {row && list?.maySetStatus && <PickBox id={row.id} statusVersion={row.statusVersion} />}
          <Identity referral={referral} hasLeft={row?.hasLeft ?? false} />
          <HeadStatus referral={referral} here={here} />
          <Neighbours referralId={referral.id} />
          {row && list && <CloseReferral list={list} referralId={referral.id} />}
        </div>
        <StatusLine referral={referral} hasKeys={hasKeys} />
      </header>
      <TextMentions mentions={referral.mentions} className={quietLine} />
      {referral.teeth.warnings.map((text) => (
        <Notice key={text} kind="warn" className="mt-2 desk:mx-5">
          {text} Bekræft tand og side, før der behandles.
        </Notice>
      ))}
      <SamePatient others={referral.otherReferrals} />
      {refused.length > 0 && (
        <Notice kind="error" live className="mt-2 desk:mx-5">
          {refused.join(" ")}
        </Notice>
      )}
      {before && <StatusBefore before={before} here={here} />}
      <OtherName referral={referral} here={here} />
      <ToTell referral={referral} here={here} />
      <StatusMeaning referral={referral} />
      <SectionLinks referral={referral} />
    </>
  );
}

const quietLine = "mt-2 px-4 desk:px-6 text-[14px] text-ink2 break-anywhere";

function SamePatient({ others }: { others: OpenReferral["otherReferrals"] }) {
  if (others.length === 0) return null;
  return (
    <p className={quietLine}>
      Samme patient:{" "}
      {others.map(({ id, statusLabel, sentOn }, index) => (
        <span key={id}>
          {index > 0 && " · "}
          <a href={paths.referral(id)}>{`nr. ${id}`}</a> {sentOn}, {statusLabel}
        </span>
      ))}
    </p>
  );
}

function OtherName({ referral: { id, otherName }, here }: { referral: OpenReferral; here: string }) {
  if (otherName === null) return null;
  const { referral: other } = otherName;
  return (
    <Notice
      kind="warn"
      className="mt-2 desk:mx-5"
      action={
        <div className="row">
          <ActionForm operation="confirmSamePerson" action={here} preventScrollReset>
            <Button value="confirmSamePerson" size="small">
              Det er samme person
            </Button>
          </ActionForm>
          <EditLink referralId={id} part="patient" label="Ret patienten" />
          {other && <a href={paths.referral(other.id)}>{`Se nr. ${other.id}`}</a>}
        </div>
      }
    >
      {`${otherNameText(otherName)} Find ud af, om det er samme person, før patienten indkaldes.`}
    </Notice>
  );
}

function ToTell({ referral: { toTell }, here }: { referral: OpenReferral; here: string }) {
  if (toTell === null) return null;
  const { told, planned, seen } = toTell;
  return (
    <Notice
      kind="warn"
      className="mt-2 desk:mx-5"
      action={
        <div className="row">
          {planned !== null && <a href="#behandlingstid">Send den nye tid</a>}
          <ActionForm
            operation="confirmToldTime"
            action={here}
            opened={openedWith({ planned: seen })}
            showsErrors
            preventScrollReset
          >
            <Button value="confirmToldTime" size="small">
              Patienten ved det
            </Button>
          </ActionForm>
        </div>
      }
    >
      {toTellText(told, planned)}
    </Notice>
  );
}

function Identity({ referral, hasLeft }: { referral: OpenReferral; hasLeft: boolean }) {
  const { patient } = referral;
  const Heading = useListAround() === null ? "h1" : "h2";
  return (
    <div className={hasLeft ? "ref-who text-ink2" : "ref-who"}>
      <Heading className="break-anywhere" tabIndex={-1}>
        <span className="sr-only">Nr. </span>
        <Verbatim className="ref-no">{referral.id}</Verbatim>{" "}
        {referral.ediId && <Tag title={`EDI id ${referral.ediId}`}>EDI</Tag>} <Verbatim>{patient.name}</Verbatim>
      </Heading>{" "}
      <Verbatim className="whitespace-nowrap">{patient.cpr}</Verbatim>{" "}
      {patient.age !== null && <span className="text-ink2 whitespace-nowrap">{patient.age} år</span>}
      <CaveMarks marks={referral.cave} />
      {referral.teeth.text && <span className="chip bg-closed-bg text-ink2">{referral.teeth.text}</span>}
      {referral.isUrgent && (
        <Chip
          tone="urgent"
          icon="urgent"
          title={referral.judgedUrgency ? "Haster, siger klinikken" : "Haste henvisning"}
        >
          Haster{referral.referral.urgentReason && ` · ${referral.referral.urgentReason}`}
        </Chip>
      )}
      {referral.triageMarks.map(({ icon, text }) => (
        <span key={text} className="chip tone-warn whitespace-nowrap">
          <Icon name={icon} size={16} />
          {text}
        </span>
      ))}
      {referral.isTest && <Tag title="Testhenvisning">TEST</Tag>}
      {referral.hold?.heldUntil && (
        <span className="chip bg-closed-bg text-ink2 whitespace-nowrap">{onHoldText(referral.hold.heldUntil)}</span>
      )}
      {referral.mayEdit && referral.nextDate !== null && referral.nextDate < referral.today && (
        <span className="chip bg-closed-bg text-urgent whitespace-nowrap">{silentText(referral.nextDate)}</span>
      )}
      {hasLeft && <span className="chip bg-closed-bg text-ink2 whitespace-nowrap">Ikke længere i filteret</span>}
    </div>
  );
}

export function HeadStatus({ referral, here }: { referral: OpenReferral; here: string }) {
  const shell = useRouteLoaderData<ShellMemory>("routes/management");
  const outcome = rowSaveState(useSettledActionData(), shell, useLastSent(), STATUS_FORM);
  const submit = useSubmitForm();
  // The select shows the page's status and keeps its version until changed.
  const ticket = usePageTicket();
  const { status, statusLabel, statusOptions, mayEdit } = referral;
  if (!mayEdit) {
    const { tone = "closed", icon = "closed" } = statusOptions.find(({ value }) => value === status) ?? {};
    return <StatusChip status={{ label: statusLabel, tone, icon }} />;
  }
  return (
    <>
      <StatusForm
        referral={referral}
        options={statusOptions}
        action={here}
        submit={submit}
        // A saved status is reported in the line below, with undo.
        outcome={outcome?.went === "refused" ? outcome : null}
        ticket={ticket}
        formId={STATUS_FORM}
        shortcut="s"
        className="ref-status"
      >
        <StatusReturn here={here} />
        <NextAddress referralId={referral.id} here={here} />
      </StatusForm>
      <b className="print-only">{statusLabel}</b>
    </>
  );
}
