import type { SerializeFrom } from "@remix-run/node";
import { showDateTime } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
export type Draft = ReturnType<typeof presentDraft>;

/** What a draft's row says, in words. */
export const presentDraft = ({ cpr, createdAt, modifiedAt, modifierName, ...draft }: Values["rows"][number]) => ({
  ...draft,
  cpr: cpr ?? "–",
  createdAt: showDateTime(createdAt),
  modifiedAt: showDateTime(modifiedAt),
  modifierName: modifierName ?? "...",
});
