import { createRequire } from "node:module";

export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly (Element | string)[];
}

export const element = (
  name: string,
  children: readonly (Element | string)[] | string,
  attributes: Record<string, string> = {},
): Element => ({ name, attributes, children: typeof children === "string" ? [children] : children });

export const writeXml = (root: Element) => `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`;

function write({ name, attributes, children }: Element): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const inside = children.map((child) => (typeof child === "string" ? escape(child) : write(child)));
  return `<${name}${given.join("")}>${inside.join("")}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const escape = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => entities[character]!);

const MAX_DEPTH = 20;

const loadSaxes = () => createRequire(import.meta.url)("saxes") as typeof import("saxes");

/** Parses a small document without namespace prefixes. Null for malformed XML or a DOCTYPE. */
export function readXml(text: string): Element | null {
  const { SaxesParser } = loadSaxes();
  const parser = new SaxesParser();
  const open: { name: string; attributes: Record<string, string>; children: (Element | string)[] }[] = [];
  let root: Element | null = null;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("a DOCTYPE is not read");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) throw new Error("too deep");
    const read = { name: name.replace(/^.*:/, ""), attributes, children: [] };
    open.at(-1)?.children.push(read);
    root ??= read;
    open.push(read);
  });
  parser.on("text", (given) => void open.at(-1)?.children.push(given));
  parser.on("cdata", (given) => void open.at(-1)?.children.push(given));
  parser.on("closetag", () => void open.pop());
  try {
    parser.write(text).close();
    return root;
  } catch {
    return null;
  }
}

export const textOf = ({ children }: Element): string =>
  children
    .map((child) => (typeof child === "string" ? child : textOf(child)))
    .join("")
    .trim();

export const childOf = ({ children }: Element, ...names: string[]): Element | undefined =>
  children.find((child): child is Element => typeof child !== "string" && names.includes(child.name.toLowerCase()));

export function* elementsOf(root: Element, ...names: string[]): Generator<Element> {
  if (names.includes(root.name.toLowerCase())) yield root;
  for (const child of root.children) if (typeof child !== "string") yield* elementsOf(child, ...names);
}
