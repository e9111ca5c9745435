import { useLocation } from "@remix-run/react";
import { LettersPanel } from "~/components/discharge-letters/letters-panel";
import { filePaths } from "~/features/referrals/file-paths";
import { Disclosure } from "~/ui/layout/disclosure";
import { Notice } from "~/ui/feedback/notice";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../edit-form";

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
export function refreshToLetter({
  location,
  params,
}: {
  location: { search: string };
  params: { visitId?: string | undefined };
}) {
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
