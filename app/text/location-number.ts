/** Whether a text has the 13 digits of a location number (GLN). */
export const isLocationNumber = (text: string) => /^\d{13}$/.test(text);

/** Whether 13 digits end with GS1's check digit: weighted 1, 3, 1 … from the left, they make a multiple of ten. */
export function hasCheckDigit(locationNumber: string): boolean {
  const sum = [...locationNumber].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
