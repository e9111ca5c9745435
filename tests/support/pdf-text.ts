import { extractText, getDocumentProxy } from "unpdf";

/** The text of each page of a PDF, lines separated by line breaks. */
export async function pagesOfPdf(pdf: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf), { isEvalSupported: false });
  return (await extractText(document, { mergePages: false })).text;
}
