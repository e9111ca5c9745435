import type { SerializeFrom } from "@remix-run/node";
import { visibleLabel } from "~/features/referrals/model/status";
import type { loader } from "./route";

export const presentClosing = ({ status, status16Label, ...closing }: SerializeFrom<typeof loader>) => ({
  ...closing,
  statusLabel: visibleLabel(status, { status16Label }),
});
