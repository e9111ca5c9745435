import type { ReactNode } from "react";
import { Notice } from "~/ui/feedback/notice";

/** The notice to secretaries at the top of every page until they close it. */
export const InfoNotice = ({ body, action }: { body: string; action: ReactNode }) => (
  <Notice kind="info" title="Information." action={action}>
    <span className="lined">{body}</span>
  </Notice>
);
