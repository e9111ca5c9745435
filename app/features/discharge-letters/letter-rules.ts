/** Automatic sendings before a letter is listed as a failure. */
export const MAX_SENDINGS = 2;

export const DECLINED_TEXT = "Patienten har frabedt sig brev til henviser";

export const NO_PDF_TEXT = "Pdf-filen mangler";
