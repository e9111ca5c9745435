import { useState } from "react";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import {
  type Radiograph,
  RadiographLine,
  type StagedImage,
  StagedLine,
  UnfinishedLine,
  type UnfinishedUpload,
  type UnpackedArchive,
} from "./radiograph-lines";
import { type PlainForm, SkippedFiles, TypeForAll } from "./picker";
import type { UploadProgress } from "./radiograph-uploads";
import { typesFor } from "~/files/file-rules";
import { UploadPart } from "./upload-part";
import type { UploadTarget } from "./upload-queues";
import { ActionForm } from "~/http/forms/action-form";
import { awaitingText } from "~/features/referrals/model/missing-texts";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

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

interface AwaitingNoticeProps {
  referralId: number;
  files: number;
  /** ISO 8601. The referral is sent then without the missing files. */
  dueAt: string;
}

/** Notice on a draft that will be sent once its uploads finish; sending can still be cancelled. */
export function AwaitingNotice({ referralId, files, dueAt }: AwaitingNoticeProps) {
  return (
    <Notice
      kind="info"
      icon="upload"
      title={`${awaitingText(files)}.`}
      live
      action={
        <ActionForm operation="takeBackSending" action={paths.wizardStep(referralId, 3)}>
          <Button name="intent" value="takeBackSending" size="small" icon="undo">
            Fortryd afsendelsen
          </Button>
        </ActionForm>
      }
    >
      Du kan arbejde videre i portalen imens, men lad vinduet stå åbent. Mangler der stadig filer {showDateTime(dueAt)},
      sendes henvisningen uden dem.
    </Notice>
  );
}
