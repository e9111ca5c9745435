import { DetailedError, Upload } from "tus-js-client";
import { decodeHeader } from "./announce-upload";
import type { QueuedUpload } from "./queued-upload";
import { measureSpeed } from "./upload-speed";

/** A lost connection repeats at most one part, also behind a proxy that buffers requests. */
const PIECE_BYTES = 8 * 1024 * 1024;

interface TusUploadOptions {
  endpoint: string;
  metadata: Record<string, string>;
  /** A new id, when the server no longer knows the first. */
  onAddress(uploadId: string | null): void;
  onProgress(sentBytes: number, secondsLeft: number | null): void;
  /** All bytes arrived. `refusal` is Danish; `fileId` is set once it is an image. */
  onArrived(outcome: { refusal: string | null; fileId: number | null }): void;
  onFailed(status: number, text: string): void;
}

/** Uploads one file in parts (tus); the queue starts and retries it. */
export function createTusUpload(
  { file, uploadId }: Pick<QueuedUpload, "file" | "uploadId">,
  { endpoint, metadata, ...on }: TusUploadOptions,
): Upload {
  const speed = measureSpeed();
  let fileId: number | null = null;
  let refusal: string | null = null;
  const upload = new Upload(file, {
    endpoint,
    uploadUrl: uploadId ? `${endpoint}/${uploadId}` : null,
    chunkSize: PIECE_BYTES,
    // The queue retries, so that the line can show it.
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata,
    onUploadUrlAvailable: () => on.onAddress(upload.url?.split("/").pop() ?? null),
    onProgress: (sentBytes) => on.onProgress(sentBytes, speed(sentBytes, file.size)),
    onAfterResponse: (_request, response) => {
      fileId = Number(response.getHeader("Upload-File")) || null;
      refusal = decodeHeader(response.getHeader("Upload-Refusal"));
    },
    onSuccess: () => on.onArrived({ refusal, fileId }),
    onError: (error) => {
      const response = error instanceof DetailedError ? error.originalResponse : null;
      const text = decodeHeader(response?.getHeader("Upload-Refusal")) ?? response?.getBody() ?? "";
      on.onFailed(response?.getStatus() ?? 0, text);
    },
  });
  return upload;
}
