import type { SerializeFrom } from "@remix-run/node";
import { radiographTypeLabel } from "~/files/file-rules";
import { showDate } from "~/text/dates";
import type { loader } from "./route";

export const presentImage = ({ type, uploadedAt, ...image }: SerializeFrom<typeof loader>) => ({
  ...image,
  typeLabel: radiographTypeLabel(type),
  uploadedOn: showDate(uploadedAt),
});
