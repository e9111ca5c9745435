import { useRevalidator, useSubmit } from "@remix-run/react";
import { type ReactElement, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { isMistyped, pictureTypes, radiographTypeLabel } from "~/files/file-rules";
import { typeQuestionText } from "~/files/file-texts";
import { usePageTicket } from "~/http/forms/use-action-result";
import { filePaths } from "~/features/referrals/file-paths";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Progress } from "~/ui/feedback/progress";
import { Button, IconButton } from "~/ui/forms/button";
import { FileLine } from "~/ui/lists/file-links";
import {
  choose,
  type ChosenFile,
  filesOfDrop,
  filesOfInput,
  FolderTooBig,
  linesOf,
  skippedByFolder,
  withGroups,
} from "./choose";
import { guessType } from "./guess-type";
import { hasEnded, isStuck, type QueuedUpload } from "./queued-upload";
import { FileError, Guessed, type UnfinishedUpload, type UnpackedArchive } from "./radiograph-lines";
import { SkippedFiles } from "./picker";
import type { UploadQueue } from "./upload-queue";
import { queueFor, type UploadTarget } from "./upload-queues";
import { UploadRow } from "./upload-row";

interface GroupRowProps {
  uploads: readonly QueuedUpload[];
  onPause(keys: string[]): void;
  onResume(keys: string[]): void;
  onRemove(keys: string[]): void;
}

function GroupRow({ uploads, onPause, onResume, onRemove }: GroupRowProps) {
  const left = uploads.filter((upload) => !hasEnded(upload));
  const keysOf = (...states: QueuedUpload["state"][]) =>
    left.filter(({ state }) => states.includes(state)).map(({ key }) => key);
  const [moving, paused, stopped] = [
    keysOf("announcing", "queued", "sending", "waiting", "checking"),
    keysOf("paused"),
    keysOf("stopped", "changed"),
  ];
  const bytes = uploads.reduce((sum, { file }) => sum + file.size, 0);
  const sent = uploads.reduce(
    (sum, upload) => sum + (upload.state === "done" ? upload.file.size : upload.sentBytes),
    0,
  );
  const folder = uploads[0]?.folder?.split("/").pop();
  const name = `${showCount(uploads.length)} DICOM-filer${folder ? ` i ${folder}` : ""}`;
  const come = `${showCount(uploads.length - left.length)} af ${showCount(uploads.length)} overført`;
  const state = moving.length > 0 ? "sending" : paused.length > 0 ? "paused" : stopped.length > 0 ? "stopped" : "done";
  return (
    <li className="file-line" data-upload-state={state}>
      <FileLine
        name={name}
        sizeBytes={bytes}
        acts={
          left.length > 0 && (
            <>
              {moving.length > 0 && (
                <IconButton type="button" icon="pause" label={`Sæt ${name} på pause`} onClick={() => onPause(moving)} />
              )}
              {moving.length === 0 && paused.length > 0 && (
                <IconButton type="button" icon="resume" label={`Fortsæt ${name}`} onClick={() => onResume(paused)} />
              )}
              <IconButton
                type="button"
                icon="close"
                label={`Fjern ${name}`}
                onClick={() => onRemove(left.map(({ key }) => key))}
              />
            </>
          )
        }
      >
        <span className="file-type">{radiographTypeLabel(uploads[0]?.type ?? null)}</span>
        <div className="file-state file-bar">
          <Progress calm={moving.length === 0} label={come} value={Math.floor((100 * sent) / bytes) || 0} />
        </div>
        <FileError texts={stopped.length > 0 ? [left.find(({ text }) => text)?.text ?? ""] : null} />
        {stopped.length > 0 && (
          <Button type="button" size="small" icon="refresh" onClick={() => onResume(stopped)}>
            Prøv igen
          </Button>
        )}
      </FileLine>
    </li>
  );
}

export interface UploadProgress {
  pending: number;
  waiting: number;
  isAnnounced: boolean;
  /** Names of uploads the server will learn of only when the person resumes them. */
  stuck: string[];
  ids: string[];
  queue: Pick<UploadQueue, "allAnnounced" | "isAnnounced" | "setTypes"> | null;
}

export interface TakesFiles {
  chosen(files: File[], type: number | null): void;
  /** Must be called during the drop event. */
  dropped(transfer: DataTransfer, type: number | null): void;
  typed(type: number): void;
}

export interface ListedFile {
  key: string;
  uploadIds: readonly (string | null)[];
  type: number | null;
  line: ReactElement;
}

export interface RadiographUploadsProps {
  target: UploadTarget;
  listedUploads: readonly string[];
  unfinished: readonly UnfinishedUpload[];
  archives: readonly UnpackedArchive[];
  onUnderWay(underWay: UploadProgress): void;
  listed?: readonly ListedFile[];
  /** A type chosen for all is also that of files which are there already. */
  typesAll?: boolean;
  line?: { id: number; radiographType: number } | null;
  onReady(takes: TakesFiles): void;
}

export function RadiographUploads({
  target,
  listedUploads,
  unfinished,
  archives,
  onUnderWay,
  listed = [],
  typesAll = false,
  line = null,
  onReady,
}: RadiographUploadsProps) {
  const arrived = [...listedUploads, ...archives.map(({ id }) => id)];
  const { sealed } = usePageTicket();
  const queue = queueFor(target, [...unfinished.map(({ id }) => id), ...arrived], sealed);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const [mistyped, setMistyped] = useState<string[]>([]);
  const [readingError, setReadingError] = useState<string | null>(null);
  const announcedNews = useRef("");

  useEffect(() => queue.whenArrived(throttled(revalidate)), [queue, revalidate]);
  const listedIds = arrived.join();
  // Before the list is painted, so that no file is shown twice.
  useLayoutEffect(() => queue.removeListed(listedIds.split(",")), [queue, listedIds]);
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

  const add = async (files: Promise<ChosenFile[]>, typeForAll: number | null) => {
    const found = await files.catch((error: unknown) => {
      setReadingError(
        error instanceof FolderTooBig ? error.message : "Mappen kan ikke læses. Vælg filerne i den i stedet.",
      );
      return [];
    });
    if (found.length === 0) return;
    setReadingError(null);
    const free = unfinished.filter(({ id }) => !queue.isSending(id));
    const types = await Promise.all(
      found.map(async ({ name, file }) =>
        typeForAll === null ? { guess: await guessType(name, file) } : { forAll: typeForAll },
      ),
    );
    const chosenFiles = withGroups(
      found.map((file, nth) => ({ ...choose(file, types[nth]!, free), materialLineId: line?.id ?? null })),
    );
    queue.add(chosenFiles);
    setMistyped(
      chosenFiles.flatMap(({ name, refusal }) =>
        refusal === null && typeForAll !== null && isMistyped(name, typeForAll) ? [name] : [],
      ),
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
      void fetch(filePaths.upload(id), { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } }).then(
        revalidate,
        () => undefined,
      );
    }
  }, [unfinished, queue, revalidate]);
  const ticket = usePageTicket();
  const typeAll = (radiographType: number) => {
    queue.setTypes(radiographType);
    if (!typesAll || !pictureTypes.some(({ value }) => value === radiographType)) return;
    if (listed.length === 0 && uploads.length === 0) return;
    const typed = { intent: "setAllRadiographTypes", ticket: ticket.sealed, radiographType };
    submit("formKey" in target ? { ...typed, ofForm: target.formKey } : typed, {
      method: "post",
      navigate: false,
      fetcherKey: "type-all",
    });
  };
  const acts = useRef({ add, typeAll });
  useEffect(() => {
    acts.current = { add, typeAll };
  });
  useEffect(
    () =>
      onReady({
        chosen: (files, type) => void acts.current.add(filesOfInput(files), type),
        dropped: (transfer, type) => void acts.current.add(filesOfDrop(transfer), type),
        typed: (type) => acts.current.typeAll(type),
      }),
    [onReady],
  );
  const setType = ({ key, uploadId }: QueuedUpload, radiographType: number) => {
    queue.setType(key, radiographType);
    if (uploadId)
      submit(
        { intent: "setUploadType", ticket: ticket.sealed, uploadId, radiographType },
        { method: "post", navigate: false, fetcherKey: `type-${key}` },
      );
  };

  const rowOf = (upload: QueuedUpload, others: readonly QueuedUpload[]) =>
    others.length === 0 ? (
      <UploadRow
        upload={upload}
        onType={(type) => setType(upload, type)}
        onPause={() => queue.pause(upload.key)}
        onResume={() => queue.resume(upload.key)}
        onRemove={() => (queue.remove(upload.key), upload.uploadId && revalidate())}
      />
    ) : (
      <GroupRow
        uploads={[upload, ...others]}
        onPause={(keys) => queue.pause(...keys)}
        onResume={(keys) => queue.resume(...keys)}
        onRemove={(keys) => (queue.remove(...keys), revalidate())}
      />
    );
  const skipped = skippedByFolder(uploads);
  const inFolders = new Set(skipped.flatMap(({ keys }) => keys));
  const lines = [
    ...listed.map(({ key, uploadIds, type, line: row }) => {
      const { place, guess } = queue.recall(uploadIds) ?? { place: 0, guess: null };
      return { key, place, isGuessed: guess !== null && guess === type, row };
    }),
    ...linesOf(uploads.filter(({ key }) => !inFolders.has(key))).flatMap(([upload, ...others]) =>
      upload
        ? [
            {
              key: upload.key,
              place: upload.place,
              isGuessed: upload.guess !== null && upload.state !== "refused",
              row: rowOf(upload, others),
            },
          ]
        : [],
    ),
  ].sort((one, other) => one.place - other.place);

  return (
    <>
      {lines.length > 0 && (
        <ul className="file-lines" aria-label="Filer">
          {lines.map(({ key, isGuessed, row }) => (
            <Guessed.Provider key={key} value={isGuessed}>
              {row}
            </Guessed.Provider>
          ))}
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
