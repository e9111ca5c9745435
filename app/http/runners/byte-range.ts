import type { ByteRange } from "~/gateways/file-store/port";

/** The requested range (RFC 9110 §14); null for the whole file: no, several or unknown ranges, or another `etag`. */
export function rangeOf(headers: Headers, sizeBytes: number, etag: string): ByteRange | "unsatisfiable" | null {
  const range = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("Range")?.trim() ?? "");
  const edition = headers.get("If-Range");
  if (!range || (edition !== null && edition.trim() !== `"${etag}"`)) return null;
  const [from, to] = [range[1]!, range[2]!];
  if (from === "" && to === "") return null;
  // `-500` means the last 500 bytes.
  const start = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return start > end ? "unsatisfiable" : { start, end };
}
