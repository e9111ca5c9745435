import { type ReactNode, useState } from "react";
import { ScanNote, scanNoteOf } from "~/ui/feedback/scan-note";
import {
  type Radiograph,
  RadiographLine,
  StagedLine,
  type StagedImage,
  UnfinishedLine,
  type UnfinishedUpload,
} from "./radiograph-lines";
import type { UploadProgress } from "./radiograph-uploads";
import { UploadPart } from "./upload-part";
import type { UploadTarget } from "./upload-queues";

/** Nothing is on its way from this browser. */
export const NOTHING_UNDER_WAY: UploadProgress = { pending: 0, waiting: 0, isAnnounced: true, ids: [], queue: null };

interface FileListProps {
  target: UploadTarget;
  files: {
    images: readonly Radiograph[];
    stagedImages: readonly StagedImage[];
    unfinished: readonly UnfinishedUpload[];
  };
  /** Id of the file input, where error messages lead. */
  inputId: string;
  /** What stands there without JavaScript. */
  plain: ReactNode;
  onUnderWay(underWay: UploadProgress): void;
}

/** The files of a referral in the wizard, on whichever step: what has come, what is on its way, and the way to add more. */
export function FileList({ target, files, inputId, plain, onUnderWay }: FileListProps) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const { images, stagedImages, unfinished } = files;
  const left = unfinished.filter(({ id }) => !ids.includes(id));
  return (
    <>
      <ul className="file-lines" aria-label="Filer">
        {"referralId" in target &&
          images.map((image) => (
            <RadiographLine
              key={image.id}
              image={image}
              referralId={target.referralId}
              scanNote={scanNoteOf(image, images)}
            />
          ))}
        {stagedImages.map((image) => (
          <StagedLine key={image.uploadId} image={image} />
        ))}
        {left.map((upload) => (
          <UnfinishedLine key={upload.id} upload={upload} />
        ))}
      </ul>
      <ScanNote files={images} />
      <UploadPart
        target={target}
        {...files}
        inputId={inputId}
        onUnderWay={(underWay) => {
          setIds(underWay.ids);
          onUnderWay(underWay);
        }}
        plain={plain}
      />
    </>
  );
}
