import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { MessageText } from "~/components/patient-message/message-text";
import { MessageWays } from "~/components/patient-message/message-ways";
import { useButtonState } from "~/http/forms/use-button-state";
import { useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";
import { SentLines } from "./sent-lines";

const FORM = "sendAppointmentLetter";

/** Sent letters with the patient's time; staff can send one. */
export function AppointmentPart({ referral: { id, sections, toPatient } }: { referral: OpenReferral }) {
  const { appointmentLetters } = sections;
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(FORM);
  const { form, fields, summary } = useServerForm<{ appointmentType: string }>(FORM, {
    labels: { appointmentType: "Send som" },
  });
  const [type, setType] = useState(Number(fields.appointmentType.initialValue ?? -1));
  const state = useButtonState(FORM);
  const isPossible = toPatient?.appointmentWays.some((way) => way.isPossible) ?? false;
  const newest = appointmentLetters[0];
  const hasFailed = newest?.state.tone === "waiting";
  return (
    <Disclosure
      title={toPatient ? "Send behandlingstid til patient manuelt" : "Behandlingstid"}
      note={newest ? `${newest.type}: ${newest.state.label}` : "Ikke sendt"}
      id="behandlingstid"
      line
      open={isAnswered || hasFailed || newest?.canWithdraw || (!toPatient && newest !== undefined)}
    >
      {toPatient && (
        <ActionForm
          operation={FORM}
          showsErrors
          action={`${here}#behandlingstid`}
          preventScrollReset
          {...getFormProps(form)}
          className="stack"
        >
          <ErrorSummary {...summary("Behandlingstiden er ikke sendt.")} />
          <MessageWays
            field={fields.appointmentType}
            ways={toPatient.appointmentWays}
            chosen={type}
            onChoose={setType}
          />
          <MessageText ways={toPatient.appointmentWays} type={type} />
          <Button name="intent" value={FORM} icon="send" state={state} disabled={!isPossible}>
            Send behandlingstid
          </Button>
        </ActionForm>
      )}
      <div className="mt-3">
        <SentLines
          lines={appointmentLetters}
          renderAction={({ id: letterId, canWithdraw }) => canWithdraw && <TakeBack letterId={letterId} here={here} />}
        />
      </div>
    </Disclosure>
  );
}

/** For a letter no worker has begun to send. */
const TakeBack = ({ letterId, here }: { letterId: number; here: string }) => (
  <ActionForm
    operation="withdrawAppointmentLetter"
    item={`letterId:${letterId}`}
    action={`${here}#behandlingstid`}
    preventScrollReset
  >
    <Button name="intent" value="withdrawAppointmentLetter" variant="plain" size="small">
      Annullér
    </Button>
  </ActionForm>
);
