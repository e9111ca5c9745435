import { createRequire } from "node:module";
import { syntaxError } from "./letter";

export interface XmlElement {
  name: string;
  children: (XmlElement | string)[];
}

/** Deeper than any letter. */
const MAX_DEPTH = 20;
const MAX_ELEMENTS = 50_000;
/** Attributes, texts and comments together. */
const MAX_PARTS = 200_000;
/** Total of an envelope, without Base64 files. */
const MAX_TEXT = 8 * 1024 * 1024;
const FILE_ELEMENT = "Object_Base64Encoded";

const loadSaxes = () => createRequire(import.meta.url)("saxes") as typeof import("saxes");

/** Parses a document. Throws `EdiError` for malformed XML and for a DOCTYPE. */
export function readXmlTree(text: string): XmlElement {
  const { SaxesParser } = loadSaxes();
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  const found: { root: XmlElement | null } = { root: null };
  let [count, parts, length] = [0, 0, 0];
  const countPart = () => {
    parts += 1;
    if (parts > MAX_PARTS) throw syntaxError("Brevet har for mange dele.");
  };
  parser.on("error", () => {
    throw syntaxError(`Brevet er ikke gyldig XML (linje ${parser.line}, tegn ${parser.column}).`);
  });
  parser.on("doctype", () => {
    throw syntaxError("Brevet har en DOCTYPE, og det modtages ikke.");
  });
  parser.on("opentag", ({ name }) => {
    count += 1;
    if (open.length >= MAX_DEPTH || count > MAX_ELEMENTS) throw syntaxError("Brevet har for mange elementer.");
    const element: XmlElement = { name: name.replace(/^.*:/, ""), children: [] };
    open.at(-1)?.children.push(element);
    found.root ??= element;
    open.push(element);
  });
  const addText = (given: string) => {
    countPart();
    const element = open.at(-1);
    if (element?.name !== FILE_ELEMENT) length += given.length;
    if (length > MAX_TEXT) throw syntaxError("Brevet har mere tekst, end der kan læses.");
    element?.children.push(given);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  for (const part of ["attribute", "comment", "processinginstruction"] as const) parser.on(part, countPart);
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  if (found.root === null) throw syntaxError("Brevet er tomt.");
  return found.root;
}

const isElement = (child: XmlElement | string): child is XmlElement => typeof child !== "string";

export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter(isElement).filter((child) => child.name === name);

export function elementAt(from: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let at = from;
  for (const name of names) at = at && childrenOf(at, name)[0];
  return at;
}

/** Text of an element: `Break` is a line break, `Space` a blank; formatting is ignored. */
export function rawTextOf({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (!isElement(child)) return child;
      if (child.name === "Break") return "\n";
      return child.name === "Space" ? " " : rawTextOf(child);
    })
    .join("");
}
