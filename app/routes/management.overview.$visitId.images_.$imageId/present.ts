import type { readImage } from "~/features/referrals/images/read-images.server";
import type { PageOf } from "~/http/runners/page.server";
import { radiographTypeLabel } from "~/files/file-rules";
import { arrivalText, exposureText, sameImageLines } from "~/features/referrals/images/image-texts";

type Read = PageOf<typeof readImage>;

const tileInWords = (tile: Read["strip"]["images"][number]) => ({
  ...tile,
  typeLabel: radiographTypeLabel(tile.type),
  arrival: arrivalText(tile, "short"),
});

const inWords = (image: Read["image"], referredAt: string) => ({
  ...image,
  typeLabel: radiographTypeLabel(image.type),
  arrival: arrivalText(image),
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
