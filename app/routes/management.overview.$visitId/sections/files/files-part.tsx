import { paths } from "~/paths";
import { showBytes } from "~/text/numbers";
import { Disclosure } from "~/ui/layout/disclosure";
import { Icon } from "~/ui/icons/icon";
import { Section } from "~/ui/layout/page";
import { ScanNote, scanNoteOf } from "~/ui/feedback/scan-note";
import type { OpenReferral } from "../../open-referral";

const kinds: Record<string, string> = { journal: "Journalkopi", approval: "Behandlingsgodkendelse" };

/** Journal copies and the approval. */
export function FilesPart({ referral }: { referral: OpenReferral }) {
  if (referral.files.length === 0) {
    return (
      <Disclosure title="Filer" note="Ingen journal eller bevilling" id="filer" line>
        <p className="meta">Ingen data...</p>
      </Disclosure>
    );
  }
  return (
    <Section title="Filer" id="filer" note={referral.files.length === 1 ? "1 fil" : `${referral.files.length} filer`}>
      <ul className="divide-y divide-line [&>li]:py-2">
        {referral.files.map((file) => (
          <li key={file.id}>
            <a data-file href={paths.referralFile(referral.id, file.id)} className="row">
              <Icon name="attach" size={18} />
              <span>{file.name}</span>
            </a>
            <span className="meta">
              {kinds[file.kind]} · {showBytes(file.sizeBytes)}
              {scanNoteOf(file, referral.files) && ` · ${scanNoteOf(file, referral.files)}`}
            </span>
          </li>
        ))}
      </ul>
      <ScanNote files={referral.files} />
    </Section>
  );
}
