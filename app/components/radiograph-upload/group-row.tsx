import { radiographTypeLabel } from "~/files/file-rules";
import { showCount } from "~/text/numbers";
import { Progress } from "~/ui/feedback/progress";
import { Button, IconButton } from "~/ui/forms/button";
import { FileLine } from "~/ui/lists/file-lines";
import { type QueuedUpload, hasEnded } from "./queued-upload";
import { FileError } from "./radiograph-lines";

interface GroupRowProps {
  uploads: readonly QueuedUpload[];
  onPause(keys: string[]): void;
  onResume(keys: string[]): void;
  onRemove(keys: string[]): void;
}

export function GroupRow({ uploads, onPause, onResume, onRemove }: GroupRowProps) {
  const left = uploads.filter((upload) => !hasEnded(upload));
  const keysOf = (...states: QueuedUpload["state"][]) =>
    left.filter(({ state }) => states.includes(state)).map(({ key }) => key);
  const [moving, paused, stopped] = [
    keysOf("announcing", "queued", "sending", "waiting", "checking"),
    keysOf("paused"),
    keysOf("stopped"),
  ];
  const bytes = uploads.reduce((sum, { file }) => sum + file.size, 0);
  const sent = uploads.reduce(
    (sum, upload) => sum + (upload.state === "done" ? upload.file.size : upload.sentBytes),
    0,
  );
  const folder = uploads[0]?.folder?.split("/").pop();
  const name = `${showCount(uploads.length)} DICOM-filer${folder ? ` i ${folder}` : ""}`;
  const come = `${showCount(uploads.length - left.length)} af ${showCount(uploads.length)} overført`;
  const state = moving.length > 0 ? "sending" : paused.length > 0 ? "paused" : stopped.length > 0 ? "stopped" : "done";
  return (
    <li className="file-line" data-upload-state={state}>
      <FileLine
        name={name}
        sizeBytes={bytes}
        acts={
          left.length > 0 && (
            <>
              {moving.length > 0 && (
                <IconButton type="button" icon="pause" label={`Sæt ${name} på pause`} onClick={() => onPause(moving)} />
              )}
              {moving.length === 0 && paused.length > 0 && (
                <IconButton type="button" icon="resume" label={`Fortsæt ${name}`} onClick={() => onResume(paused)} />
              )}
              <IconButton
                type="button"
                icon="close"
                label={`Fjern ${name}`}
                onClick={() => onRemove(left.map(({ key }) => key))}
              />
            </>
          )
        }
      >
        <span className="self-start">{radiographTypeLabel(uploads[0]?.type ?? null)}</span>
        <div className="file-state file-bar">
          <Progress calm={moving.length === 0} label={come} value={Math.floor((100 * sent) / bytes) || 0} />
        </div>
        <FileError texts={stopped.length > 0 ? [left.find(({ text }) => text)?.text ?? ""] : null} />
        {stopped.length > 0 && (
          <Button type="button" size="small" icon="refresh" onClick={() => onResume(stopped)}>
            Prøv igen
          </Button>
        )}
      </FileLine>
    </li>
  );
}
