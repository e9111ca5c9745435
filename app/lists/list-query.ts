/** What a list's address asks for: its order, its page and the place that the page is stepped to from, its sealed filter, the row that is open, and what is picked. */
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
