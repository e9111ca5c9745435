import type { SerializeFrom } from "@remix-run/node";
import { radiographTypeLabel } from "~/files/file-rules";
import { showDate, showDay } from "~/text/dates";
import type { loader } from "./route";

/** What stands above a large image, in words. */
export const presentImage = ({ type, uploadedAt, dicom, ...image }: SerializeFrom<typeof loader>) => ({
  ...image,
  typeLabel: radiographTypeLabel(type),
  uploadedOn: showDate(uploadedAt),
  dicom: dicom && { ...dicom, takenOn: dicom.takenOn && showDay(dicom.takenOn) },
});
