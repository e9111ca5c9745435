/** What came of telling the server of a file: its upload, or why there is none; `status` 0 where the network is away. */
export type Announced = { uploadId: string } | { uploadId: null; status: number; text: string | null };

/**
 * Tells the server of a file before a byte of it is sent (the creation of tus): from then on it knows what is to come, so that a referral can
 * wait for it. Announced twice with one `formKey` it is one upload.
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

/** Tells the server that nothing more of an upload comes; should it not hear of it, the upload stays in its list of unfinished ones. */
export function withdrawUpload(endpoint: string, uploadId: string): void {
  void fetch(`${endpoint}/${uploadId}`, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(
    () => undefined,
  );
}

/** Of any letters: btoa takes bytes alone. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export function decodeHeader(value: string | undefined | null): string | null {
  return value ? decodeURIComponent(value) : null;
}
