import { memo } from "react";
import { isArchive } from "~/files/archive/archive-rules";
import { radiographTypes, typesFor } from "~/files/file-rules";
import { IconButton, Button } from "~/ui/forms/button";
import { FileLine } from "~/ui/lists/file-links";
import { Icon } from "~/ui/icons/icon";
import { Progress } from "~/ui/feedback/progress";
import { SelectField } from "~/ui/forms/fields";
import { FileError, GuessMark } from "./radiograph-lines";
import type { QueuedUpload } from "./queued-upload";

interface UploadRowProps {
  upload: QueuedUpload;
  onType(type: number): void;
  onPause(): void;
  onResume(): void;
  onRemove(): void;
}

/**
 * One upload with its progress and actions. A refused one stays and shows why. Memoised, since progress arrives often.
 */
export const UploadRow = memo(Row, (before, after) => before.upload === after.upload);

function Row({ upload, onType, onPause, onResume, onRemove }: UploadRowProps) {
  const { name, state, type } = upload;
  const share = Math.floor((100 * upload.sentBytes) / upload.file.size) || 0;
  const isMoving = state === "sending" || state === "announcing" || state === "queued" || state === "waiting";
  return (
    <li className="file-line" data-upload-state={state}>
      <FileLine
        name={name}
        sizeBytes={upload.file.size}
        acts={
          state !== "done" && (
            <>
              {isMoving && <IconButton type="button" icon="pause" label={`Sæt ${name} på pause`} onClick={onPause} />}
              {state === "paused" && (
                <IconButton type="button" icon="resume" label={`Fortsæt ${name}`} onClick={onResume} />
              )}
              <IconButton type="button" icon="close" label={`Fjern ${name}`} onClick={onRemove} />
            </>
          )
        }
      >
        <GuessMark />
        {state !== "refused" && (
          <SelectField
            name="uploadType"
            id={`type-${upload.key}`}
            label={`Billedtype for ${name}`}
            labelHidden
            choices={isArchive(name) ? radiographTypes : typesFor(name)}
            value={type}
            onChange={(event) => onType(Number(event.currentTarget.value))}
          />
        )}
        {isMoving || state === "paused" || state === "checking" ? (
          <div className="file-state file-bar">
            <Progress calm={state !== "sending" && state !== "checking"} label={wordsOf(upload, share)} value={share} />
          </div>
        ) : (
          state === "done" && (
            <span className="file-state">
              <span className="state tone-ok">
                <Icon name="done" size={18} />
                <span>Overført</span>
              </span>
            </span>
          )
        )}
        <FileError texts={upload.text ? [upload.text] : null} />
        {(state === "stopped" || state === "changed") && (
          <Button type="button" size="small" icon="refresh" onClick={onResume}>
            Prøv igen
          </Button>
        )}
      </FileLine>
    </li>
  );
}

function wordsOf({ state, secondsLeft }: QueuedUpload, share: number): string {
  switch (state) {
    case "announcing":
    case "queued":
      return share > 0 ? `I kø, ${share} %` : "I kø";
    case "paused":
      return `Sat på pause, ${share} %`;
    case "waiting":
      return `Venter på nettet, ${share} %`;
    case "checking":
      return "Kontrolleres";
    default:
      return secondsLeft === null ? `${share} %` : `${share} %, ${timeLeft(secondsLeft)}`;
  }
}

function timeLeft(seconds: number): string {
  if (seconds < 10) return "få sekunder tilbage";
  if (seconds < 60) return `ca. ${Math.round(seconds / 10) * 10} sek. tilbage`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `ca. ${minutes} min. tilbage`;
  return `ca. ${Math.round(minutes / 60)} timer tilbage`;
}
