import { z } from "zod";
import { Refusal } from "~/access/refusal";
import type { ApiRequest } from "~/http/api/api-route.server";

export const FILE = "application/octet-stream";

/** One type per radiograph, in file order. */
export const fileTypes = z.array(z.int().min(0).max(4)).optional();

/** Types of the stored radiographs in order; undefined without any. Throws `invalid` if one is missing. */
export function typesInOrder(files: ApiRequest<unknown, unknown>["files"], types: number[] = []): number[] | undefined {
  const radiographs = files.filter(({ field }) => field === "radiographs");
  if (radiographs.length === 0) return undefined;
  return radiographs.map(({ place }) => {
    const type = types[place];
    if (type === undefined)
      throw new Refusal("invalid", {
        fields: { RadiographFileTypes: ["Angiv en filtype (0–4) for hver fil, i filernes rækkefølge."] },
      });
    return type;
  });
}

export function typesByFile(
  files: ApiRequest<unknown, unknown>["files"],
  types: number[] | undefined,
): Record<string, number> {
  const inOrder = typesInOrder(files, types) ?? [];
  return Object.fromEntries(
    files
      .filter(({ field }) => field === "radiographs")
      .flatMap(({ id }, index) => (inOrder[index] === undefined ? [] : [[String(id), inOrder[index]]])),
  );
}
