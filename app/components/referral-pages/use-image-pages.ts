import { useLocation } from "@remix-run/react";
import { filePaths } from "~/features/referrals/file-paths";
import type { CaveMark } from "~/features/referrals/model/cave";
import { paths } from "~/paths";
import type { ReactNode } from "react";

export const IMAGES_PAGE = "billeder";

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
  IMAGES_PAGE,
];

/**
 * Addresses of a referral's image pages. Each carries the list's query, so that the link back opens the same list.
 */
export function useImagePages(referralId: number) {
  const query = new URLSearchParams(useLocation().search);
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
    tiles: (page: number) => `${inList(paths.referral(referralId), page > 1 ? { [IMAGES_PAGE]: page } : {})}#billeder`,
    material: `${inList(paths.referral(referralId))}#materiale`,
    uploadTiles: (page: number, line: { id: number } | null) =>
      `${inList(filePaths.uploadImages(referralId), { ...(line ? { mangler: line.id } : {}), [IMAGES_PAGE]: page })}#roentgenbilleder`,
    upload: `${inList(filePaths.uploadImages(referralId))}#roentgenbilleder`,
    uploadFor: (lineId: number) =>
      `${inList(filePaths.uploadImages(referralId), { mangler: lineId })}#roentgenbilleder`,
    image: (fileId: number, more?: Record<string, string | number>) =>
      inList(filePaths.referralImage(referralId, fileId), more),
    deleteImage: (fileId: number) => `${inList(filePaths.deleteImage(referralId, fileId))}#slet`,
  };
}

export interface ViewedReferral {
  id: number;
  patientName: string;
  cpr: string;
  age: number | null;
  isUrgent: boolean;
  cave: readonly CaveMark[];
  texts: { label: string; value: string }[];
  triage: ReactNode;
}
