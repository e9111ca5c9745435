import { paths } from "~/paths";
import type { QueuedUpload } from "./queued-upload";
import { UploadQueue } from "./upload-queue";

/** What files are added to: a draft or referral, or step 1 as it was opened and before it is saved. */
export type UploadTarget = { referralId: number } | { formKey: string };

const queues = new Map<string, UploadQueue>();
const keyOf = (target: UploadTarget) => ("referralId" in target ? `nr-${target.referralId}` : target.formKey);

/** The metadata that the server gets with a file. */
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
 * One queue for each target, for as long as the page's script lives. When a form has become a draft, the server knows which uploads are the
 * draft's (`uploadIds`), and the form's queue goes on as the draft's. `ticket`: of the page that the files are added on.
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
  const queue = known ?? new UploadQueue(location.origin + paths.uploads, metadataFor(target, ticket));
  queues.set(key, queue);
  return queue;
}
