import { filePaths } from "~/features/referrals/file-paths";
import type { QueuedUpload } from "./queued-upload";
import { UploadQueue } from "./upload-queue";

export type UploadTarget = { referralId: number } | { formKey: string };

const queues = new Map<string, UploadQueue>();
const keyOf = (target: UploadTarget) => ("referralId" in target ? `nr-${target.referralId}` : target.formKey);

const metadataFor =
  (target: UploadTarget, ticket: string) =>
  ({ key, file, name, type, materialLineId }: QueuedUpload): Record<string, string> => ({
    ...("referralId" in target ? { referralId: String(target.referralId) } : { ofForm: target.formKey }),
    ticket,
    formKey: key,
    radiographType: String(type),
    fileName: name,
    lastModified: String(file.lastModified),
    ...(materialLineId === null ? {} : { materialLineId: String(materialLineId) }),
  });

/**
 * Returns the queue of a target, one for as long as the page's script lives. When a form becomes a draft, `uploadIds`
 * tells which uploads are the draft's, and the form's queue continues as the draft's. `ticket` is that of the page that
 * adds files.
 */
export function queueFor(target: UploadTarget, uploadIds: readonly string[], ticket: string): UploadQueue {
  const key = keyOf(target);
  const known = queues.get(key);
  if (known && known.snapshot().length > 0) return known;
  const begun = [...queues].find(([, queue]) => queue !== known && queue.hasAny(uploadIds));
  if (begun) {
    const [formerKey, queue] = begun;
    queues.delete(formerKey);
    queues.set(key, queue);
    queue.belongsTo(metadataFor(target, ticket));
    return queue;
  }
  const queue = known ?? new UploadQueue(location.origin + filePaths.uploads, metadataFor(target, ticket));
  queues.set(key, queue);
  return queue;
}
