import { showBytes } from "~/text/numbers";
import { Button } from "./button";

/** A file that arrived with a form which stayed, and waits for it to be sent again. */
export interface ReceivedFile {
  id: number;
  fileName: string;
  sizeBytes: number;
}

/** The files that go along with the form's next sending; each can be taken off by a button of the same form, which keeps all that is typed (http/forms/staged-removal.server.ts). */
export function ReceivedFiles({ files }: { files: readonly ReceivedFile[] }) {
  if (files.length === 0) return null;
  return (
    <>
      {/* Enter presses a form's first button: this one sends the form, and takes nothing off. */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
      <ul className="meta mt-1" aria-label="Modtagne filer">
        {files.map(({ id, fileName, sizeBytes }) => (
          <li key={id}>
            Modtaget: {fileName} ({showBytes(sizeBytes)}). Vedhæftes, når du går videre.{" "}
            <Button
              name="removeStaged"
              value={id}
              size="small"
              variant="plain"
              fit="tight"
              aria-label={`Fjern ${fileName}`}
            >
              Fjern
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
