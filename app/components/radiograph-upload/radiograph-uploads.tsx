import { useRevalidator, useSubmit } from "@remix-run/react";
import { type DragEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { sanitiseFileName } from "~/files/file-name";
import { arrivedType, askedTypeText, chosenFileRefusal, isMistyped } from "~/files/file-rules";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Picker } from "./picker";
import { UploadRow } from "./upload-row";
import type { Radiograph, StagedImage, UnfinishedUpload } from "./radiograph-lines";
import { type Chosen, hasEnded, type QueuedUpload } from "./queued-upload";
import type { UploadQueue } from "./upload-queue";
import { queueFor, type UploadTarget } from "./upload-queues";

/** What the page must know of uploads that are under way. */
export interface UploadProgress {
  /** Not finished yet, and neither refused. */
  pending: number;
  /** Waiting for the network. */
  waiting: number;
  /** The server knows of each of them. */
  isAnnounced: boolean;
  /** The server's names of those that the queue shows by itself. */
  ids: string[];
  queue: Pick<UploadQueue, "allAnnounced"> | null;
}

export interface RadiographUploadsProps {
  target: UploadTarget;
  images: readonly Radiograph[];
  /** What has come for a form that is not saved yet. */
  stagedImages: readonly StagedImage[];
  unfinished: readonly UnfinishedUpload[];
  /** Id of the file input, where error messages lead. */
  inputId: string;
  onUnderWay(underWay: UploadProgress): void;
  /** More files are added elsewhere: here only those are shown that are on their way. */
  isClosed?: boolean;
  /** What the plain picker held when this took its place. */
  chosenBefore: { files: readonly File[]; type: number };
}

/** Images with JavaScript: dropped or chosen, several at once, each with its type, its progress and its own fate. */
export function RadiographUploads({
  target,
  images,
  stagedImages,
  unfinished,
  inputId,
  onUnderWay,
  isClosed = false,
  chosenBefore,
}: RadiographUploadsProps) {
  const listed = [...images, ...stagedImages].map(({ uploadId }) => uploadId);
  const queue = queueFor(target, [...unfinished.map(({ id }) => id), ...listed.filter(isKnown)]);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const [typeForAll, setTypeForAll] = useState(chosenBefore.type);
  const [isOver, setIsOver] = useState(false);
  /** Pictures that were added as DICOM. */
  const [asked, setAsked] = useState<string[]>([]);
  const told = useRef("");

  useEffect(() => queue.whenArrived(revalidate), [queue, revalidate]);
  const listedIds = listed.join();
  useEffect(() => queue.forget(listedIds.split(",")), [queue, listedIds]);
  useEffect(() => {
    const ids = uploads.flatMap(({ uploadId }) => uploadId ?? []);
    const count = (...states: QueuedUpload["state"][]) => uploads.filter(({ state }) => states.includes(state)).length;
    const pending = uploads.filter((upload) => !hasEnded(upload)).length;
    const underWay = { pending, waiting: count("waiting"), isAnnounced: count("announcing") === 0, ids, queue };
    // Progress comes many times a second; the page renders only when what it shows changes.
    const news = JSON.stringify({ ...underWay, queue: null });
    if (news !== told.current) onUnderWay(underWay);
    told.current = news;
  }, [uploads, queue, onUnderWay]);

  const add = (files: readonly File[]) => {
    const free = unfinished.filter(({ id }) => !uploads.some(({ uploadId }) => uploadId === id));
    const chosenFiles = files.map((file) => choose(file, typeForAll, free));
    queue.add(chosenFiles);
    setAsked(
      chosenFiles.flatMap(({ name, refusal }) => (refusal === null && isMistyped(name, typeForAll) ? [name] : [])),
    );
  };
  const lookedAt = useRef(new Set<string>());
  useEffect(() => {
    // Complete, but the connection was cut before the server could answer: asking for the offset makes it an image.
    const whole = unfinished.filter(
      ({ id, receivedBytes, sizeBytes }) =>
        receivedBytes === sizeBytes && !lookedAt.current.has(id) && !queue.isSending(id),
    );
    for (const { id } of whole) {
      lookedAt.current.add(id);
      void fetch(paths.upload(id), { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } }).then(
        revalidate,
        () => undefined,
      );
    }
  }, [unfinished, queue, revalidate]);
  const waiting = useRef(chosenBefore.files);
  useEffect(() => {
    if (waiting.current.length > 0) add(waiting.current);
    waiting.current = [];
  });
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    add(Array.from(event.dataTransfer.files));
  };
  const setType = ({ key, uploadId }: QueuedUpload, radiographType: number) => {
    queue.setType(key, radiographType);
    if (uploadId)
      submit(
        { intent: "setUploadType", uploadId, radiographType },
        { method: "post", navigate: false, fetcherKey: `type-${key}` },
      );
  };

  return (
    <div
      onDragOver={(event) => (event.preventDefault(), setIsOver(true))}
      onDragLeave={() => setIsOver(false)}
      onDrop={dropped}
    >
      {uploads.length > 0 && (
        <ul className="file-lines" aria-label="Filer på vej">
          {uploads.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onType={(type) => setType(upload, type)}
              onPause={() => queue.pause(upload.key)}
              onResume={() => queue.resume(upload.key)}
              onRemove={() => (queue.remove(upload.key), upload.uploadId && revalidate())}
            />
          ))}
        </ul>
      )}
      {asked.length > 0 && (
        <div className="notices">
          <Notice kind="warn" title="Kontrollér billedtypen:" live>
            {askedTypeText(asked)}
          </Notice>
        </div>
      )}
      {!isClosed && <Picker inputId={inputId} isOver={isOver} type={typeForAll} onType={setTypeForAll} onFiles={add} />}
    </div>
  );
}

const isKnown = (uploadId: string | null): uploadId is string => uploadId !== null;

/** A chosen file with its type, or why it cannot be taken; the server judges again, by its content. */
function choose(file: File, typeForAll: number, unfinished: readonly UnfinishedUpload[]): Chosen {
  const name = sanitiseFileName(file.name);
  const begun = unfinished.find(
    (each) => each.fileName === name && each.sizeBytes === file.size && each.lastModified === file.lastModified,
  );
  const type = begun?.type ?? arrivedType(name, typeForAll);
  return {
    file,
    name,
    type,
    uploadId: begun?.id ?? null,
    refusal: chosenFileRefusal("radiograph", { name, size: file.size }),
  };
}
