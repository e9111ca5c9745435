import { inlineIcons } from "~/ui/icons/inline-icons";

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

interface PlainPage {
  title: string;
  text: string;
  productName: string;
  nonce: string;
  goOn?: { href: string; text: string };
}

/** A page for refusals by Express and for unavailable files: one request, no script. */
export function plainPage({
  title,
  text,
  productName,
  nonce,
  goOn = { href: "/", text: "Til forsiden" },
}: PlainPage): string {
  return `<!doctype html><html lang="da"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="/favicon.svg"><title>${escape(productName)} - ${escape(title)}</title><style nonce="${escape(nonce)}">body{margin:0;font:17px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:#16232e;background:#fff}header{padding:16px 20px;border-bottom:1px solid #dde3e9;font-weight:600}img{margin-right:12px;vertical-align:-10px}main{max-width:560px;margin:0 auto;padding:24px 20px;text-align:center}h1{font-size:26px;line-height:32px;margin:8px 0}svg{fill:#ae271f}a{display:inline-block;padding:12px 20px;border-radius:6px;background:#3b6287;color:#fff;font-weight:600;text-decoration:none}@media(prefers-color-scheme:dark){body{color:#e7edf2;background:#17212a}header{border-color:#2a3845}svg{fill:#ff9c92}a{background:#41709b}}</style><header><img src="/favicon.svg" alt="" width="32" height="32">${escape(productName)}</header><main role="alert"><svg width="40" height="40" viewBox="0 0 24 24" aria-hidden="true"><path d="${inlineIcons.alert}"/></svg><h1>${escape(title)}</h1><p>${escape(text)}</p><p><a href="${escape(goOn.href)}">${escape(goOn.text)}</a></p></main></html>`;
}
