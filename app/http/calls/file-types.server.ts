import { z } from "zod";
import type { Asked } from "../api-route.server";

export const FILE = "application/octet-stream";

/** One type for each radiograph, in the order of the files (specification 1 §3: 0 to 4). */
export const fileTypes = z.array(z.int().min(0).max(4)).optional();

/** The types of those radiographs that were kept, in their order. */
export function typesInOrder(files: Asked<unknown, unknown>["files"], types: number[] = []): number[] | undefined {
  if (types.length === 0) return undefined;
  return files.filter(({ field }) => field === "radiographs").map(({ place }) => types[place] ?? types[0]!);
}

/** The same by held file. */
export function typesByFile(files: Asked<unknown, unknown>["files"], types: number[] | undefined): Record<string, number> {
  const inOrder = typesInOrder(files, types) ?? [];
  return Object.fromEntries(files.filter(({ field }) => field === "radiographs").flatMap(({ id }, index) => (inOrder[index] === undefined ? [] : [[String(id), inOrder[index]]])));
}
