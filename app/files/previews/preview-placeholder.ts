const escape = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

export function noPreviewPicture(reason: string): string {
  const [first = "", ...rest] = reason.split(": ");
  const second = rest.join(": ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" role="img" aria-label="${escape(reason)}"><rect width="320" height="240" fill="#eaf0f5"/><path d="M136 60h34l18 18v42h-52z" fill="none" stroke="#4b5b69" stroke-width="3"/><g font-family="Arial,sans-serif" fill="#4b5b69" text-anchor="middle"><text x="160" y="156" font-size="17" font-weight="600">${escape(first)}</text><text x="160" y="180" font-size="12">${escape(second)}</text></g></svg>`;
}
