import { setImmediate } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { newPdf, printable } from "~/files/pdf/printable.server";

export interface SheetOptions {
  title: string;
  author: string;
  creator: string;
  createdAt: Date;
  runningHead: { left: string; right: string };
  footer: string;
}

type Element = PDFKit.PDFStructureElement;

/** Light theme tokens; lengths are points, 72 to the inch. */
export const colour = {
  ink: "#16232E",
  ink2: "#4B5B69",
  line: "#DDE3E9",
  line2: "#C2CCD5",
  accent: "#3B6287",
  raised: "#F8FAFB",
  tint: "#EAF0F5",
  urgent: "#A3271F",
  urgentGround: "#FAE6E4",
} as const;
export const page = { left: 51, right: 51, top: 70, bottom: 66, firstTop: 44 };
export const gap = 16;

/** A tagged A4 document with letterhead, headers and footers; keeps the writing position. */
export class PdfPages {
  protected readonly doc: PDFKit.PDFDocument;
  protected readonly root: Element;
  readonly #options: SheetOptions;
  protected readonly left = page.left;
  protected readonly width: number;

  constructor(options: SheetOptions) {
    this.#options = options;
    this.doc = newPdf({
      margins: page,
      bufferPages: true,
      info: {
        Title: printable(options.title),
        Author: printable(options.author),
        Creator: printable(options.creator),
        CreationDate: options.createdAt,
      },
    });
    this.width = this.doc.page.width - page.left - page.right;
    this.root = this.doc.struct("Document");
    this.doc.addStructure(this.root);
    this.doc.y = page.firstTop;
  }

  letterhead(clinicName: string, productName: string, logoPath?: string) {
    const top = page.firstTop - 4;
    const logo = this.#openLogo(logoPath);
    if (logo) {
      this.root.add(
        this.doc.struct(
          "Figure",
          { alt: clinicName },
          () => void this.doc.image(logo, this.left, top - 8, { fit: [200, 30] }),
        ),
      );
    } else {
      this.write(this.root, "P", clinicName, {
        x: this.left,
        y: top,
        width: this.width * 0.68,
        font: "strong",
        size: 12,
        colour: colour.accent,
        oneLine: true,
      });
    }
    this.write(this.root, "P", productName, {
      x: this.left + this.width * 0.7,
      y: top + 2,
      width: this.width * 0.3,
      size: 9.5,
      colour: colour.ink2,
      align: "right",
      oneLine: true,
    });
    this.doc.y = top + 26;
    this.rule(colour.line2);
    this.decorate(() => this.doc.rect(this.left, this.doc.y - 1, 48, 2).fill(colour.accent));
    this.doc.y += 20;
  }

  /** Writes the foot and the running head of each page; other requests are served after every twenty. */
  async finish(): Promise<PDFKit.PDFDocument> {
    this.root.end();
    const { start, count } = this.doc.bufferedPageRange();
    const { runningHead, footer } = this.#options;
    for (let index = start; index < start + count; index++) {
      if (index % 20 === 19) await setImmediate();
      this.doc.switchToPage(index);
      this.doc.page.margins = { top: 0, bottom: 0, left: 0, right: 0 };
      const foot = this.doc.page.height - 46;
      this.decorate(() => {
        const small = (text: string, y: number, align: "left" | "right", share: number) => {
          this.doc.font("regular").fontSize(8.5).fillColor(colour.ink2);
          const width = this.width * share;
          this.doc.text(this.cut(text, width), align === "left" ? this.left : this.left + this.width - width, y, {
            width,
            align,
            lineBreak: false,
          });
        };
        const across = (y: number) =>
          this.doc
            .moveTo(this.left, y)
            .lineTo(this.left + this.width, y)
            .lineWidth(0.6)
            .stroke(colour.line2);
        across(foot);
        small(footer, foot + 8, "left", 0.82);
        small(`Side ${index - start + 1} af ${count}`, foot + 8, "right", 0.16);
        if (index > start) {
          small(runningHead.left, 36, "left", 0.68);
          small(runningHead.right, 36, "right", 0.3);
          across(53);
        }
      }, "Pagination");
    }
    this.doc.end();
    return this.doc;
  }

  protected write(
    parent: Element,
    type: string,
    text: string,
    style: {
      x: number;
      y: number;
      width: number;
      size: number;
      font?: "regular" | "strong";
      colour?: string;
      align?: "left" | "right";
      oneLine?: boolean;
      lineGap?: number;
      scope?: "Row" | "Column";
    },
  ) {
    const {
      x,
      y,
      width,
      size,
      font = "regular",
      colour: ink = colour.ink,
      align = "left",
      oneLine = false,
      lineGap = 0,
    } = style;
    const element = this.doc.struct(type, {}, () => {
      this.doc.font(font).fontSize(size).fillColor(ink);
      const shown = oneLine ? this.cut(text, width) : printable(text);
      this.doc.text(shown, x, y, { width, align, lineGap });
    });
    // pdfkit has no option for it; screen readers need the scope to relate cells to their head.
    if (type === "TH")
      (element as unknown as { dictionary: { data: Record<string, unknown> } }).dictionary.data.A = {
        O: "Table",
        Scope: style.scope ?? "Row",
      };
    parent.add(element);
    element.end();
  }

  protected decorate(draw: () => void, type: "Layout" | "Pagination" = "Layout") {
    this.doc.markContent("Artifact", { type });
    draw();
    this.doc.endMarkedContent();
  }

  protected rule(ink: string) {
    const { y } = this.doc;
    this.decorate(() =>
      this.doc
        .moveTo(this.left, y)
        .lineTo(this.left + this.width, y)
        .lineWidth(0.6)
        .stroke(ink),
    );
  }

  protected keepTogether(height: number) {
    if (this.doc.y + height <= this.doc.page.height - page.bottom) return;
    this.doc.addPage();
    this.doc.y = page.top;
  }

  protected height(text: string, width: number, font: string, size: number): number {
    return this.doc.font(font).fontSize(size).heightOfString(printable(text), { width });
  }

  protected cut(text: string, width: number): string {
    const line = shorten(printable(text).replace(/\s+/g, " ").trim(), 400);
    if (this.doc.widthOfString(line) <= width) return line;
    let [fits, tooLong] = [0, line.length];
    while (tooLong - fits > 1) {
      const half = (fits + tooLong) >> 1;
      if (this.doc.widthOfString(`${line.slice(0, half)}…`) <= width) fits = half;
      else tooLong = half;
    }
    return `${line.slice(0, fits).trimEnd()}…`;
  }

  #openLogo(file?: string): Buffer | undefined {
    if (!file) return undefined;
    try {
      const bytes = readFileSync(file);
      (this.doc as unknown as { openImage(source: Buffer): unknown }).openImage(bytes);
      return bytes;
    } catch {
      return undefined;
    }
  }
}

export const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join("")}…`;
