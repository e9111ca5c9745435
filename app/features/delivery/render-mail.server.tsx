import { renderToStaticMarkup } from "react-dom/server";

type Paragraph = string | { link: string; text: string };

export interface MailText {
  productName: string;
  subject: string;
  paragraphs: Paragraph[];
  answer: string;
}

export function renderMail({ productName, subject, paragraphs, answer }: MailText): {
  subject: string;
  text: string;
  html: string;
} {
  const lines = paragraphs.map((part) => (typeof part === "string" ? part : `${part.text}: ${part.link}`));
  const text = [...lines, answer].join("\n\n");
  const html = renderToStaticMarkup(
    <html lang="da">
      <head>
        <meta charSet="utf-8" />
        <title>{subject}</title>
      </head>
      <body
        style={{
          margin: 0,
          padding: "24px 16px",
          background: "#F3F5F7",
          color: "#16232E",
          font: "16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif",
        }}
      >
        <div style={{ maxWidth: 560, margin: "0 auto", padding: 24, background: "#FFFFFF", borderRadius: 8 }}>
          <p style={{ margin: "0 0 16px", fontWeight: 600, color: "#3B6287" }}>{productName}</p>
          {paragraphs.map((part, index) => (
            <p key={index} style={{ margin: "0 0 16px" }}>
              {typeof part === "string" ? (
                part
              ) : (
                <a href={part.link} style={{ color: "#31546F" }}>
                  {part.text}
                </a>
              )}
            </p>
          ))}
          <p
            style={{
              margin: "24px 0 0",
              padding: "12px 0 0",
              borderTop: "1px solid #D5DCE2",
              fontSize: 14,
              color: "#51606C",
            }}
          >
            {answer}
          </p>
        </div>
      </body>
    </html>,
  );
  return { subject, text, html: `<!doctype html>${html}` };
}
