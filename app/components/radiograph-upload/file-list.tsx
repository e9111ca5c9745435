import { useLocation } from "@remix-run/react";
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
  type WholeUpload,
} from "./radiograph-lines";
import { type PlainForm, SkippedFiles, TypeForAll } from "./picker";
import type { ListedFile, UploadProgress } from "./radiograph-uploads";
import { UploadPart } from "./upload-part";
import type { UploadTarget } from "./upload-queues";
import { ActionForm } from "~/http/forms/action-form";
import { awaitingText } from "~/features/referrals/model/missing-texts";
import { IMAGES_PAGE } from "~/components/referral-pages/use-image-pages";
import { paths, withParam } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { Pager } from "~/ui/lists/pager";
import { Button } from "~/ui/forms/button";

export const NOTHING_UNDER_WAY: UploadProgress = {
  pending: 0,
  waiting: 0,
  isAnnounced: true,
  stuck: [],
  ids: [],
  queue: null,
};

interface FileListProps {
  /**
   * For a sent referral one type for all files is chosen in a step of its own, since others may have chosen the types.
   */
  isSent?: boolean;
  target: UploadTarget;
  files: {
    images: readonly Radiograph[];
    stagedImages: readonly StagedImage[];
    whole: WholeUpload;
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
  const { images, stagedImages, whole, unfinished, archives } = files;
  const address = useLocation();
  const scanNoteOf = scanNotesOf(images);
  const listed: ListedFile[] = [
    ...("referralId" in target ? images : []).map((image) => ({
      key: String(image.id),
      uploadIds: image.uploadIds,
      type: image.type,
      line: (
        <RadiographLine
          key={image.id}
          carriedBy={form?.received ? undefined : form?.id}
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
        listedUploads={whole.uploadIds}
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
        <Pager
          page={whole.page}
          pageCount={whole.pageCount}
          href={(page) => `${address.pathname}${withParam(address.search, IMAGES_PAGE, page)}`}
          label="Sider med filer"
        />
        {(isSent || !form?.received) && (
          <TypeForAll
            target={target}
            withScript={isSent}
            pictures={whole.pictures + pending}
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

export function AwaitingNotice({ referralId, files, dueAt }: AwaitingNoticeProps) {
  return (
    <Notice
      kind="info"
      icon="upload"
      title={`${awaitingText(files)}.`}
      live
      action={
        <ActionForm operation="takeBackSending" action={paths.wizardStep(referralId, 3)}>
          <Button value="takeBackSending" size="small" icon="undo">
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
