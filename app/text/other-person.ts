export const otherPersonText = (opener: string, present: string) =>
  `Formularen blev åbnet af ${opener}. Du er logget ind som ${present}.`;
