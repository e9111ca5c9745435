import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import type { ReactNode } from "react";

const OWN = [
  "ret",
  "mangler",
  "find",
  "slettet",
  "visning",
  "lys",
  "kontrast",
  "snit",
  "omvendt",
  "drejet",
  "panel",
  "foldet",
  "ved",
  "billeder",
];

/**
 * Addresses of a referral's image pages. Each carries the list's query, so that the link back opens the same list.
 */
export function useImagePages(referralId: number) {
  const query = new URLSearchParams(useLocation().search);
  const tilesPage = query.has("billeder") ? Number(query.get("billeder")) : null;
  for (const name of OWN) query.delete(name);
  const inList = (path: string, more: Record<string, string | number> = {}) => {
    const whole = new URLSearchParams(query);
    for (const [name, value] of Object.entries(more)) whole.set(name, String(value));
    const text = whole.toString();
    return text === "" ? path : `${path}?${text}`;
  };
  return {
    referral: inList(paths.referral(referralId)),
    images: `${inList(paths.referral(referralId))}#billeder`,
    /** Requested page of the images as written in the address; null without one. */
    tilesPage,
    tiles: (page: number) => `${inList(paths.referral(referralId), page > 1 ? { billeder: page } : {})}#billeder`,
    material: `${inList(paths.referral(referralId))}#materiale`,
    uploadTiles: (page: number, line: { id: number } | null) =>
      `${inList(paths.uploadImages(referralId), { ...(line ? { mangler: line.id } : {}), billeder: page })}#roentgenbilleder`,
    upload: `${inList(paths.uploadImages(referralId))}#roentgenbilleder`,
    uploadFor: (lineId: number) => `${inList(paths.uploadImages(referralId), { mangler: lineId })}#roentgenbilleder`,
    image: (fileId: number, more?: Record<string, string | number>) =>
      inList(paths.referralImage(referralId, fileId), more),
    deleteImage: (fileId: number) => `${inList(paths.deleteImage(referralId, fileId))}#slet`,
  };
}

/** A whole number of rows of 2, 3, 4, 6 and 8. All of 1,000 images, which one ZIP makes, would hold everybody up for 0.2 seconds. */
const TILES_A_PAGE = 48;

export function tilesOfPage<T>(images: readonly T[], asked: number): { shown: T[]; page: number; pageCount: number } {
  const pageCount = Math.max(1, Math.ceil(images.length / TILES_A_PAGE));
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pageCount) : 1;
  return { shown: images.slice((page - 1) * TILES_A_PAGE, page * TILES_A_PAGE), page, pageCount };
}

/** The page of tiles that has the image (a series: its first image) with one of these ids. */
export function tilesAround<T extends { id: number }>(images: readonly T[], ids: readonly number[]) {
  const index = images.findIndex(({ id }) => ids.includes(id));
  return {
    ...tilesOfPage(images, Math.floor(Math.max(index, 0) / TILES_A_PAGE) + 1),
    firstOf: (page: number) => images[(page - 1) * TILES_A_PAGE]!,
  };
}

export interface ViewedReferral {
  id: number;
  patientName: string;
  cpr: string;
  age: number | null;
  isUrgent: boolean;
  texts: { label: string; value: string }[];
  images: { id: number; name: string; typeLabel: string; uploadedOn: string; slices: number }[];
  triage: ReactNode;
}
