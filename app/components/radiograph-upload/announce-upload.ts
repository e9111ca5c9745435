/** The server's reply to an announced file; `status` 0 means no network. */
export type Announced = { uploadId: string } | { uploadId: null; status: number; text: string | null };

/**
 * Announces a file to the server (tus creation) before any byte is sent, so that a referral can wait for it. Repeating
 * a `formKey` announces one upload.
 */
export async function announceUpload(
  endpoint: string,
  size: number,
  metadata: Record<string, string>,
): Promise<Announced> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(size),
      "Upload-Metadata": Object.entries(metadata)
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(","),
    },
  }).catch(() => null);
  const uploadId = response?.headers.get("Location")?.split("/").pop();
  if (response?.status === 201 && uploadId) return { uploadId };
  const text = decodeHeader(response?.headers.get("Upload-Refusal")) ?? (await response?.text()) ?? null;
  return { uploadId: null, status: response?.status ?? 0, text };
}

/** Tells the server that an upload is cancelled. If this fails, it stays in the list of unfinished uploads. */
export function withdrawUpload(endpoint: string, uploadId: string): void {
  void fetch(`${endpoint}/${uploadId}`, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(
    () => undefined,
  );
}

/** Encodes as UTF-8 first, since btoa accepts bytes only. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export function decodeHeader(value: string | undefined | null): string | null {
  return value ? decodeURIComponent(value) : null;
}
