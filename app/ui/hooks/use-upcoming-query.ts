import { useLocation, useNavigation } from "@remix-run/react";

/**
 * The query that the page is on its way to, where it stays the same page; else null. What is pressed next counts from it: from the address
 * that is still shown the press before would be lost.
 */
export function useUpcomingQuery(): URLSearchParams | null {
  const { pathname } = useLocation();
  const { location, formData } = useNavigation();
  return location?.pathname === pathname && formData === undefined ? new URLSearchParams(location.search) : null;
}
