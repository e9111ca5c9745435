import { showCount } from "~/text/numbers";

interface Slice {
  seriesHash: string | null;
  slice: number | null;
  fileName: string;
}

const byName = new Intl.Collator("da", { numeric: true }).compare;

/** Groups slices of one CBCT at the place of the first, in slice order; other files are alone. */
export function bySeries<F extends Slice>(files: readonly F[]): [F, ...F[]][] {
  const groups = new Map<unknown, [F, ...F[]]>();
  for (const file of files) {
    const group = file.seriesHash === null ? undefined : groups.get(file.seriesHash);
    if (group) group.push(file);
    else groups.set(file.seriesHash ?? file, [file]);
  }
  const inOrder = (a: F, b: F) => (a.slice ?? Infinity) - (b.slice ?? Infinity) || byName(a.fileName, b.fileName);
  return [...groups.values()].map((group) => group.sort(inOrder));
}

/** Represents the series: the first slices are usually empty. */
export const middleOf = <F>(group: readonly [F, ...F[]]): F => group[Math.floor(group.length / 2)] ?? group[0];

export const seriesOfFile = <F extends Slice>(file: F, files: readonly F[]): F[] =>
  file.seriesHash === null ? [file] : files.filter(({ seriesHash }) => seriesHash === file.seriesHash);

export const seriesName = (slices: number) => `CBCT-serie · ${showCount(slices)} snit`;

export const nameOfImage = ({ fileName, slices }: { fileName: string; slices: number }) =>
  slices > 1 ? seriesName(slices) : fileName;
