import { useRevalidator, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isMistyped } from "~/files/file-rules";
import { typeQuestionText } from "~/files/file-texts";
import { usePageTicket } from "~/http/forms/use-ticket";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { type ChosenFile, filesOfDrop, filesOfInput, FolderTooBig } from "./chosen-files";
import { SkippedFiles } from "./skipped-files";
import { UploadRow } from "./upload-row";
import type { Radiograph, StagedImage, UnfinishedUpload, UnpackedArchive } from "./radiograph-lines";
import { choose, linesOf, skippedByFolder, withGroups } from "./choose";
import { GroupRow } from "./group-row";
import { hasEnded, isStuck, type QueuedUpload } from "./queued-upload";
import type { UploadQueue } from "./upload-queue";
import { queueFor, type UploadTarget } from "./upload-queues";

/** What the page must know of uploads that are under way. */
export interface UploadProgress {
  pending: number;
  waiting: number;
  isAnnounced: boolean;
  /** Names of uploads the server will learn of only when the person resumes them. */
  stuck: string[];
  /** Upload ids that the queue already shows. */
  ids: string[];
  queue: Pick<UploadQueue, "allAnnounced" | "isAnnounced" | "setTypes"> | null;
}

export interface TakesFiles {
  chosen(files: File[], type: number): void;
  /** Must be called during the drop event. */
  dropped(transfer: DataTransfer, type: number): void;
}

export interface RadiographUploadsProps {
  target: UploadTarget;
  images: readonly Radiograph[];
  /** What has come for a form that is not saved yet. */
  stagedImages: readonly StagedImage[];
  unfinished: readonly UnfinishedUpload[];
  archives: readonly UnpackedArchive[];
  onUnderWay(underWay: UploadProgress): void;
  line?: { id: number; radiographType: number } | null;
  /** Called once the queue accepts files. */
  onReady(takes: TakesFiles): void;
}

/** Upload list with JavaScript: each file has its own type, progress and result. */
export function RadiographUploads({
  target,
  images,
  stagedImages,
  unfinished,
  archives,
  onUnderWay,
  line = null,
  onReady,
}: RadiographUploadsProps) {
  const listed = [
    ...[...images, ...stagedImages].flatMap(({ uploadIds }) => uploadIds),
    ...archives.map(({ id }) => id),
  ];
  const { sealed } = usePageTicket();
  const queue = queueFor(target, [...unfinished.map(({ id }) => id), ...listed.filter(isKnown)], sealed);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const [mistyped, setMistyped] = useState<string[]>([]);
  const [readingError, setReadingError] = useState<string | null>(null);
  const announcedNews = useRef("");

  useEffect(() => queue.whenArrived(throttled(revalidate)), [queue, revalidate]);
  const listedIds = listed.join();
  useEffect(() => queue.removeListed(listedIds.split(",")), [queue, listedIds]);
  useEffect(() => {
    const ids = uploads.flatMap(({ uploadId }) => uploadId ?? []);
    const count = (...states: QueuedUpload["state"][]) => uploads.filter(({ state }) => states.includes(state)).length;
    const pending = uploads.filter((upload) => !hasEnded(upload)).length;
    const stuck = uploads.filter(isStuck).map(({ name }) => name);
    const underWay = { pending, waiting: count("waiting"), isAnnounced: queue.isAnnounced, stuck, ids, queue };
    // Progress arrives many times a second; render only when the visible state changes.
    const news = JSON.stringify({ ...underWay, queue: null });
    if (news !== announcedNews.current) onUnderWay(underWay);
    announcedNews.current = news;
  }, [uploads, queue, onUnderWay]);

  const add = async (files: Promise<ChosenFile[]>, typeForAll: number) => {
    const found = await files.catch((error: unknown) => {
      setReadingError(
        error instanceof FolderTooBig ? error.message : "Mappen kan ikke læses. Vælg filerne i den i stedet.",
      );
      return [];
    });
    if (found.length === 0) return;
    setReadingError(null);
    const free = unfinished.filter(({ id }) => !queue.isSending(id));
    const chosenFiles = withGroups(
      found.map((file) => ({ ...choose(file, typeForAll, free), materialLineId: line?.id ?? null })),
    );
    queue.add(chosenFiles);
    setMistyped(
      chosenFiles.flatMap(({ name, refusal }) => (refusal === null && isMistyped(name, typeForAll) ? [name] : [])),
    );
  };
  const lookedAt = useRef(new Set<string>());
  useEffect(() => {
    // All bytes arrived but the connection broke before the answer; asking for the offset completes it.
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
  const adding = useRef(add);
  useEffect(() => {
    adding.current = add;
  });
  useEffect(
    () =>
      onReady({
        chosen: (files, type) => void adding.current(filesOfInput(files), type),
        dropped: (transfer, type) => void adding.current(filesOfDrop(transfer), type),
      }),
    [onReady],
  );
  const ticket = usePageTicket();
  const setType = ({ key, uploadId }: QueuedUpload, radiographType: number) => {
    queue.setType(key, radiographType);
    if (uploadId)
      submit(
        { intent: "setUploadType", ticket: ticket.sealed, uploadId, radiographType },
        { method: "post", navigate: false, fetcherKey: `type-${key}` },
      );
  };

  const skipped = skippedByFolder(uploads);
  const inFolders = new Set(skipped.flatMap(({ keys }) => keys));

  return (
    <>
      {uploads.length > 0 && (
        <ul className="file-lines" aria-label="Filer på vej">
          {linesOf(uploads.filter(({ key }) => !inFolders.has(key))).map(([upload, ...others]) =>
            upload && others.length === 0 ? (
              <UploadRow
                key={upload.key}
                upload={upload}
                onType={(type) => setType(upload, type)}
                onPause={() => queue.pause(upload.key)}
                onResume={() => queue.resume(upload.key)}
                onRemove={() => (queue.remove(upload.key), upload.uploadId && revalidate())}
              />
            ) : (
              upload && (
                <GroupRow
                  key={upload.key}
                  uploads={[upload, ...others]}
                  onPause={(keys) => queue.pause(...keys)}
                  onResume={(keys) => queue.resume(...keys)}
                  onRemove={(keys) => (queue.remove(...keys), revalidate())}
                />
              )
            ),
          )}
        </ul>
      )}
      <div className="notices">
        {mistyped.length > 0 && (
          <Notice kind="warn" title="Kontrollér billedtypen:" live>
            {typeQuestionText(mistyped)}
          </Notice>
        )}
        {readingError !== null && (
          <Notice kind="error" live>
            {readingError}
          </Notice>
        )}
        {skipped.map(({ folder, files, keys }) => (
          <SkippedFiles key={folder} of={`mappen ${folder}`} files={files} onClose={() => queue.remove(...keys)} />
        ))}
      </div>
    </>
  );
}

const isKnown = (uploadId: string | null): uploadId is string => uploadId !== null;

const CALM_MS = 2000;

/** Runs at once, then at most every two seconds, so that 400 files do not reload the page 400 times. */
function throttled(act: () => void): () => void {
  let last = 0;
  let timer: number | undefined;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(
      () => {
        last = Date.now();
        act();
      },
      Math.max(0, last + CALM_MS - Date.now()),
    );
  };
}
