import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";

/** The page as it stands, for what leaves a form that is open on it as it is. */
export const useThisPage = (referralId: number) => `${paths.referral(referralId)}${useLocation().search}`;

/** The addresses around a form of the open referral: the page with that form open, and the page as it was, both in the same list. */
export function useEditPage(referralId: number, part: string) {
  const query = new URLSearchParams(useLocation().search);
  query.delete("ret");
  query.delete("find");
  const page = (more: Record<string, string>) => {
    const whole = new URLSearchParams([...query, ...Object.entries(more)]).toString();
    return whole === "" ? paths.referral(referralId) : `${paths.referral(referralId)}?${whole}`;
  };
  // Without JavaScript the browser goes to the form by itself.
  return { edit: `${page({ ret: part })}#ret-${part}`, back: page({}) };
}
