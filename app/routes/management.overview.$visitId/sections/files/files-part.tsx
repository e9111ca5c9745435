import { paths } from "~/paths";
import { showBytes } from "~/text/numbers";
import { Icon } from "~/ui/icons/icon";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import type { OpenReferral } from "../../open-referral";
import { LineSection } from "../line-section";

const kinds: Record<string, string> = { journal: "Journalkopi", approval: "Behandlingsgodkendelse" };

export function FilesPart({ referral: { id, files } }: { referral: OpenReferral }) {
  const scanNoteOf = scanNotesOf(files);
  return (
    <LineSection title="Filer" id="filer">
      {files.length === 0 ? (
        <p className="text-ink2">Ingen data... Ingen journal eller bevilling.</p>
      ) : (
        <ul className="[&>li+li]:mt-2">
          {files.map((file) => (
            <li key={file.id}>
              <a data-file href={paths.referralFile(id, file.id)} className="row">
                <Icon name="attach" size={18} />
                <span>{file.name}</span>
              </a>
              <span className="meta">
                {kinds[file.kind]} · {showBytes(file.sizeBytes)}
                {scanNoteOf(file) && ` · ${scanNoteOf(file)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ScanNote files={files} />
    </LineSection>
  );
}
