import type { readImage } from "~/features/referrals/images/read-images.server";
import type { PageOf } from "~/http/runners/page.server";
import { radiographTypeLabel } from "~/files/file-rules";
import { showDate, showDay } from "~/text/dates";

type Read = PageOf<typeof readImage>;

const inWords = ({ type, uploadedAt, dicom, ...image }: Read["image"]) => ({
  ...image,
  typeLabel: radiographTypeLabel(type),
  uploadedOn: showDate(uploadedAt),
  dicom: dicom && { ...dicom, takenOn: dicom.takenOn && showDay(dicom.takenOn) },
});

export const presentViewer = ({ image, beside, ...place }: Read) => ({
  ...place,
  image: inWords(image),
  beside: beside && inWords(beside),
});

export type Viewer = ReturnType<typeof presentViewer>;
export type ViewedImage = Viewer["image"];
