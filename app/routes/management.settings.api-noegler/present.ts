import type { SerializeFrom } from "@remix-run/node";
import { scopeWords } from "~/features/api-keys/scope-words";
import { showDate, showDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";
import type { loader } from "./route";

type Key = SerializeFrom<typeof loader>["keys"][number];
export type ShownKey = ReturnType<typeof presentKey>;

const states = {
  active: { label: "Aktiv", tone: "ok", icon: "done" },
  expired: { label: "Udløbet", tone: "closed", icon: "clock" },
  revoked: { label: "Tilbagekaldt", tone: "err", icon: "failed" },
} as const;

export const presentKey = (key: Key) => ({
  id: key.id,
  name: key.name,
  hint: `${key.hint}…`,
  scopes: key.scopes.map((scope) => scopeWords[scope].label).join(", "),
  reach: key.clinicName ?? "Alle klinikker",
  maker: key.maker,
  userName: key.userName,
  limits: [
    `${showCount(key.callsPerMinute)} kald i minuttet`,
    ...(key.addresses.length > 0 ? [`kun fra ${key.addresses.join(", ")}`] : []),
  ].join(", "),
  expires: { iso: key.expiresAt, text: showDate(key.expiresAt) },
  lastUsed: key.lastUsedAt === null ? null : { iso: key.lastUsedAt, text: showDateTime(key.lastUsedAt) },
  state: states[key.state],
  canRevoke: key.state !== "revoked",
});
