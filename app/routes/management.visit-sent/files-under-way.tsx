import { useState } from "react";
import { NOTHING_UNDER_WAY } from "~/components/radiograph-upload/file-list";
import {
  type Radiograph,
  UnfinishedLine,
  type UnfinishedUpload,
  type UnpackedArchive,
} from "~/components/radiograph-upload/radiograph-lines";
import { SkippedFiles } from "~/components/radiograph-upload/skipped-files";
import { UploadPart } from "~/components/radiograph-upload/upload-part";
import { UploadNotices } from "~/components/radiograph-upload/upload-status";

interface FilesUnderWayProps {
  referralId: number;
  files: {
    images: readonly Radiograph[];
    unfinished: readonly UnfinishedUpload[];
    archives: readonly UnpackedArchive[];
  };
}

/** Uploads continuing after 'Send henvisning', with a way to resume. */
export function FilesUnderWay({ referralId, files: { images, unfinished, archives } }: FilesUnderWayProps) {
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const left = unfinished.filter(({ id }) => !underWay.ids.includes(id));
  return (
    <div className="no-print">
      <UploadNotices underWay={underWay} images={images} />
      <ul className="file-lines" aria-label="Filer, der mangler">
        {left.map((upload) => (
          <UnfinishedLine key={upload.id} upload={upload} />
        ))}
      </ul>
      {archives.map(({ id, fileName, refused }) => (
        <SkippedFiles key={id} of={fileName} files={refused} />
      ))}
      <UploadPart
        target={{ referralId }}
        images={images}
        stagedImages={[]}
        unfinished={unfinished}
        archives={archives}
        inputId="billeder"
        onUnderWay={setUnderWay}
        // An interrupted upload resumes when its file is chosen again.
        isClosed={left.length === 0}
        form={null}
      />
    </div>
  );
}
