const START = "/management/overview";
const MAX_PATH_LENGTH = 4000;

/**
 * Returns a path within the portal, or the overview, so that no link can redirect to another site. Normalised as
 * browsers do (`/management/../xr` is `/xr`) and encoded in ASCII for the header. Double slashes are refused, because
 * Remix logs such paths.
 */
export function safeReturn(to: string | null | undefined): string {
  // Browsers treat `\` as `/` and drop control characters, so both are refused.
  if (!to || to.length > MAX_PATH_LENGTH || !to.startsWith("/") || /[\\\p{Cc}]/u.test(to)) return START;
  const own = "http://portal.invalid";
  let url: URL;
  try {
    url = new URL(to, own);
  } catch {
    return START;
  }
  return url.origin === own &&
    !url.pathname.includes("//") &&
    /^\/(management|pdf\/visit|api\/docs)(\/|$)/.test(url.pathname)
    ? url.pathname + url.search
    : START;
}

/** Where a form that says so returns to; otherwise its own page stays. */
export const backTo = (to: string | undefined) => (to === undefined ? {} : { to: safeReturn(to) });
