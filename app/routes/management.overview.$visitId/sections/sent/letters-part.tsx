import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import { StateText } from "~/ui/lists/chip";
import { Disclosure } from "~/ui/layout/disclosure";
import { Icon } from "~/ui/icons/icon";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/layout/page";
import type { OpenReferral } from "../../open-referral";

/** A letter that a mailed link asked for: its download begins by itself (the page's refresh), and by the link if it does not. */
export function LetterNotice({ referralId }: { referralId: number }) {
  const asked = askedLetter(useLocation().search);
  if (!asked) return null;
  return (
    <Notice kind="info" title="Brevet hentes." className="no-print">
      <a data-file href={paths.letter(referralId, asked.number, asked.kind, asked.mailedTo)}>
        Hent brevet her
      </a>
      , hvis det ikke er begyndt efter 10 sekunder.
    </Notice>
  );
}

/** Which letter the address asks for; null when none. */
export function askedLetter(search: string) {
  const query = new URLSearchParams(search);
  const number = Number(query.get("brev"));
  if (!Number.isInteger(number) || number < 1) return null;
  return {
    number,
    kind: query.get("som") === "zip" ? ("zip" as const) : ("pdf" as const),
    mailedTo: Number(query.get("mid")) || null,
  };
}

/** The discharge letters: when, to whom, the letter and the images that went along. */
export function LettersPart({ referral: { id, sections, mayEdit } }: { referral: OpenReferral }) {
  if (sections.letters.length === 0) {
    return (
      <Disclosure title="Udskrivningsbrev" note="Ingen endnu" id="udskrivningsbrev" line>
        <p className="meta">Ingen data...</p>
      </Disclosure>
    );
  }
  return (
    <Section title="Udskrivningsbrev" id="udskrivningsbrev">
      <ul className="sent-list divide-y divide-line">
        {sections.letters.map((letter) => (
          <li key={letter.number}>
            <span>Brev {letter.number}</span>
            <span className="num">{letter.at}</span>
            {letter.state && <StateText state={letter.state} />}
            <div className="row">
              {letter.letterFile ? (
                <FileLink href={paths.letter(id, letter.number, "pdf")} name={letter.letterFile} />
              ) : (
                <span className="meta">Pdf-filen mangler</span>
              )}
              {letter.imagesFile && <FileLink href={paths.letter(id, letter.number, "zip")} name={letter.imagesFile} />}
            </div>
            {mayEdit && (
              <span className="meta">
                {letter.recipient ?? "Ingen modtager"} · forsøg {letter.attempts}
                {letter.isEdi && " · EDI"}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FileLink({ href, name }: { href: string; name: string }) {
  return (
    <a data-file href={href} className="row">
      <Icon name="file" size={18} />
      <span>{name}</span>
    </a>
  );
}
