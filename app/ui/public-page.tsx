import type { ReactNode } from "react";

/**
 * All the style a public page has, to stand in its `<head>` (PublicStyles): such a page is one request.
 * It dresses the same markup as the kit's Field, TextField, ErrorSummary, Notice and `.btn`, so those
 * parts are used on both kinds of page; only Icon is not, because its sheet would be a second request.
 */
export const publicStyles =
  ":root{--s:#fff;--i:#16232e;--j:#4b5b69;--l:#dde3e9;--c:#768795;--p:#3b6287;--k:#31546f;--e:#ae271f;--eb:#fbebe9;--o:#1b6b3f;--ob:#e4f2e9;--w:#6f4a00;--wb:#fff8dc;--t:#eaf0f5;--f:#16232e;--h:#ffc83d;--d:#2f506f;color-scheme:light}" +
  "@media screen and (prefers-color-scheme:dark){:root{--s:#17212a;--i:#e7edf2;--j:#a6b5c2;--l:#2a3845;--c:#73879a;--p:#41709b;--k:#93bbdf;--e:#ff9c92;--eb:#3e1f1e;--o:#7fcf9e;--ob:#183426;--w:#f0cf76;--wb:#332c17;--t:#22313f;--f:#fff;--h:#c98a00;--d:#1c3650;color-scheme:dark}}" +
  "*{box-sizing:border-box}body{margin:0;background:var(--s);color:var(--i);font:17px/26px -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:break-word}" +
  "h1{font-size:26px;line-height:32px;margin:0 0 12px}h2{font-size:17px;line-height:24px;margin:0}p{margin:0 0 16px}hr{margin:24px 0;border:0;border-top:1px solid var(--l)}ul{list-style:none;margin:0;padding:0}a{color:var(--k)}svg{flex:none;fill:currentColor}" +
  ":focus{outline:2px solid transparent;box-shadow:0 0 0 2px var(--f),0 0 0 5px var(--h)}:focus:not(:focus-visible){box-shadow:none}" +
  ".pp-head{display:flex;align-items:center;padding:16px 20px;border-bottom:1px solid var(--l);font-weight:600;color:var(--i)}.pp-by{display:flex;align-items:center}.pp-mark{width:32px;height:32px;margin-right:12px;fill:var(--p);color:#fff}.pp{max-width:600px;margin:0 auto;padding:24px 20px}" +
  ".field{margin:0 0 16px}.label{display:block;margin-bottom:4px;font-size:15px;line-height:22px;font-weight:600}.label-opt,.hint,.meta{color:var(--j);font-size:15px;line-height:22px;font-weight:400}.hint{margin:4px 0 0}.req,.field-error{color:var(--e)}" +
  ".field-error{display:flex;margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600}.field-error svg{margin:3px 6px 0 0}.field-bad{padding-left:10px;border-left:4px solid var(--e)}" +
  ".input{display:block;width:100%;height:48px;padding:0 12px;border:1px solid var(--c);border-radius:6px;background:var(--s);color:var(--i);font-family:inherit;font-size:16px;line-height:24px;-webkit-appearance:none;appearance:none}.field-bad .input{border:2px solid var(--e)}.input:focus{border-color:var(--f);box-shadow:inset 0 0 0 1px var(--f),0 0 0 3px var(--h)}" +
  ".btn{display:flex;align-items:center;justify-content:center;width:100%;min-height:50px;padding:8px 20px;border:1px solid var(--c);border-radius:6px;background:var(--s);color:var(--k);font:inherit;font-weight:600;text-decoration:none;cursor:pointer;-webkit-appearance:none}.btn-primary{background:var(--p);border-color:var(--p);color:#fff}.btn-failure{background:var(--e);border-color:var(--e);color:var(--s)}.btn svg{margin-right:8px}hr{margin:24px 0;border:0;border-top:1px solid var(--l)}" +
  ".errors,.notice{display:flex;margin:0 0 20px;padding:12px 14px;border-radius:8px;background:var(--t)}.errors svg,.notice svg{margin:3px 10px 0 0}.errors{border:2px solid var(--e);background:var(--s)}.errors svg,.errors a{color:var(--e)}.tone-err{background:var(--eb);color:var(--e)}.tone-ok{background:var(--ob);color:var(--o)}.tone-warn{background:var(--wb);color:var(--w)}" +
  ".files{margin:0 0 20px;border-top:1px solid var(--l)}.files a{display:flex;align-items:center;min-height:60px;padding:4px 0;border-bottom:1px solid var(--l);text-decoration:none}.files span{flex:1;min-width:0}.files b{display:block;font-weight:600;text-decoration:underline}.files svg{margin-left:12px}" +
  ".between{display:flex;justify-content:space-between}.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}.arch{display:none}" +
  "@media(min-width:900px){.pp-sign{display:flex;min-height:100vh}.pp-sign .pp-head{position:relative;flex:0 0 40.6%;flex-direction:column;align-items:flex-start;padding:48px 56px;border:0;background:var(--d);color:#fff;overflow:hidden}.pp-sign .pp-by{display:flex;align-items:center}.pp-sign .pp-mark{fill:#fff;color:var(--d)}.pp-sign .pp{flex:1;max-width:416px;margin:auto;padding:20px}.arch{display:block;position:absolute;left:-40px;top:60px;width:760px;fill:none;stroke:#fff;opacity:.07}.pp-about{display:block!important;margin-top:auto}.pp-about b{font-size:32px;line-height:48px}}" +
  ".pp-about{display:none;font-weight:400}.pp-about p{max-width:360px;margin:0}" +
  "@media print{.btn{display:none}}";

/** The style element of a public page, for its `<head>`; `nonce` where the content policy asks for one. */
export function PublicStyles({ nonce }: { nonce?: string }) {
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: publicStyles }} />;
}

export interface PublicPageProps {
  /** Name of the clinic, beside the mark. */
  clinic: string;
  /** Sign-in and its sisters: from 900 px a coloured side that says what the product is. */
  signIn?: { product: string; about: string };
  children: ReactNode;
}

/** One column, nothing but the task. Parts: Field, TextField, ErrorSummary, Notice, FileLinks, `<button className="btn btn-primary">`, InlineIcon. */
export function PublicPage({ clinic, signIn, children }: PublicPageProps) {
  return (
    <div className={signIn && "pp-sign"}>
      <header className="pp-head">
        <div className="pp-by">
          <svg className="pp-mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" />
            <path d={archOfTeeth} fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
          </svg>
          {clinic}
        </div>
        {signIn && (
          <>
            <svg className="arch" viewBox="0 0 32 32" aria-hidden="true">
              <path d={archOfTeeth} strokeWidth="3.2" strokeLinecap="round" />
            </svg>
            <div className="pp-about">
              <b>{signIn.product}</b>
              <p>{signIn.about}</p>
            </div>
          </>
        )}
      </header>
      <main className="pp">{children}</main>
    </div>
  );
}

/** Nine dots in an arch: a stroke of almost no length with a round cap draws a dot. */
const archOfTeeth = "M6 22h.01M6.9 17.6h.01M9.2 13.7h.01M12.4 11.2h.01M16 10.3h.01M19.6 11.2h.01M22.8 13.7h.01M25.1 17.6h.01M26 22h.01";
