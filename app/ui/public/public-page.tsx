import type { ReactNode } from "react";

export interface PublicPageProps {
  clinic: string;
  /** Sign-in pages: from 900 px a coloured side about the product. */
  signIn?: { product: string; about: string };
  mark?: ReactNode;
  children: ReactNode;
}

/**
 * A single-column page. Parts: Field, TextField, ErrorSummary, Notice, FileLinks, `<button className="btn
 * btn-primary">`, InlineIcon.
 */
export function PublicPage({ clinic, signIn, mark, children }: PublicPageProps) {
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
        {mark}
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
      <main className="pp">
        {children}
        <p className="meta">
          Læs <a href="/tilgaengelighed">tilgængelighedserklæringen</a>.
        </p>
      </main>
    </div>
  );
}

/** Nine dots: very short strokes with round caps. */
const archOfTeeth =
  "M6 22h.01M6.9 17.6h.01M9.2 13.7h.01M12.4 11.2h.01M16 10.3h.01M19.6 11.2h.01M22.8 13.7h.01M25.1 17.6h.01M26 22h.01";
