export const typedNameOf = (name: string) => `${name}Text`;

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

export const isLabel = (label: string, text: string) => spaced(label) === spaced(text);

/** Whether the text that is sent beside a choice belongs to it. Without JavaScript none is sent. */
export const isLabelOrNone = (label: string, text: string | undefined) => text === undefined || isLabel(label, text);
