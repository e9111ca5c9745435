import type { readImage } from "~/features/referrals/images/read-images.server";
import type { PageOf } from "~/http/runners/page.server";
import { radiographTypeLabel } from "~/files/file-rules";
import { exposureText, sameImageLines } from "~/features/referrals/images/image-texts";
import { showDate } from "~/text/dates";

type Read = PageOf<typeof readImage>;

const tileInWords = ({ type, uploadedAt, ...tile }: Read["strip"]["images"][number]) => ({
  ...tile,
  typeLabel: radiographTypeLabel(type),
  uploadedOn: showDate(uploadedAt),
});

const inWords = (image: Read["image"], referredAt: string) => ({
  ...image,
  ...tileInWords(image),
  exposure: exposureText(image.takenOn, referredAt),
});

export const presentViewer = ({ image, beside, strip, ...place }: Read) => ({
  ...place,
  same: sameImageLines(place.sameIn),
  strip: { ...strip, images: strip.images.map(tileInWords) },
  image: inWords(image, place.referredAt),
  beside: beside && inWords(beside, place.referredAt),
});

export type Viewer = ReturnType<typeof presentViewer>;
export type ViewedImage = Viewer["image"];
