import type { readImage } from "~/features/referrals/images/read-images.server";
import type { PageOf } from "~/http/runners/page.server";
import { radiographTypeLabel } from "~/files/file-rules";
import { showDate, showDay } from "~/text/dates";

type Read = PageOf<typeof readImage>;

const tileInWords = ({ type, uploadedAt, ...tile }: Read["strip"]["images"][number]) => ({
  ...tile,
  typeLabel: radiographTypeLabel(type),
  uploadedOn: showDate(uploadedAt),
});

const inWords = ({ dicom, ...image }: Read["image"]) => ({
  ...image,
  ...tileInWords(image),
  dicom: dicom && { ...dicom, takenOn: dicom.takenOn && showDay(dicom.takenOn) },
});

export const presentViewer = ({ image, beside, strip, ...place }: Read) => ({
  ...place,
  strip: { ...strip, images: strip.images.map(tileInWords) },
  image: inWords(image),
  beside: beside && inWords(beside),
});

export type Viewer = ReturnType<typeof presentViewer>;
export type ViewedImage = Viewer["image"];
