import { groupRefusals, notTakenText } from "~/files/archive/archive-rules";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

interface SkippedFilesProps {
  of: string;
  files: readonly { fileName: string; text: string }[];
  onClose?(): void;
}

export function SkippedFiles({ of, files, onClose }: SkippedFilesProps) {
  if (files.length === 0) return null;
  return (
    <Notice
      kind="warn"
      title={`${notTakenText(files.length, of)}.`}
      live
      action={
        onClose && (
          <Button type="button" size="small" onClick={onClose}>
            Luk
          </Button>
        )
      }
    >
      <ul className="m-0 p-0">
        {groupRefusals(files).map(({ names, text }) => (
          <li key={text} className="mt-1 break-words">
            <span className="font-medium">{names}:</span> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
