import { useLocation, useNavigation } from "@remix-run/react";

/**
 * The query of a pending navigation within the page, else null. Later presses build on it; the shown address would lose
 * the former press.
 */
export function useUpcomingQuery(): URLSearchParams | null {
  const { pathname } = useLocation();
  const { location, formData } = useNavigation();
  return location?.pathname === pathname && formData === undefined ? new URLSearchParams(location.search) : null;
}
