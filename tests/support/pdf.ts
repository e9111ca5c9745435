/** A PDF of one empty A4 page; `label` makes two differ. */
export function aPdf(label = "", { pages = 1 } = {}): Buffer<ArrayBuffer> {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    ...Array.from({ length: pages }, () => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"),
  ];
  let file = `%PDF-1.7\n%${label}\n`;
  const offsets = objects.map((object, at) => {
    const offset = Buffer.byteLength(file);
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const start = Buffer.byteLength(file);
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
  );
}
