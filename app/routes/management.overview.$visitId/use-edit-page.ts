import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";

/** The present address, so that an open form stays open. */
export const useThisPage = (referralId: number) => `${paths.referral(referralId)}${useLocation().search}`;

/** Addresses with a section's form open and closed, in the same list. */
export function useEditPage(referralId: number, part: string) {
  const query = new URLSearchParams(useLocation().search);
  query.delete("ret");
  query.delete("find");
  const page = (more: Record<string, string>) => {
    const whole = new URLSearchParams([...query, ...Object.entries(more)]).toString();
    return whole === "" ? paths.referral(referralId) : `${paths.referral(referralId)}?${whole}`;
  };
  // Without JavaScript the browser scrolls to the form.
  return { edit: `${page({ ret: part })}#ret-${part}`, back: page({}) };
}
