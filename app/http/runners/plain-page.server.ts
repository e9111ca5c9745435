const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

interface PlainPage {
  title: string;
  text: string;
  productName: string;
  nonce: string;
  /** Link onwards; to sign-in by default. */
  goOn?: { href: string; text: string };
}

/** A page for refusals by Express and for unavailable files: one request, no script. */
export function plainPage({
  title,
  text,
  productName,
  nonce,
  goOn = { href: "/login", text: "Til log ind" },
}: PlainPage): string {
  return `<!doctype html><html lang="da"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="/favicon.svg"><title>${escape(productName)} - ${escape(title)}</title><style nonce="${escape(nonce)}">body{margin:0;padding:48px 20px;font:17px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:#16232e;background:#fff}main{max-width:560px;margin:0 auto;border-left:3px solid #ae271f;padding-left:20px}h1{font-size:24px;line-height:32px;margin:0 0 8px}a{color:#31546f}img{vertical-align:-5px}@media(prefers-color-scheme:dark){body{color:#e7edf2;background:#17212a}a{color:#93bbdf}}</style><main role="alert"><p><img src="/favicon.svg" alt="" width="24" height="24"> <b>${escape(productName)}</b></p><h1>${escape(title)}</h1><p>${escape(text)}</p><p><a href="${escape(goOn.href)}">${escape(goOn.text)}</a></p></main></html>`;
}
