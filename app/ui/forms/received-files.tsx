import { showBytes } from "~/text/numbers";
import { Button } from "./button";

export interface ReceivedFile {
  id: number;
  fileName: string;
  sizeBytes: number;
}

/** Staged files, each removable by a button of the form, which keeps its text (http/forms/staged-removal.server.ts). */
export function ReceivedFiles({ files }: { files: readonly ReceivedFile[] }) {
  if (files.length === 0) return null;
  return (
    <>
      {/* Enter presses the first button: this one submits and removes nothing. */}
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
