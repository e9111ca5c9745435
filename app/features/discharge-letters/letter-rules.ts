/** How often a letter is sent automatically before it is listed as a failure. */
export const MAX_SENDINGS = 2;

/** What stands where the patient wants no letter sent to the referrer. */
export const DECLINED_TEXT = "Patienten har frabedt sig brev til henviser";

/** What stands where a letter has no PDF. */
export const NO_PDF_TEXT = "Pdf-filen mangler";
