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
import type { ListedFile, UploadProgress } from "./radiograph-uploads";
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
  /** Of a sent referral a type for all is a question of its own, since others may have chosen the types. */
  isSent?: boolean;
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

export function FileList({ isSent = false, target, files, inputId, form, onUnderWay }: FileListProps) {
  const [underWay, setUnderWay] = useState(NOTHING_UNDER_WAY);
  const { ids, queue, pending } = underWay;
  const { images, stagedImages, unfinished, archives } = files;
  const scanNoteOf = scanNotesOf(images);
  const listed: ListedFile[] = [
    ...("referralId" in target ? images : []).map((image, index) => ({
      key: String(image.id),
      uploadIds: image.uploadIds,
      type: image.type,
      line: (
        <RadiographLine
          key={image.id}
          carriedBy={index < MAX_CARRIED && !form?.received ? form?.id : undefined}
          image={image}
          referralId={"referralId" in target ? target.referralId : 0}
          scanNote={scanNoteOf(image)}
        />
      ),
    })),
    ...stagedImages.map((image) => ({
      key: image.uploadId,
      uploadIds: image.uploadIds,
      type: image.type,
      line: <StagedLine key={image.uploadId} image={image} />,
    })),
    ...unfinished
      .filter(({ id }) => !ids.includes(id))
      .map((upload) => ({
        key: upload.id,
        uploadIds: [upload.id],
        type: null,
        line: <UnfinishedLine key={upload.id} upload={upload} />,
      })),
  ];
  return (
    <>
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
        listed={listed}
        typesAll={!isSent}
        inputId={inputId}
        onUnderWay={(news) => {
          setUnderWay(news);
          onUnderWay(news);
        }}
        form={form}
      >
        {(isSent || !form?.received) && (
          <TypeForAll
            target={target}
            withScript={isSent}
            pictures={
              [...images, ...stagedImages].filter(({ fileName }) => typesFor(fileName).length > 1).length + pending
            }
            onType={(type) => queue?.setTypes(type)}
          />
        )}
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
      Du kan arbejde videre; lad fanen stå åben. Henvisningen sendes senest {showDateTime(dueAt)}, også uden det, der
      mangler.
    </Notice>
  );
}
