/** Parses a list's address: order, page and cursor, sealed filter, open row, picks. */
export function readListQuery(request: Request) {
  const query = new URL(request.url).searchParams;
  return {
    sort: query.get("sort"),
    page: query.get("page") ?? 1,
    cursor: query.get("fra"),
    f: query.get("f"),
    openId: query.get("aaben"),
    picks: query.get("valgt"),
  };
}
