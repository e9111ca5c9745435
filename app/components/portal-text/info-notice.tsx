import type { ReactNode } from "react";
import { Notice } from "~/ui/feedback/notice";

/** Shown to secretaries on every page until they close it. */
export const InfoNotice = ({ body, action }: { body: string; action: ReactNode }) => (
  <Notice kind="info" title="Information." action={action}>
    <span className="lined">{body}</span>
  </Notice>
);
