import { showCount } from "~/text/numbers";

/** A file as far as it may be a slice. */
interface Slice {
  seriesHash: string | null;
  slice: number | null;
  fileName: string;
}

const byName = new Intl.Collator("da", { numeric: true }).compare;

/** Files by what they belong to: the slices of one CBCT together, where the first of them came, in their own order; any other file by itself. */
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

/** The one that stands for all: the first slices of a volume are usually empty air. */
export const middleOf = <F>(group: readonly [F, ...F[]]): F => group[Math.floor(group.length / 2)] ?? group[0];

/** The files that belong to one, itself among them. */
export const seriesOfFile = <F extends Slice>(file: F, files: readonly F[]): F[] =>
  file.seriesHash === null ? [file] : files.filter(({ seriesHash }) => seriesHash === file.seriesHash);

/** 'CBCT-serie · 312 snit' */
export const seriesName = (slices: number) => `CBCT-serie · ${showCount(slices)} snit`;

/** What a line that stands for one or more files is called. */
export const nameOfImage = ({ fileName, slices }: { fileName: string; slices: number }) =>
  slices > 1 ? seriesName(slices) : fileName;

/** Files, slices counted. */
export const countFiles = (images: readonly { slices: number }[]) =>
  images.reduce((sum, { slices }) => sum + slices, 0);
