const START = "/management/overview";
const MAX_PATH_LENGTH = 4000;

/**
 * A page of our own to go to after signing in; anything else becomes the overview, so no link can lead a person away. The path is
 * checked as a browser would read it (`/management/../xr` is `/xr`), and answered in ASCII, as a header needs it. No page of ours has a double
 * slash in its path, and Remix would write such a path to the log.
 */
export function safeReturn(to: string | null | undefined): string {
  // Browsers read `\` as `/` and leave out control characters, so neither is looked at any further.
  if (!to || to.length > MAX_PATH_LENGTH || !to.startsWith("/") || /[\\\p{Cc}]/u.test(to)) return START;
  const own = "http://portal.invalid";
  let url: URL;
  try {
    url = new URL(to, own);
  } catch {
    return START;
  }
  return url.origin === own && !url.pathname.includes("//") && /^\/(management|pdf\/visit)(\/|$)/.test(url.pathname)
    ? url.pathname + url.search
    : START;
}
