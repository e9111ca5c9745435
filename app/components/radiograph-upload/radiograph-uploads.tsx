import { useRevalidator, useSubmit } from "@remix-run/react";
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { sanitiseFileName } from "~/files/file-name";
import {
  acceptAttribute,
  arrivedType,
  askedTypeText,
  chosenFileRefusal,
  guidanceText,
  isMistyped,
  radiographTypes,
} from "~/files/file-rules";
import { holdOpen } from "~/http/forms/unsaved";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import { Notice } from "~/ui/feedback/notice";
import { SelectField } from "~/ui/forms/select-field";
import { UploadRow } from "./upload-row";
import type { Radiograph, UnfinishedUpload } from "./radiograph-lines";
import { type Chosen, type QueuedUpload, UploadQueue } from "./upload-queue";

/** What the page must know of uploads that are under way. */
export interface UploadProgress {
  /** Not finished yet, and neither refused. */
  pending: number;
  /** Waiting for the network. */
  waiting: number;
  /** The server's names of those that the queue shows by itself. */
  ids: string[];
}

export interface RadiographUploadsProps {
  referralId: number;
  images: readonly Radiograph[];
  unfinished: readonly UnfinishedUpload[];
  /** Id of the file input, where error messages lead. */
  inputId: string;
  onUnderWay(underWay: UploadProgress): void;
  /** What the plain picker held when this took its place. */
  chosenBefore: { files: readonly File[]; type: number };
}

const queues = new Map<number, UploadQueue>();

/** One queue a referral, for as long as the page's script lives. */
function queueFor(referralId: number): UploadQueue {
  const known = queues.get(referralId);
  if (known) return known;
  const metadata = ({ key, file, name, type }: QueuedUpload) => ({
    referralId: String(referralId),
    formKey: key,
    radiographType: String(type),
    fileName: name,
    lastModified: String(file.lastModified),
  });
  const queue = new UploadQueue(location.origin + paths.uploads, metadata);
  queues.set(referralId, queue);
  return queue;
}

/** Images with JavaScript: dropped or chosen, several at once, each with its type, its progress and its own fate. */
export function RadiographUploads({
  referralId,
  images,
  unfinished,
  inputId,
  onUnderWay,
  chosenBefore,
}: RadiographUploadsProps) {
  const queue = queueFor(referralId);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const [typeForAll, setTypeForAll] = useState(chosenBefore.type);
  const [isOver, setIsOver] = useState(false);
  /** Pictures that were added as DICOM. */
  const [asked, setAsked] = useState<string[]>([]);
  const told = useRef("");

  useEffect(() => holdOpen(() => queue.snapshot().some(({ state }) => !["done", "refused"].includes(state))), [queue]);
  useEffect(() => queue.whenArrived(revalidate), [queue, revalidate]);
  useEffect(() => queue.forget(images.map(({ id }) => id)), [queue, images]);
  useEffect(() => {
    const ids = uploads.flatMap(({ uploadId }) => uploadId ?? []);
    const count = (...states: QueuedUpload["state"][]) => uploads.filter(({ state }) => states.includes(state)).length;
    const underWay = { pending: uploads.length - count("done", "refused"), waiting: count("waiting"), ids };
    // Progress comes many times a second; the page renders only when what it shows changes.
    const news = JSON.stringify(underWay);
    if (news !== told.current) onUnderWay(underWay);
    told.current = news;
  }, [uploads, onUnderWay]);

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
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    add(Array.from(event.currentTarget.files ?? []));
    // So that the same file can be chosen again, as after a refusal.
    event.currentTarget.value = "";
  };
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
      <SelectField
        name="typeForAll"
        label="Billedtype for nye filer"
        hint="Kan ændres for hver fil bagefter."
        choices={radiographTypes}
        width={20}
        value={typeForAll}
        onChange={(event) => setTypeForAll(Number(event.currentTarget.value))}
      />
      <label className={isOver ? "drop drop-over" : "drop"}>
        <Icon name="plus" className="!mr-2" />
        <span>Tilføj filer</span>
        <span className="meta">eller træk dem hertil</span>
        <input
          type="file"
          id={inputId}
          multiple
          accept={acceptAttribute("radiograph")}
          aria-describedby={`${inputId}-guidance`}
          onChange={chosen}
        />
      </label>
      <p className="meta" id={`${inputId}-guidance`}>
        {guidanceText("radiograph")}
      </p>
    </div>
  );
}

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
