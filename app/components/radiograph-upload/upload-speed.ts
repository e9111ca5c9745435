/** Measures recent speed; returns the seconds left, or null in the first second. */
export function measureSpeed(): (sentBytes: number, size: number) => number | null {
  let last: { at: number; bytes: number } | null = null;
  let bytesPerSecond = 0;
  return (sentBytes, size) => {
    const at = performance.now();
    last ??= { at, bytes: sentBytes };
    const seconds = (at - last.at) / 1000;
    if (seconds >= 1) {
      const now = (sentBytes - last.bytes) / seconds;
      bytesPerSecond = bytesPerSecond === 0 ? now : 0.7 * bytesPerSecond + 0.3 * now;
      last = { at, bytes: sentBytes };
    }
    return bytesPerSecond > 0 ? (size - sentBytes) / bytesPerSecond : null;
  };
}
