import { useState } from "react";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import {
  type Radiograph,
  RadiographLine,
  StagedLine,
  type StagedImage,
  UnfinishedLine,
  type UnfinishedUpload,
  type UnpackedArchive,
} from "./radiograph-lines";
import { SkippedFiles } from "./skipped-files";
import type { PlainForm } from "./picker";
import type { UploadProgress } from "./radiograph-uploads";
import { typesFor } from "~/files/file-rules";
import { TypeForAll } from "./type-for-all";
import { UploadPart } from "./upload-part";
import type { UploadTarget } from "./upload-queues";

export const NOTHING_UNDER_WAY: UploadProgress = {
  pending: 0,
  waiting: 0,
  isAnnounced: true,
  stuck: [],
  ids: [],
  queue: null,
};

/** Forms with more fields are refused as a whole (http/forms/read-form.server.ts), and each image has two. */
export const MAX_CARRIED = 400;

interface FileListProps {
  target: UploadTarget;
  files: {
    images: readonly Radiograph[];
    stagedImages: readonly StagedImage[];
    unfinished: readonly UnfinishedUpload[];
    archives: readonly UnpackedArchive[];
  };
  inputId: string;
  form: PlainForm | null;
  onUnderWay(underWay: UploadProgress): void;
}

/** The wizard's files: arrived, on their way, and the picker. */
export function FileList({ target, files, inputId, form, onUnderWay }: FileListProps) {
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const { ids, queue, pending } = underWay;
  const { images, stagedImages, unfinished, archives } = files;
  const scanNoteOf = scanNotesOf(images);
  const left = unfinished.filter(({ id }) => !ids.includes(id));
  return (
    <>
      <ul className="file-lines" aria-label="Filer">
        {"referralId" in target &&
          images.map((image, index) => (
            <RadiographLine
              key={image.id}
              carriedBy={index < MAX_CARRIED ? form?.id : undefined}
              image={image}
              referralId={target.referralId}
              scanNote={scanNoteOf(image)}
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
      <div className="notices">
        {archives.map(({ id, fileName, refused }) => (
          <SkippedFiles key={id} of={fileName} files={refused} />
        ))}
      </div>
      <UploadPart
        target={target}
        images={images}
        stagedImages={stagedImages}
        unfinished={unfinished}
        archives={archives}
        inputId={inputId}
        onUnderWay={(news) => {
          setUnderWay(news);
          onUnderWay(news);
        }}
        form={form}
      >
        <TypeForAll
          target={target}
          pictures={
            [...images, ...stagedImages].filter(({ fileName }) => typesFor(fileName).length > 1).length + pending
          }
          onType={(type) => queue?.setTypes(type)}
        />
      </UploadPart>
    </>
  );
}
