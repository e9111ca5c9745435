import { readFileSync } from "node:fs";
import { pdfFonts, pdfkit } from "~/files/pdf/pdf-fonts.server";
import { printable } from "~/files/pdf/printable.server";

/** A label and what stands under it; `span` columns of the grid. Empty values are left out. */
export interface PdfFact {
  label: string;
  value: string | number | null | undefined;
  span?: number;
}

export interface PdfTag {
  text: string;
  tone: "urgent" | "quiet";
}

interface SheetOptions {
  title: string;
  author: string;
  creator: string;
  createdAt: Date;
  /** Stands on top of every page after the first. */
  runningHead: { left: string; right: string };
  /** Stands at the foot of every page, before 'Side x af y'. */
  footer: string;
}

type Element = PDFKit.PDFStructureElement;

/** The light tokens of the look; lengths in points, 72 to the inch. */
const colour = {
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
const page = { left: 51, right: 51, top: 70, bottom: 66, firstTop: 44 };
const gap = 16;

/**
 * A4 pages in the portal's look, written from top to bottom, tagged as they are written: headings, paragraphs and tables
 * for those who listen, everything else marked as decoration. Any text is taken: what the font has not is named in brackets.
 */
export class ReferralPdfSheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #root: Element;
  readonly #options: SheetOptions;
  readonly #left = page.left;
  readonly #width: number;

  constructor(options: SheetOptions) {
    const { regular, strong } = pdfFonts();
    this.#options = options;
    const PDFDocument = pdfkit();
    this.#doc = new PDFDocument({
      size: "A4",
      margins: page,
      bufferPages: true,
      tagged: true,
      lang: "da-DK",
      pdfVersion: "1.7",
      displayTitle: true,
      info: {
        Title: printable(options.title),
        Author: printable(options.author),
        Creator: printable(options.creator),
        CreationDate: options.createdAt,
      },
      // Without it pdfkit sets up its own Helvetica.
      font: regular as unknown as string,
    });
    this.#doc.registerFont("regular", regular as unknown as string).registerFont("strong", strong as unknown as string);
    this.#width = this.#doc.page.width - page.left - page.right;
    this.#root = this.#doc.struct("Document");
    this.#doc.addStructure(this.#root);
    this.#doc.y = page.firstTop;
  }

  /** The letterhead: a logo (PNG or JPEG) or the name of the clinic, and the name of the product. */
  letterhead(clinicName: string, productName: string, logoPath?: string) {
    const top = page.firstTop - 4;
    const logo = this.#openLogo(logoPath);
    if (logo) {
      this.#root.add(
        this.#doc.struct(
          "Figure",
          { alt: clinicName },
          () => void this.#doc.image(logo, this.#left, top - 8, { fit: [200, 30] }),
        ),
      );
    } else {
      this.#write(this.#root, "P", clinicName, {
        x: this.#left,
        y: top,
        width: this.#width * 0.68,
        font: "strong",
        size: 12,
        colour: colour.accent,
        oneLine: true,
      });
    }
    this.#write(this.#root, "P", productName, {
      x: this.#left + this.#width * 0.7,
      y: top + 2,
      width: this.#width * 0.3,
      size: 9.5,
      colour: colour.ink2,
      align: "right",
      oneLine: true,
    });
    this.#doc.y = top + 26;
    this.#rule(colour.line2);
    this.#decorate(() => this.#doc.rect(this.#left, this.#doc.y - 1, 48, 2).fill(colour.accent));
    this.#doc.y += 20;
  }

  /** The title with its tags to the right, and a line of facts under it. */
  title(text: string, tags: PdfTag[], meta: string) {
    const top = this.#doc.y;
    let right = this.#left + this.#width;
    const placed = [...tags].reverse().map((tag) => {
      this.#doc.font("strong").fontSize(9.5);
      const label = shorten(printable(tag.text), 34);
      const width = this.#doc.widthOfString(label) + 18;
      right -= width + 6;
      return { ...tag, label, x: right + 6, width };
    });
    this.#write(this.#root, "H1", text, {
      x: this.#left,
      y: top,
      width: right - this.#left - 8,
      font: "strong",
      size: 22,
      oneLine: true,
    });
    const below = this.#doc.y;
    for (const { label, tone, x, width } of placed.reverse()) {
      const [ground, ink] = tone === "urgent" ? [colour.urgentGround, colour.urgent] : [colour.tint, colour.accent];
      this.#decorate(() => this.#doc.roundedRect(x, top + 5, width, 19, 4).fill(ground));
      this.#write(this.#root, "P", label, {
        x: x + 9,
        y: top + 8.2,
        width: width - 8,
        font: "strong",
        size: 9.5,
        colour: ink,
        oneLine: true,
      });
    }
    this.#doc.y = below + 1;
    this.#write(this.#root, "P", meta, {
      x: this.#left,
      y: this.#doc.y,
      width: this.#width,
      size: 10,
      colour: colour.ink2,
    });
    this.#doc.y += 14;
  }

  /** The one thing that must not be mistaken: who it is about. */
  headline(main: string, aside: string) {
    const asideWidth = this.#width * 0.36;
    const mainWidth = this.#width - asideWidth - 36;
    const top = this.#doc.y;
    const height = Math.max(this.#height(main, mainWidth, "strong", 15), 20) + 20;
    const ground = height < 300;
    if (ground) {
      this.#decorate(() => {
        this.#doc.roundedRect(this.#left, top, this.#width, height, 3).fill(colour.tint);
        this.#doc.rect(this.#left, top, 3, height).fill(colour.accent);
      });
    }
    this.#write(this.#root, "P", aside, {
      x: this.#left + this.#width - asideWidth - 14,
      y: top + 11,
      width: asideWidth,
      font: "strong",
      size: 12.5,
      align: "right",
      oneLine: true,
    });
    this.#write(this.#root, "P", main, { x: this.#left + 16, y: top + 9, width: mainWidth, font: "strong", size: 15 });
    this.#doc.y = Math.max(this.#doc.y + 12, ground ? top + height + 12 : 0);
  }

  /** A heading that stays with at least the first lines of what follows. */
  section(text: string) {
    this.#keepTogether(72);
    if (this.#doc.y > page.top) {
      this.#doc.y += 4;
      this.#rule(colour.line);
      this.#doc.y += 11;
    }
    this.#write(this.#root, "H2", text, {
      x: this.#left,
      y: this.#doc.y,
      width: this.#width,
      font: "strong",
      size: 12.5,
      colour: colour.accent,
    });
    this.#doc.y += 5;
  }

  /** Labels over values in a grid; a table of headed rows for those who listen. */
  facts(facts: PdfFact[], columns = 3) {
    const shown = facts
      .map((fact) => ({
        ...fact,
        text: printable(String(fact.value ?? "")).trim(),
        span: Math.min(fact.span ?? 1, columns),
      }))
      .filter(({ text }) => text !== "");
    if (shown.length === 0) return;
    const table = this.#doc.struct("Table");
    this.#root.add(table);
    const widthOf = (span: number) => ((this.#width - gap * (columns - 1)) / columns) * span + gap * (span - 1);
    for (let rest = shown; rest.length > 0;) {
      let used = 0;
      let count = 0;
      while (count < rest.length && used + rest[count]!.span <= columns) used += rest[count++]!.span;
      const cells = rest.slice(0, count);
      rest = rest.slice(count);

      const height =
        Math.max(...cells.map(({ text, span }) => this.#height(text, widthOf(span), "regular", 10.5))) + 14;
      const flows = height > 400;
      this.#keepTogether(flows ? 60 : height + 4);
      const top = this.#doc.y;
      let column = 0;
      for (const { label, text, span } of cells) {
        // A value longer than half a page takes the whole width and runs over pages.
        const x = flows ? this.#left : this.#left + (widthOf(1) + gap) * column;
        const width = flows ? this.#width : widthOf(span);
        if (flows) this.#keepTogether(60);
        const row = this.#doc.struct("TR");
        table.add(row);
        this.#write(row, "TH", label, {
          x,
          y: flows ? this.#doc.y : top,
          width,
          size: 9,
          colour: colour.ink2,
          oneLine: true,
        });
        this.#write(row, "TD", text, { x, y: flows ? this.#doc.y : top + 12, width, size: 10.5 });
        column += span;
        if (flows) this.#doc.y += 9;
      }
      if (!flows) this.#doc.y = top + height + 7;
    }
  }

  /** A long text beside its label, running over pages as it must. */
  text(label: string, text: string | null | undefined) {
    const shown = printable(text ?? "").trim();
    if (shown === "") return;
    this.#keepTogether(46);
    const top = this.#doc.y;
    const indent = 116;
    this.#write(this.#root, "H3", label, {
      x: this.#left,
      y: top + 1.5,
      width: indent - gap,
      size: 9,
      colour: colour.ink2,
      oneLine: true,
    });
    this.#write(this.#root, "P", shown, {
      x: this.#left + indent,
      y: top,
      width: this.#width - indent,
      size: 10.5,
      lineGap: 1.5,
    });
    this.#doc.y += 7;
  }

  /** Rows under a head, parted by lines; `widths` are shares of the whole. */
  table(head: string[], rows: string[][], widths: number[]) {
    const table = this.#doc.struct("Table");
    this.#root.add(table);
    const share = this.#width / widths.reduce((sum, width) => sum + width, 0);
    const drawRow = (cells: string[], type: "TH" | "TD", next?: string[]) => {
      const boxes = cells.map((_, index) => ({
        x: this.#left + 8 + share * widths.slice(0, index).reduce((sum, width) => sum + width, 0),
        width: share * (widths[index] ?? 1) - 16,
      }));
      const style =
        type === "TH"
          ? ({ font: "strong", size: 9, colour: colour.ink2 } as const)
          : ({ font: "regular", size: 10, colour: colour.ink } as const);
      const shown = cells.map((cell) => shorten(printable(cell), 300));
      const heightOf = (row: string[]) =>
        Math.max(...row.map((cell, index) => this.#height(cell, boxes[index]!.width, style.font, style.size))) + 9;
      const height = heightOf(shown);
      // The last row never stands alone on a new page: the one before it goes along.
      this.#keepTogether(
        height + 2 + (next === undefined ? 0 : heightOf(next.map((cell) => shorten(printable(cell), 300)))),
      );
      const top = this.#doc.y;
      if (type === "TH") this.#decorate(() => this.#doc.rect(this.#left, top, this.#width, height).fill(colour.raised));
      const row = this.#doc.struct("TR");
      table.add(row);
      shown.forEach((cell, index) =>
        this.#write(row, type, cell, { ...boxes[index]!, y: top + 4, ...style, scope: "Column" }),
      );
      this.#doc.y = top + height;
      this.#rule(type === "TH" ? colour.line2 : colour.line);
    };
    this.#keepTogether(48);
    drawRow(head, "TH");
    rows.forEach((row, index) => drawRow(row, "TD", index === rows.length - 2 ? rows.at(-1) : undefined));
    this.#doc.y += 12;
  }

  /** Writes heads and feet on every page and ends the document. */
  finish(): PDFKit.PDFDocument {
    this.#root.end();
    const { start, count } = this.#doc.bufferedPageRange();
    const { runningHead, footer } = this.#options;
    for (let index = start; index < start + count; index++) {
      this.#doc.switchToPage(index);
      // Text below the margin would begin a new page.
      this.#doc.page.margins = { top: 0, bottom: 0, left: 0, right: 0 };
      const foot = this.#doc.page.height - 46;
      this.#decorate(() => {
        const small = (text: string, y: number, align: "left" | "right", share: number) => {
          this.#doc.font("regular").fontSize(8.5).fillColor(colour.ink2);
          const width = this.#width * share;
          this.#doc.text(this.#cut(text, width), align === "left" ? this.#left : this.#left + this.#width - width, y, {
            width,
            align,
            lineBreak: false,
          });
        };
        const across = (y: number) =>
          this.#doc
            .moveTo(this.#left, y)
            .lineTo(this.#left + this.#width, y)
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
    this.#doc.end();
    return this.#doc;
  }

  #write(
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
    const element = this.#doc.struct(type, {}, () => {
      this.#doc.font(font).fontSize(size).fillColor(ink);
      const shown = oneLine ? this.#cut(text, width) : printable(text);
      this.#doc.text(shown, x, y, { width, align, lineGap });
    });
    // pdfkit has no option for it; without a scope a listener does not learn which cells a head belongs to.
    if (type === "TH")
      (element as unknown as { dictionary: { data: Record<string, unknown> } }).dictionary.data.A = {
        O: "Table",
        Scope: style.scope ?? "Row",
      };
    parent.add(element);
    element.end();
  }

  #decorate(draw: () => void, type: "Layout" | "Pagination" = "Layout") {
    this.#doc.markContent("Artifact", { type });
    draw();
    this.#doc.endMarkedContent();
  }

  #rule(ink: string) {
    const { y } = this.#doc;
    this.#decorate(() =>
      this.#doc
        .moveTo(this.#left, y)
        .lineTo(this.#left + this.#width, y)
        .lineWidth(0.6)
        .stroke(ink),
    );
  }

  /** Begins a new page unless so many points are left on this one. */
  #keepTogether(height: number) {
    if (this.#doc.y + height <= this.#doc.page.height - page.bottom) return;
    this.#doc.addPage();
    this.#doc.y = page.top;
  }

  #height(text: string, width: number, font: string, size: number): number {
    return this.#doc.font(font).fontSize(size).heightOfString(printable(text), { width });
  }

  /** As much of a text as stands on one line in the current font, with … when something is gone. */
  #cut(text: string, width: number): string {
    const line = shorten(printable(text).replace(/\s+/g, " ").trim(), 400);
    if (this.#doc.widthOfString(line) <= width) return line;
    let [fits, tooLong] = [0, line.length];
    while (tooLong - fits > 1) {
      const half = (fits + tooLong) >> 1;
      if (this.#doc.widthOfString(`${line.slice(0, half)}…`) <= width) fits = half;
      else tooLong = half;
    }
    return `${line.slice(0, fits).trimEnd()}…`;
  }

  /** A logo that cannot be read is no reason for having no PDF: the name stands in for it. */
  #openLogo(file?: string): Buffer | undefined {
    if (!file) return undefined;
    try {
      const bytes = readFileSync(file);
      (this.#doc as unknown as { openImage(source: Buffer): unknown }).openImage(bytes);
      return bytes;
    } catch {
      return undefined;
    }
  }
}

const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join("")}…`;
