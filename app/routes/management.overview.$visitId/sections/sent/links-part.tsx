import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { MessageText, MessageWays, likeliestWay } from "~/components/patient-message/message-ways";
import { useButtonState } from "~/http/forms/use-button-state";
import { useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../edit-form";
import { SentLines } from "./sent-parts";

const FORM = "sendRadiographLink";

type Links = NonNullable<OpenReferral["toPatient"]>["links"];

export function LinksPart({ referralId, links }: { referralId: number; links: Links }) {
  const { sent } = links;
  const isAnswered = useHasAnswer(FORM);
  const newest = sent[0];
  return (
    <Disclosure
      title="Røntgen til patienten"
      note={newest ? `${newest.type}: ${newest.state.label}` : "Ikke sendt"}
      id="links"
      line
      open={isAnswered || newest?.state.tone === "waiting"}
    >
      <SendForm referralId={referralId} links={links} />
      <div className="mt-3">
        <SentLines lines={sent} />
      </div>
      {links.strangers.length > 0 && <Strangers referralId={referralId} files={links.strangers} />}
      {links.goodUntil && <Revoke referralId={referralId} goodUntil={links.goodUntil} />}
    </Disclosure>
  );
}

function SendForm({ referralId, links: { ways, fileCount } }: { referralId: number; links: Links }) {
  const here = useThisPage(referralId);
  const { form, fields, summary } = useServerForm<{ messageType: string }>(FORM, {
    defaultValue: { messageType: likeliestWay(ways) },
    labels: { messageType: "Send som" },
  });
  const [type, setType] = useState(Number(fields.messageType.initialValue ?? -1));
  const state = useButtonState(FORM);
  const hasFiles = fileCount > 0;
  return (
    <ActionForm
      operation={FORM}
      showsErrors
      action={`${here}#links`}
      preventScrollReset
      {...getFormProps(form)}
      className="stack"
    >
      <ErrorSummary {...summary("Linket er ikke sendt.")} />
      <MessageWays field={fields.messageType} ways={ways} chosen={type} onChoose={setType} />
      <MessageText ways={ways} type={type} />
      <div>
        <Button
          name="intent"
          value={FORM}
          icon="send"
          state={state}
          disabled={!hasFiles || !ways.some(({ isPossible }) => isPossible)}
        >
          Send Røntgen
        </Button>
        {!hasFiles && <p className="meta mt-1">Der er ingen røntgenbilleder at sende.</p>}
      </div>
    </ActionForm>
  );
}

function Strangers({ referralId, files }: { referralId: number; files: Links["strangers"] }) {
  const here = useThisPage(referralId);
  return (
    <Notice kind="warn" className="mt-3" title="Nævner en anden patient, og er ikke med i linket">
      <ul className="plain">
        {files.map(({ storedFileId, fileName, lines }) => (
          <li key={storedFileId}>
            <b className="break-anywhere">{fileName}</b>
            {lines.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
            <ActionForm
              operation="confirmFileOwner"
              item={`storedFileId:${storedFileId}`}
              action={`${here}#links`}
              preventScrollReset
            >
              <Button name="intent" value="confirmFileOwner" size="small">
                Filen er patientens
              </Button>
            </ActionForm>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Revoke({ referralId, goodUntil }: { referralId: number; goodUntil: string }) {
  const here = useThisPage(referralId);
  const state = useButtonState("revokeFileLinks");
  return (
    <ActionForm
      operation="revokeFileLinks"
      action={`${here}#links`}
      preventScrollReset
      className="flex flex-wrap items-center mt-3"
    >
      <p className="meta m-0 mr-4">Patientens links til filer og sag virker til {goodUntil}.</p>
      <Button name="intent" value="revokeFileLinks" variant="plain" size="small" state={state}>
        Spær links
      </Button>
    </ActionForm>
  );
}
