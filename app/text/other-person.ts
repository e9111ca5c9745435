/** What is said where a form or a page is one person's and another is signed in by now. */
export const otherPersonText = (opener: string, present: string) =>
  `Formularen blev åbnet af ${opener}. Du er logget ind som ${present}.`;
