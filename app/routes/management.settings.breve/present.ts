/** How a channel's messages are sent. */
export type Mode = "live" | "embedded" | "batch" | "notConfigured";

const modes: Readonly<Record<Mode, string>> = {
  live: "Sendes til udbyderen",
  embedded: "Prøve: gemmes på denne maskine og sendes ikke",
  batch: "Samles i brevbunker, som I selv skriver ud",
  notConfigured: "Ikke indstillet",
};

export const modeText = (mode: Mode): string => modes[mode];
