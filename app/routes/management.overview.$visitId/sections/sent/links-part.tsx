import { useState } from "react";
import { useLocation } from "@remix-run/react";
import { ActionForm, IntentButton, useHasAnswer, useServerForm } from "~/http/forms/action-form";
import { MessageText, MessageWays, likeliestWay } from "~/components/patient-message/message-ways";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../edit-form";
import { SentLines } from "./sent-parts";
import { LettersPanel } from "~/components/discharge-letters/letters-panel";
import { filePaths } from "~/features/referrals/file-paths";

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
  const hasFiles = fileCount > 0;
  return (
    <ActionForm
      operation={FORM}
      enter="nothing"
      action={`${here}#links`}
      preventScrollReset
      of={form}
      className="stack"
    >
      <ErrorSummary {...summary("Linket er ikke sendt.")} />
      <MessageWays field={fields.messageType} ways={ways} chosen={type} onChoose={setType} />
      <MessageText ways={ways} type={type} />
      <div>
        <IntentButton value={FORM} icon="send" disabled={!hasFiles || !ways.some(({ isPossible }) => isPossible)}>
          Send Røntgen
        </IntentButton>
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
              place={`confirmFileOwner-${storedFileId}`}
              action={`${here}#links`}
              preventScrollReset
            >
              <Button value="confirmFileOwner" size="small">
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
  return (
    <ActionForm
      operation="revokeFileLinks"
      action={`${here}#links`}
      preventScrollReset
      className="flex flex-wrap items-center mt-3"
    >
      <p className="meta m-0 mr-4">Patientens links til filer og sag virker til {goodUntil}.</p>
      <IntentButton value="revokeFileLinks" variant="plain" size="small">
        Spær links
      </IntentButton>
    </ActionForm>
  );
}

/** A letter requested by a mailed link: its download starts automatically, with a link as fallback. */
export function LetterNotice({ referralId }: { referralId: number }) {
  const letter = requestedLetter(useLocation().search);
  if (!letter) return null;
  return (
    <Notice kind="info" title="Brevet hentes." className="no-print">
      <a data-file href={filePaths.letter(referralId, letter.number, letter.kind, letter.mailedTo)}>
        Hent brevet her
      </a>
      , hvis det ikke er begyndt efter 10 sekunder.
    </Notice>
  );
}

/** The refresh header that starts the requested letter's download. */
export function refreshToLetter({ location, params }: { location: { search: string }; params: { visitId?: string } }) {
  const letter = requestedLetter(location.search);
  if (letter === null) return [];
  const url = filePaths.letter(Number(params.visitId), letter.number, letter.kind, letter.mailedTo);
  return [{ httpEquiv: "refresh", content: `0;url=${url}` }];
}

function requestedLetter(search: string) {
  const query = new URLSearchParams(search);
  const number = Number(query.get("brev"));
  if (!Number.isInteger(number) || number < 1) return null;
  return {
    number,
    kind: query.get("som") === "zip" ? ("zip" as const) : ("pdf" as const),
    mailedTo: Number(query.get("mid")) || null,
  };
}

export function LettersPart({ referral: { id, letters } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const { search } = useLocation();
  const newest = letters.letters[0];
  const panel = (
    <LettersPanel
      key={id}
      letters={letters}
      here={`${here}#udskrivningsbrev`}
      writeTo={(number) => filePaths.writeLetter(id, number, search)}
      deleteTo={(number) => filePaths.deleteReferralLetter(id, number, search)}
      isNarrow
    />
  );
  const count = letters.letters.length;
  // For staff a successful letter is folded; a referrer came for it.
  const isSettled = letters.manage !== null && newest?.state?.tone === "ready";
  return (
    <Disclosure
      title="Udskrivningsbrev"
      note={count === 0 ? "Ingen endnu" : count === 1 ? "1 brev" : `${count} breve`}
      id="udskrivningsbrev"
      line
      open={newest !== undefined && !isSettled}
    >
      {panel}
    </Disclosure>
  );
}
