import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { useSubmitForm } from "~/http/forms/use-submit-form";
import { StatusForm } from "~/components/status-form/status-form";
import { rowSaveState, type ShellMemory, useLastSent } from "~/components/status-form/row-save-state";
import { onHoldText } from "~/features/referrals/model/missing-texts";
import { useSettledActionData } from "~/http/forms/use-settled-action-data";
import { usePageTicket } from "~/http/forms/use-ticket";
import { guard } from "~/http/forms/unsaved-forms";
import { useFormErrors } from "~/http/forms/use-action-result";
import { Chip, StatusChip, Tag } from "~/ui/lists/chip";
import { Notice } from "~/ui/feedback/notice";
import { PickBox } from "~/components/picked-rows/pick-box";
import { CloseReferral, Neighbours } from "./neighbours";
import type { OpenReferral } from "./open-referral";
import { SectionLinks } from "./section-links";
import { STATUS_FORM, StatusReturn, StatusLine } from "./status-line";
import { useList } from "./use-list-around";
import { useThisPage } from "./use-edit-page";
import { Verbatim } from "~/ui/layout/translation";

/**
 * Sticky head: the referral's list row, and below it its source or the last action. On phones names are at the top and
 * status at the bottom.
 */
export function ReferralHead({ referral }: { referral: OpenReferral }) {
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
        <StatusLine referral={referral} />
      </header>
      {refused.length > 0 && (
        <Notice kind="error" live className="mt-2 desk:mx-5">
          {refused.join(" ")}
        </Notice>
      )}
      <SectionLinks referral={referral} />
    </>
  );
}

function Identity({ referral, hasLeft }: { referral: OpenReferral; hasLeft: boolean }) {
  const { patient } = referral;
  return (
    <div className={hasLeft ? "ref-who text-ink2" : "ref-who"}>
      <h2 className="break-anywhere" tabIndex={-1}>
        <span className="sr-only">Nr. </span>
        <Verbatim className="ref-no">{referral.id}</Verbatim>{" "}
        {referral.ediId && <Tag title={`EDI id ${referral.ediId}`}>EDI</Tag>} <Verbatim>{patient.name}</Verbatim>
      </h2>{" "}
      <Verbatim className="whitespace-nowrap">{patient.cpr}</Verbatim>{" "}
      {patient.age !== null && <span className="text-ink2 whitespace-nowrap">{patient.age} år</span>}
      {referral.isUrgent && (
        <Chip tone="urgent" icon="urgent" title="Haste henvisning">
          Haster
        </Chip>
      )}
      {referral.isTest && <Tag title="Testhenvisning">TEST</Tag>}
      {referral.hold?.heldUntil && (
        <span className="chip bg-closed-bg text-ink2 whitespace-nowrap">{onHoldText(referral.hold.heldUntil)}</span>
      )}
      {hasLeft && <span className="chip bg-closed-bg text-ink2 whitespace-nowrap">Ikke længere i filteret</span>}
    </div>
  );
}

/** Status select with GEM for staff; the status for others. */
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
        className="ref-status"
      >
        <StatusReturn here={here} />
      </StatusForm>
      <b className="print-only">{statusLabel}</b>
    </>
  );
}
